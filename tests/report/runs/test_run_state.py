from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from gitmem.model.snapshot import (
    Approach,
    Decision,
    Failure,
    Finding,
    LastTest,
    Session,
    Snapshot,
    Uncommitted,
)
from gitmem.report.runs.run_state import resumable_document, resumable_lines, run_document, run_lines
from gitmem.usecases.runs.showing import ShownRun
from gitmem.usecases.runs.switching import Resumable, checkpoint_of

if TYPE_CHECKING:
    from gitmem.store.ledger import Run

NOW = datetime(2026, 7, 13, 12, 0, tzinfo=UTC)
FULL = Snapshot(
    run_id="run-1",
    task="결제-중복",
    goal="An order is sent once",
    phase="waiting_human",
    attempt=2,
    last_successful_step="implementation",
    last_successful_seq=7,
    last_successful_code="a" * 40,
    next_step="send the key",
    changed_files=("a.py",),
    allowed_files=("src/**",),
    last_test=LastTest("failed", "pytest -q", 9),
    last_failure=Failure("test_failed", 9, "test.log", "pytest -q", 1, "agent_failure", ("t::a", "t::b")),
    findings=(Finding("the gateway drops it", 3),),
    decisions=(Decision("stay in the client", "no gateway", 4),),
    adopted_approach=Approach("a key", None, 5),
    rejected_approaches=(Approach("disable", "too late", 6), Approach("wait", None, 6)),
    remaining_risks=("deploys",),
    waiting_human=True,
    question="may I?",
    sessions=(Session("s-1", "codex", "m", 2, None, None, ("m-1",)),),
    code="b" * 40,
    plan="plan.json",
    paused=True,
    pause_reason="lunch",
)


def shown(state: Snapshot) -> ShownRun:
    return ShownRun("refs/ai/runs/run-1/w1", state, 12, ("w1", "w2"), "2026-07-13T11:00:00Z", None, ("odd",))


def test_the_state_in_full_for_people() -> None:
    assert list(run_lines(shown(FULL), NOW)) == [
        "run-1  결제-중복",
        "goal      An order is sent once",
        "phase     waiting_human, attempt 2",
        "paused    lunch",
        "events    12 events of 2 writers, last 1 h ago",
        "waits     for a person: may I? (gitmem run answer TEXT)",
        "last step #7 implementation, commit aaaaaaaaaaaa",
        "failure   #9 test_failed: pytest -q: t::a, t::b (exit code 1, agent_failure) – see test.log",
        "next      send the key",
        "adopted   a key",
        "rejected  disable – too late",
        "          wait",
        "decided   stay in the client – no gateway",
        "found     the gateway drops it",
        "risks     deploys",
        "may edit  src/**",
        "changed   a.py",
        "last test failed (#9): pytest -q",
        "plan      plan.json",
        "sessions  s-1 (codex, m, open, used m-1)",
        f"code      {'b' * 40}",
        "problem   odd",
        "git log --glob='refs/ai/runs/run-1'",
    ]


def test_a_new_run_says_only_what_there_is_to_say() -> None:
    one = ShownRun("r", Snapshot(run_id="run-1", task="t"), 1, ("w1",), "2026-07-13T12:00:00Z", None, ())
    assert list(run_lines(one, NOW)) == [
        "run-1  t",
        "phase     created",
        "events    1 event, last just now",
        "git log --glob='refs/ai/runs/run-1'",
    ]


ON_CHANGES = Snapshot(
    run_id="run-1",
    task="t",
    phase="tested",
    last_successful_step="test",
    last_successful_seq=5,
    last_successful_code="a" * 40,
    last_successful_dirty=True,
    next_step="go",
    next_step_seq=3,
    last_test=LastTest("passed", "make", 5, "a" * 40, dirty=True),
    uncommitted=Uncommitted(6, "a" * 40, "w1"),
    started_code="a" * 40,
    code="b" * 40,
)


def resumed(state: Snapshot) -> Resumable:
    run = cast("Run", SimpleNamespace(id="run-1"))
    return Resumable(run, "refs/ai/runs/run-1/w1", state, checkpoint_of(state))


