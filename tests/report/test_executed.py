from __future__ import annotations

from gitmem.model.event import Event
from gitmem.report.executed import recorded_lines
from gitmem.usecases.runs.executing import Execution


def events(*kinds: str) -> tuple[Event, ...]:
    return tuple(
        Event(f"c{seq}", seq, "w", f"e{seq}", "run-1", kind, "", "codex", {"failure_class": "agent_failure"})
        for seq, kind in enumerate(kinds, 3)
    )


def test_one_or_two_events_have_a_line_each() -> None:
    assert recorded_lines(Execution(0, events=events("test_failed", "test_passed"))) == [
        "recorded #3 test_failed: agent_failure",
        "recorded #4 test_passed: agent_failure",
    ]
    assert recorded_lines(Execution(0)) == []


def test_all_that_is_recorded_around_an_agent_is_one_line() -> None:
    told = events("session_started", "commit_recorded", "commit_recorded", "session_ended", "handoff_written")
    assert recorded_lines(Execution(0, events=told)) == [
        "recorded #3 to #7: session_started, 2 × commit_recorded, session_ended, handoff_written"
    ]
