from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from gitmem.model.snapshot import LastTest, Snapshot
from gitmem.report.status import run_status_lines, set_up_line, status_document, status_lines
from gitmem.trust.branch import Trusted
from gitmem.usecases.runs.listing import RunRow
from gitmem.usecases.runs.standing import RunState
from gitmem.usecases.status import MemoryState, SetUp, SetUpState, Waiting

TRUSTED = Trusted("refs/remotes/origin/main", "a" * 40, "origin/HEAD names it", "origin")


def test_one_screen_tells_branch_counts_and_what_waits() -> None:
    waiting = (
        Waiting("challenged, to be confirmed or retired", 1, "gitmem drift"),
        Waiting("proposed, approved by a merge", 2, "gitmem list --status proposed"),
    )
    state = MemoryState(TRUSTED, {"active": 3, "challenged": 1, "proposed": 2, "archived": 4}, 1, waiting, 0)
    assert list(status_lines(state)) == [
        "trusted   origin/main at aaaaaaaaaaaa (origin/HEAD names it)",
        "memories  3 active, 1 challenged, 2 proposed, 4 archived",
        "          1 cannot be checked against the code: gitmem drift --explain",
        "waiting   1 challenged, to be confirmed or retired: gitmem drift",
        "          2 proposed, approved by a merge: gitmem list --status proposed",
    ]
    document = status_document(state)
    assert document["memories"] == {"active": 3, "challenged": 1, "proposed": 2, "archived": 4}
    assert document["trusted"]["verified"] is False


def test_an_empty_repository_says_what_to_do_first() -> None:
    state = MemoryState(Trusted(None, None, "there is no remote"), {}, None, (), 0)
    assert list(status_lines(state)) == [
        "trusted   no branch: there is no remote",
        "memories  none yet: write one in .ai/memory/, .ai/README.md shows how",
        "waiting   nothing",
    ]


def test_a_branch_name_cannot_reach_the_terminal_unescaped() -> None:
    state = MemoryState(Trusted("refs/heads/\x1b[31m", "a" * 40, "w\x1b]0;"), {}, None, (), 0)
    assert "\x1b" not in "\n".join(status_lines(state))


NOW = datetime(2026, 7, 13, 12, 0, tzinfo=UTC)
ROW = RunRow("run-1", "결제", "waiting_human", 3, "2026-07-13T11:00:00Z", ("w1",), None, is_current=True)


def test_where_the_work_stands() -> None:
    state = Snapshot(
        phase="waiting_human",
        next_step="send the key",
        waiting_human=True,
        question="may I?",
        paused=True,
        pause_reason="lunch",
    )
    runs = RunState((ROW, state), 3, 2, 1, ("run-1", "run-2"))
    assert list(run_status_lines(runs, NOW)) == [
        "run       run-1  결제  waiting_human, 3 events, last 1 h ago",
        "          waits for a person: may I? (gitmem run answer TEXT)",
        "          paused: lunch (gitmem run resume)",
        "          next: send the key",
        "          2 more open: gitmem run list",
        "          2 commits not recorded yet",
        "          2 runs not synced yet: gitmem sync",
        "          1 run cannot be read as a whole: gitmem run verify",
    ]
    document = status_document(MemoryState(TRUSTED, {}, None, (), 0), runs)
    assert (document["run"]["question"], document["unsynced"]) == ("may I?", ["run-1", "run-2"])


def test_an_ended_run_is_said_to_have_ended_and_counts_for_none() -> None:
    ended = ROW._replace(phase="completed", task="\x1b[31m")
    lines = list(
        run_status_lines(RunState((ended, Snapshot(phase="completed", next_step="x")), 0, 0, 0), NOW)
    )
    assert lines[1:] == ["          it has ended: gitmem run start TASK begins another"]
    assert "\x1b" not in lines[0]


def test_one_of_a_kind_is_singular_and_an_old_next_step_says_so() -> None:
    row = ROW._replace(phase="tested", events=1)
    state = Snapshot(phase="tested", next_step="go", next_step_seq=1, last_test=LastTest("passed", None, 2))
    assert list(run_status_lines(RunState((row, state), 1, 1, 2, ("run-1",)), NOW)) == [
        "run       run-1  결제  tested, 1 event, last 1 h ago",
        "          next: go (set at #1, before the test passed at #2)",
        "          1 commit not recorded yet",
        "          1 run not synced yet: gitmem sync",
        "          2 runs cannot be read as a whole: gitmem run verify",
    ]


@pytest.mark.parametrize(
    ("hooks", "agents", "line"),
    [
        ("installed", {"codex": "installed", "gemini": "installed"}, "git hooks, codex, gemini"),
        ("missing", {"codex": "installed"}, "codex; no git hooks: gitmem hooks install"),
        (
            "missing",
            {},
            "no git hooks: gitmem hooks install; no agent: gitmem agent install NAME",
        ),
        ("incomplete", {"codex": "incomplete"}, "git hooks, codex incomplete: gitmem doctor"),
        ("installed", {"codex": "incomplete"}, "git hooks; codex incomplete: gitmem doctor"),
        ("installed", None, "git hooks"),
    ],
)
def test_what_is_set_up_stands_in_one_line_with_the_cure_for_the_rest(
    hooks: SetUpState, agents: Mapping[str, SetUpState] | None, line: str
) -> None:
    assert set_up_line(SetUp(hooks, agents)) == f"set up    {line}"
