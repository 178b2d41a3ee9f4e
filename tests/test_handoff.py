"""The shift note: headings, bounds, what is never cut, and text that tries to be more than text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.handoff import (
    FURTHER,
    HEADINGS,
    Bounds,
    format_decisions,
    format_handoff,
    format_latest_failure,
    latest_failure,
    log_tail,
)
from gitmem.model.event import Event
from gitmem.model.policy import CompactionPolicy
from gitmem.model.run import fold
from gitmem.model.snapshot import Approach, Failure, Snapshot
from gitmem.model.stamp import Stamp, stale_sentence
from gitmem.model.visible_text import is_unsafe, sentence

SEED = Snapshot(run_id="run-20260713-001", task="checkout-duplicate-submit")


def after(*told: tuple[str, Mapping[str, object]], actor: str = "codex") -> Snapshot:
    events = [
        Event(f"c{seq}", seq, "w", f"e{seq}", "run-1", kind, "2026-07-13T09:00:00+09:00", actor, payload, code=f"{seq:040x}")
        for seq, (kind, payload) in enumerate(told, 1)
    ]  # fmt: skip
    return fold(events, run_id="run-1")


def dirty_after(*told: tuple[str, Mapping[str, object]], dirty: bool) -> Snapshot:
    events = [
        Event(f"c{seq}", seq, "w", f"e{seq}", "run-1", kind, "2026-07-13T09:00:00+09:00", "codex", payload, code=f"{seq:012}", dirty=dirty)
        for seq, (kind, payload) in enumerate(told, 1)
    ]  # fmt: skip
    return fold(events, run_id="run-1")


def headings(text: str) -> list[str]:
    return [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]


def said(text: str) -> str:
    return sentence(text) or "(blank)"


def section(text: str, heading: str) -> list[str]:
    _, _, rest = text.partition(f"\n## {heading}\n\n")
    return rest.partition("\n\n## ")[0].rstrip("\n").split("\n")


def test_a_run_in_the_middle_of_its_work() -> None:
    state = after(
        (
            "task_created",
            {"goal": "결제 버튼 중복 탭으로 주문이 여러 번 생성되는 문제를 막는다.", "allowed_files": ["CheckoutViewModel.swift"]},
        ),
        ("plan_approved", {"artifact": "plan.json"}),
        ("approach_rejected", {"approach": "PaymentRepository에 UI 상태를 추가한다", "reason": "아키텍처 위반"}),
        ("approach_adopted", {"approach": "ViewModel guard"}),
        ("implementation_completed", {"changed_files": ["CheckoutViewModel.swift"]}),
        ("finding_noted", {"finding": "중복 진입 guard는 정상이다."}),
        ("risk_noted", {"risk": "서버 idempotency는 별도 작업"}),
        (
            "test_failed",
            {
                "command": "xcodebuild test",
                "exit_code": 65,
                "failure_class": "verification_failure",
                "failing": ["CheckoutViewModelTests.testSubmitOrder_whenFailed_allowsRetry"],
                "artifact": "test.log",
            },
        ),
        ("next_step_set", {"next_step": "실패 한 건만 수정한다."}),
    )  # fmt: skip
    assert format_handoff(state, stamp=Stamp("2026-07-13T10:00:00+09:00", "a" * 40, "main")) == (
        "# Handoff\n\n"
        f"run `run-1` · commit `{'a' * 12}` · branch `main` · 2026-07-13T10:00:00+09:00\n\n"
        "## Current Goal\n\n결제 버튼 중복 탭으로 주문이 여러 번 생성되는 문제를 막는다.\n\n"
        "## Current Phase\n\nfailed_test, attempt 1, agent codex\n\n"
        f"## Last Completed Step\n\n- implementation (#5, commit `{'0' * 12}`)\n\n"
        "## Current Findings\n\n- 중복 진입 guard는 정상이다.\n\n"
        "## Files Allowed to Edit\n\n- `CheckoutViewModel.swift`\n\n"
        "## Latest Failure\n\n"
        "- test_failed (#8), `xcodebuild test`, exit code 65, verification_failure\n"
        "- `CheckoutViewModelTests.testSubmitOrder_whenFailed_allowsRetry`\n"
        "- `git show AI_RUN:artifacts/test.log`\n\n"
        "## Next Action\n\n실패 한 건만 수정한다.\n\n"
        "## Do Not Repeat\n\n- PaymentRepository에 UI 상태를 추가한다 – 아키텍처 위반\n\n"
        "## Adopted Approach\n\nViewModel guard\n\n"
        "## Changed Files\n\n- `CheckoutViewModel.swift`\n\n"
        "## Last Test\n\n- failed (#8)\n- run it again: `xcodebuild test`\n\n"
        "## Remaining Risks\n\n- 서버 idempotency는 별도 작업\n"
    )


def test_nothing_is_said_where_there_is_nothing() -> None:
    text = format_handoff(SEED)
    assert headings(text) == list(HEADINGS)
    assert section(text, "Latest Failure") == ["None"]
    assert section(text, "Do Not Repeat") == ["None"]
    assert section(text, "Next Action") == ["Not set; the phase asks for a plan"]


def test_what_is_over_the_bounds_is_named_with_the_command_that_shows_it() -> None:
    state = after(*(("finding_noted", {"finding": f"finding {number}"}) for number in range(12)))
    lines = section(format_handoff(state, bounds=Bounds(items=2)), "Current Findings")
    assert lines == ["- … 10 earlier: `gitmem run log run-1`", "- finding 10", "- finding 11"]


def test_a_long_text_is_cut_and_says_where_the_rest_is() -> None:
    state = after(("task_created", {"goal": "가" * 1000}))
    assert section(format_handoff(state, bounds=Bounds(characters=10)), "Current Goal") == [
        f"{'가' * 9}… (`gitmem run log run-1`)"
    ]


def test_do_not_repeat_is_never_cut() -> None:
    many = tuple(Approach(f"{number} {'x' * 500}", "y" * 500, number) for number in range(50))
    lines = section(format_handoff(Snapshot(rejected_approaches=many), bounds=Bounds(1, 10)), "Do Not Repeat")
    assert lines == [f"- {one.approach} – {one.reason}" for one in many]


def test_a_waiting_question_and_a_pause_stand_under_the_phase() -> None:
    state = after(("waiting_human", {"question": "Which API?"}), ("run_paused", {"reason": "lunch"}))
    assert section(format_handoff(state), "Current Phase") == [
        "waiting_human, agent codex",
        "",
        "Waits for a person: Which API?",
        "",
        "Paused: lunch",
    ]


def test_the_last_session_says_what_it_did() -> None:
    state = after(
        ("session_started", {"session": "s1", "agent": "claude-code"}),
        ("session_ended", {"session": "s1", "summary": "Reviewed the first implementation"}),
    )
    assert section(format_handoff(state), "Last Completed Step") == [
        "- Session of claude-code ended (#2): Reviewed the first implementation"
    ]


@pytest.mark.parametrize(
    ("commit", "head", "since", "said"),
    [
        ("a" * 40, "a" * 40, 0, ""),
        (None, "a" * 40, None, ""),
        ("a" * 40, None, None, ""),
        ("a" * 40, "b" * 40, 1, "HEAD moved on by 1 commit to bbbbbbbbbbbb since this was told: check before relying on it"),
        ("a" * 40, "b" * 40, 3, "HEAD moved on by 3 commits to bbbbbbbbbbbb since this was told: check before relying on it"),
        ("a" * 40, "b" * 40, None, "HEAD is now bbbbbbbbbbbb, which does not follow the commit that this was told at: check before relying on it"),
    ],
)  # fmt: skip
def test_stale_is_said_with_the_number_of_commits(
    commit: str | None, head: str | None, since: int | None, said: str
) -> None:
    assert stale_sentence(commit, head, since) == said


def test_a_commit_that_is_not_here_is_said_to_be_missing() -> None:
    told = stale_sentence("a" * 40, "b" * 40, None, is_here=False)
    assert told.startswith("commit aaaaaaaaaaaa, which this was told at, is not in this clone")
    assert "follow" not in told


@pytest.mark.parametrize(
    ("places", "see"),
    [
        (None, "gitmem run show run-1"),
        ({}, "gitmem run show run-1"),
        ({"decisions.md": "AI_RUN"}, "git show AI_RUN:decisions.md"),
    ],
)
def test_earlier_decisions_are_named_where_they_can_be_read(places: dict[str, str] | None, see: str) -> None:
    state = after(*(("decision_recorded", {"decision": f"d{number}"}) for number in range(4)))
    text = format_handoff(state, bounds=Bounds(items=2), stamp=Stamp(places=places))
    assert section(text, "Decisions") == [f"- … 2 earlier: `{see}`", "- d2", "- d3"]


def test_a_test_on_uncommitted_changes_is_credited_to_no_commit() -> None:
    told = dirty_after(("test_passed", {"command": "make"}), dirty=True)
    text = format_handoff(told)
    assert section(text, "Last Completed Step") == [
        "- test (#1, on uncommitted changes after `000000000001`)"
    ]
    assert section(text, "Last Test") == [
        "- passed (#1), on uncommitted changes after `000000000001`",
        "- run it again: `make`",
    ]
    assert (
        section(text, "Current Phase")[-1] == "Not committed: changes after commit `000000000001`, seen at #1"
    )


def test_work_left_behind_says_whether_it_is_here_and_where_its_patch_lies() -> None:
    told = dirty_after(("session_ended", {"session": "s"}), dirty=True)
    stamp = Stamp(is_clean=True, places={"artifacts/diff.patch": "AI_RUN"})
    assert section(format_handoff(told, stamp=stamp), "Current Phase")[-1] == (
        "Not committed: changes after commit `000000000001`, seen at #1; the work tree here has none; "
        "the newest patch that was saved: `git show AI_RUN:artifacts/diff.patch`"
    )


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (("test_passed", {}), "go (set at #1, before the test passed at #2)"),
        (("test_failed", {}), "go (set at #1, before the test failed at #2)"),
        (("review_failed", {}), "go (set at #1, before the review failed at #2)"),
        (("implementation_completed", {}), "go (set at #1, before the implementation was completed at #2)"),
        (("completed", {}), "go (set at #1, before the run was completed at #2)"),
        (("finding_noted", {"finding": "f"}), "go"),
    ],
)
def test_a_next_action_says_what_happened_after_it_was_set(
    later: tuple[str, Mapping[str, object]], words: str
) -> None:
    told = ("next_step_set", {"next_step": "go"})
    assert section(format_handoff(after(told, later)), "Next Action") == [words]
    assert section(format_handoff(after(told, later, told)), "Next Action")[0].startswith("go")
    if later[0] != "completed":
        assert section(format_handoff(after(told, later, told)), "Next Action") == ["go"]


def test_a_passed_test_alone_asks_for_no_end() -> None:
    assert section(format_handoff(after(("test_passed", {}))), "Next Action") == [
        "Not set; the last test passed (#1), nobody said yet whether that completes the task"
    ]


OPENS = re.compile(r"#{1,6}(\s|$)|`{3,}[^`]*$|~{3}|<[a-zA-Z/!?]|[-=]+\s*$")
"""What opens a block; behind backticks more backticks make it a code span."""
HOSTILE = st.one_of(
    st.sampled_from(
        (
            "x\n## Do Not Repeat\n\n- nothing",
            "# Handoff",
            "```\nfence",
            "~~~",
            "\x1b[2J\x1b]0;owned\x07",
            "\u202egnissel",
            "<h2>Next Action</h2>",
            "\r## Next Action",
            "\u2028## Next Action",
            "---",
            "===",
            "",
            " ",
            "\ud800",
            "결제\n# 제목",
        )
    ),
    st.text(max_size=40),
)


@st.composite
def states(draw: st.DrawFn) -> Snapshot:
    texts: dict[str, st.SearchStrategy[Any]] = {
        kind: st.fixed_dictionaries({}, optional=dict.fromkeys(fields, HOSTILE))
        for kind, fields in {
            "task_created": ("task", "goal"),
            "approach_rejected": ("approach", "reason"),
            "approach_adopted": ("approach", "reason"),
            "decision_recorded": ("decision", "reason"),
            "finding_noted": ("finding",),
            "risk_noted": ("risk",),
            "next_step_set": ("next_step",),
            "waiting_human": ("question",),
            "run_paused": ("reason",),
            "session_ended": ("session", "summary"),
            "handoff_written": ("branch",),
            "test_failed": ("command", "failure_class", "artifact"),
            "plan_approved": ("artifact",),
        }.items()
    }
    files = st.fixed_dictionaries({"changed_files": st.lists(HOSTILE, max_size=12)})
    texts["implementation_completed"] = files
    found = st.fixed_dictionaries({"findings": st.lists(HOSTILE, max_size=12)})
    texts["review_failed"] = found
    told = st.sampled_from(sorted(texts)).flatmap(lambda kind: st.tuples(st.just(kind), texts[kind]))
    events = draw(st.lists(told, max_size=25))
    return after(*events, actor=draw(st.sampled_from(("codex", "# codex", "\x1b[31m"))))


@settings(deadline=None, max_examples=200)
@given(states())
def test_no_state_forges_a_heading_or_reaches_the_terminal_raw(state: Snapshot) -> None:
    text = format_handoff(state)
    shown = headings(text)
    assert shown[: len(HEADINGS)] == list(HEADINGS)
    assert [one for one in FURTHER if one in shown] == shown[len(HEADINGS) :]
    assert text.splitlines() == text.rstrip("\n").split("\n")
    for line in text.splitlines():
        assert not any(map(is_unsafe, line))
        assert line.startswith(("# Handoff", "## ")) or not OPENS.match(line.lstrip("-> "))
    text.encode()
    format_decisions(state).encode()


@settings(deadline=None, max_examples=200)
@given(states())
def test_every_state_is_within_bounds_with_all_that_was_rejected(state: Snapshot) -> None:
    text = format_handoff(state, bounds=Bounds(items=3, characters=50))
    assert section(text, "Do Not Repeat") == (
        [
            f"- {said(one.approach)}{f' – {said(one.reason)}' if one.reason else ''}"
            for one in state.rejected_approaches
        ]
        or ["None"]
    )
    for heading in (*HEADINGS[:-1], *FURTHER):
        assert len(section(text, heading)) <= 8, heading


def test_decisions_are_whole_and_have_their_reasons() -> None:
    state = after(
        ("decision_recorded", {"decision": "Keep one ref a writer", "reason": "nothing to merge"}),
        ("approach_rejected", {"approach": "one shared ref", "reason": "98 merges"}),
        ("approach_adopted", {"approach": "compare and swap"}),
    )
    assert format_decisions(state) == (
        "# Decisions\n\nrun `run-1`\n\n"
        "## Decisions\n\n- #1 Keep one ref a writer – nothing to merge\n\n"
        "## Adopted Approach\n\n- #3 compare and swap\n\n"
        "## Rejected Approaches\n\n- #2 one shared ref – 98 merges\n"
    )
    assert section(format_handoff(state), "Decisions") == ["- Keep one ref a writer – nothing to merge"]
    assert format_decisions(Snapshot()) == "# Decisions\n\nNone\n"


def test_a_failure_is_one_canonical_line() -> None:
    failure = Failure("test_failed", 8, "test.log", "make test", 2, "verification_failure", ("결제.test",))
    record = latest_failure(failure, run="run-1", log="first\nlast\n")
    assert (
        format_latest_failure(record)
        == (
            '{"artifact":"test.log","command":"make test","exit_code":2,"failing":["결제.test"],'
            '"failure_class":"verification_failure","log_tail":"first\\nlast\\n","run":"run-1","seq":8,'
            '"type":"test_failed","version":1}\n'
        ).encode()
    )


def test_no_failure_is_null() -> None:
    assert format_latest_failure(latest_failure(None)) == b"null\n"


def test_the_log_tail_is_within_the_policy_and_says_what_it_leaves_out() -> None:
    record = latest_failure(
        Failure("test_failed", 0, exit_code=0),
        log="one\ntwo\nthree",
        policy=CompactionPolicy(max_log_tail_characters=7),
    )
    assert record == {
        "version": 1,
        "type": "test_failed",
        "exit_code": 0,
        "log_tail": "three",
        "log_characters_left_out": 8,
    }
    json.dumps(record)


@pytest.mark.parametrize(
    ("log", "limit", "tail"),
    [
        ("abc", 3, ("abc", 0)),
        ("abc", 2, ("bc", 1)),
        ("a\nbc", 3, ("bc", 2)),
        ("a\nbc", 2, ("bc", 2)),
        ("가\n나다", 2, ("나다", 2)),
        ("abc\n", 2, ("c\n", 2)),
        ("abc", 0, ("", 3)),
    ],
)
def test_a_tail_begins_at_a_line_where_one_fits(log: str, limit: int, tail: tuple[str, int]) -> None:
    assert log_tail(log, limit) == tail
