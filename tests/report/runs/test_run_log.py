from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from gitmem.model.event import Event
from gitmem.report.look import Look
from gitmem.report.runs.run_log import LogLines, event_document
from gitmem.report.width import width

NOW = datetime(2026, 7, 13, 12, 0, tzinfo=UTC)


def event(seq: int, event_type: str, payload: dict[str, object], **fields: Any) -> Event:
    at = "2026-07-13T09:00:00Z"
    return Event("c" * 40, seq, "w1", f"e-{seq}", "run-1", event_type, at, "codex", payload)._replace(
        **fields
    )


def test_one_line_an_event_and_columns_that_only_grow() -> None:
    lines = LogLines()
    first = [
        event(1, "task_created", {"task": "결제"}),
        event(9, "finding_noted", {"finding": "하나"}, actor="사람"),
    ]
    later = [event(10, "approach_rejected", {"approach": "x", "reason": "too\nlate"}, session="s-1")]
    assert list(lines.of(first, NOW)) == [
        "#1  3 h ago  codex  task_created   결제",
        "#9  3 h ago  사람   finding_noted  하나",
    ]
    assert list(lines.of(later, NOW)) == ["#10  3 h ago  codex/s-1  approach_rejected  x – too late"]
    assert list(lines.of(first[:1], NOW)) == ["#1   3 h ago  codex      task_created       결제"]


def test_lessons_and_what_became_of_them_say_what_they_are_about() -> None:
    told = [
        event(1, "memory_candidate", {"candidate": {"id": "c-1", "summary": "주문은 한 번만 보낸다"}}),
        event(2, "memory_candidate", {"candidate": {"id": "c-2", "proposed_memory": "Send\nonce"}}),
        event(3, "memory_candidate", {"candidate": {"summary": {"odd": 1}}}),
        event(4, "promotion_decided", {"candidate": "c-1", "decision": "denied", "reason": "old"}),
        event(5, "memory_confirmed", {"memory": "m-1", "how": "repeated"}),
    ]
    assert [line.partition("codex")[2].strip() for line in LogLines().of(told, NOW)] == [
        "memory_candidate   주문은 한 번만 보낸다",
        "memory_candidate   Send once",
        "memory_candidate",
        "promotion_decided  denied c-1 – old",
        "memory_confirmed   m-1 (repeated)",
    ]


def test_in_full_with_code_artifacts_and_what_was_masked() -> None:
    one = event(
        2,
        "test_failed",
        {"command": "make\ttest", "failing": ["결제", "b"]},
        session="s-1",
        code="a" * 40,
        dirty=True,
        artifacts=("build.log",),
        extra={"masked": {"jwt": 2}},
    )
    assert list(LogLines(in_full=True).of([one], NOW)) == [
        "#2  3 h ago  codex/s-1  test_failed  결제",
        f"    commit    {'c' * 40}",
        "    at        2026-07-13T09:00:00Z",
        "    session   s-1",
        f"    code      {'a' * 40} (dirty)",
        "    artifacts build.log",
        "    masked    2 × jwt",
        "    id        e-2",
        "    writer    w1",
        '    payload   command: "make\\ttest"',
        '              failing: ["결제", "b"]',
    ]


def test_nothing_of_an_event_reaches_the_terminal_unescaped() -> None:
    evil = "\x1b]0;owned\x07\u202e"
    one = event(
        1, evil, {"finding": evil, "reason": evil}, actor=evil, session=evil, artifacts=(evil,), at=evil, id=evil,
        extra={"masked": {evil: evil}}, writer=evil,
    )  # fmt: skip
    text = "\n".join(LogLines(in_full=True).of([one], NOW))
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_a_masked_field_that_is_no_mapping_is_passed_over() -> None:
    assert event_document(event(1, "x", {}, extra={"masked": "all"}))["masked"] == {}


def test_a_terminals_width_is_kept() -> None:
    one = event(1, "finding_noted", {"finding": "가" * 200})
    assert max(map(width, LogLines(Look(width=50)).of([one], NOW))) <= 50


def test_a_finding_that_is_a_whole_log_takes_one_line_and_is_whole_in_full() -> None:
    one = event(1, "finding_noted", {"finding": "가나다 " * 1000})
    (line,) = LogLines().of([one], NOW)
    assert width(line) < 260
    assert line.endswith("…")
    assert width(next(LogLines(in_full=True).of([one], NOW))) > 6000