def test_what_passed_on_uncommitted_changes_is_said_to() -> None:
    lines = list(run_lines(shown(ON_CHANGES), NOW))
    assert "last step #5 test, on uncommitted changes after aaaaaaaaaaaa" in lines
    assert "left      not committed: changes after commit aaaaaaaaaaaa, seen at #6" in lines
    assert "next      go (set at #3, before the test passed at #5)" in lines
    assert "last test passed (#5, on uncommitted changes after aaaaaaaaaaaa): make" in lines
    followed = replace(ON_CHANGES, last_successful_followed_by="b" * 40)
    assert (
        "last step #5 test, on uncommitted changes after aaaaaaaaaaaa; commit bbbbbbbbbbbb was recorded next"
        in list(run_lines(shown(followed), NOW))
    )


def test_going_on_says_on_which_code() -> None:
    assert list(resumable_lines(resumed(ON_CHANGES))) == [
        "run-1  t  tested",
        "resume at #5 test, on uncommitted changes after aaaaaaaaaaaa",
        "left      not committed: changes after commit aaaaaaaaaaaa, seen at #6",
        "next      go (set at #3, before the test passed at #5)",
    ]
    assert resumable_document(resumed(ON_CHANGES))["checkpoint"] == {
        "seq": 5,
        "step": "test",
        "commit": "a" * 40,
        "dirty": True,
        "followed_by": None,
    }


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (None, "the beginning: no step has succeeded yet"),
        ("a" * 40, "the beginning: no step has succeeded yet"),
        (
            "b" * 40,
            "commit bbbbbbbbbbbb, the newest that is recorded, begun at aaaaaaaaaaaa: no step has succeeded yet",
        ),
    ],
)
def test_without_a_step_the_work_goes_on_at_the_newest_commit(code: str | None, said: str) -> None:
    state = Snapshot(run_id="run-1", code=code, started_code="a" * 40)
    assert list(resumable_lines(resumed(state)))[1] == f"resume at {said}"


def test_the_document_has_the_fields_of_the_domain_rules() -> None:
    document = run_document(shown(FULL))
    assert document["last_test"] == {
        "status": "failed",
        "command": "pytest -q",
        "seq": 9,
        "code": None,
        "dirty": None,
    }
    assert document["rejected_approaches"][0] == {"approach": "disable", "reason": "too late", "seq": 6}
    assert document["sessions"][0]["used_memories"] == ["m-1"]
    wanted = (
        "run_id task goal phase current_agent attempt last_successful_step last_successful_seq next_step changed_files"
        " allowed_files last_test last_failure last_artifact findings decisions adopted_approach rejected_approaches"
        " remaining_risks waiting_human sessions code events writers"
    )
    assert set(wanted.split()) - document.keys() == set()
    assert (document["events"], document["writers"]) == (12, ["w1", "w2"])
    assert "underlying_phase" not in document


def test_nothing_of_a_state_reaches_the_terminal_unescaped() -> None:
    evil = "\x1b[2J\u202e\n"
    state = Snapshot(
        run_id="run-1",
        task=evil,
        goal=evil,
        next_step=evil,
        changed_files=(evil,),
        allowed_files=(evil,),
        last_test=LastTest("failed", evil, 1),
        last_failure=Failure("test_failed", 1, evil, evil, 1, evil, (evil,), (evil,)),
        findings=(Finding(evil, 1),),
        decisions=(Decision(evil, evil, 1),),
        rejected_approaches=(Approach(evil, evil, 1),),
        remaining_risks=(evil,),
        waiting_human=True,
        question=evil,
        last_artifact=evil,
        plan=evil,
        paused=True,
        pause_reason=evil,
        sessions=(Session(evil, evil, evil, 1, None, evil, (evil,)),),
    )
    text = "".join(run_lines(shown(state)._replace(problems=(evil,)), NOW))
    assert not {"\x1b", "\u202e", "\n"} & set(text)
