"""The fold: phases, fields, and that it can be continued anywhere."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import UsageError
from gitmem.model.event import PAYLOAD_FIELDS, Event, check_payload
from gitmem.model.run import continue_fold, fold
from gitmem.model.snapshot import (
    PHASES,
    Approach,
    Attempt,
    Decision,
    Failure,
    Finding,
    LastTest,
    Review,
    Session,
    Snapshot,
    Told,
    Uncommitted,
    from_plain,
    to_plain,
)

Telling = tuple[str, dict[str, object]]


def events(*told: str | Telling, actor: str = "codex") -> list[Event]:
    """Events from types, or from pairs of type and payload."""
    pairs = [(one, {}) if isinstance(one, str) else one for one in told]
    return [
        Event(
            f"c{seq}",
            seq,
            "w",
            f"e{seq}",
            "run-1",
            kind,
            "2026-07-13T09:00:00+09:00",
            actor,
            payload,
            code=f"{seq:040x}",
        )
        for seq, (kind, payload) in enumerate(pairs, 1)
    ]


def folded(*told: str | Telling) -> Snapshot:
    return fold(events(*told))


@pytest.mark.parametrize(
    ("told", "phase"),
    [
        ((), "created"),
        (("task_created",), "created"),
        (("task_created", "plan_approved"), "implementing"),
        (("plan_approved", "implementation_completed"), "reviewing"),
        (("implementation_completed", "review_passed"), "testing"),
        (("review_passed", "test_passed"), "tested"),
        (("implementation_completed", "review_failed"), "fixing"),
        (("review_failed", "implementation_completed"), "reviewing"),
        (("test_failed",), "failed_test"),
        (("test_failed", "implementation_completed"), "fixing"),
        (("test_failed", "commit_recorded"), "fixing"),
        (("plan_approved", "commit_recorded"), "implementing"),
        (("test_failed", "implementation_completed", "test_passed"), "tested"),
        (("plan_approved", "waiting_human"), "waiting_human"),
        (("plan_approved", "waiting_human", "human_answered"), "implementing"),
        (("plan_approved", "waiting_human", "implementation_completed"), "waiting_human"),
        (("plan_approved", "waiting_human", "implementation_completed", "human_answered"), "reviewing"),
        (("test_passed", "completed"), "completed"),
        (("test_passed", "completed", "commit_recorded"), "completed"),
        (("waiting_human", "abandoned"), "abandoned"),
        (("test_passed", "completed", "run_resumed"), "tested"),
        (("plan_approved", "run_paused"), "implementing"),
        (("plan_approved", "some_new_type"), "implementing"),
    ],
)
def test_phase(told: tuple[str, ...], phase: str) -> None:
    assert folded(*told).phase == phase


def test_a_failed_test_leaves_the_last_successful_step_to_resume_from() -> None:
    state = folded(
        "plan_approved",
        ("implementation_completed", {"changed_files": ["a.py", "b.py"], "artifact": "implementation.json"}),
        (
            "test_failed",
            {
                "command": "pytest",
                "exit_code": 1,
                "failing": ["T.x"],
                "failure_class": "agent_failure",
                "artifact": "log.txt",
            },
        ),
    )

    assert (state.last_successful_step, state.last_successful_seq, state.last_successful_event) == (
        "implementation",
        2,
        "c2",
    )
    assert state.last_successful_code == f"{2:040x}"
    assert state.last_test == LastTest("failed", "pytest", 3, f"{3:040x}")
    assert state.last_failure == Failure("test_failed", 3, "log.txt", "pytest", 1, "agent_failure", ("T.x",))
    assert state.last_artifact == "implementation.json"
    assert state.changed_files == ("a.py", "b.py")


def test_each_implementation_is_an_attempt() -> None:
    assert folded("implementation_completed", "review_failed", "implementation_completed").attempt == 2


def test_a_passed_test_ends_every_failure_and_a_passed_review_only_a_review_s() -> None:
    assert folded("test_failed", "test_passed").last_failure is None
    assert folded("review_failed", "review_passed").last_failure is None
    failure = folded("test_failed", "review_passed").last_failure
    assert failure is not None
    assert failure.type == "test_failed"


def test_findings_are_the_noted_ones_and_those_of_the_newest_review() -> None:
    state = folded(
        ("finding_noted", {"finding": "guard holds"}),
        ("review_failed", {"findings": ["not reset", {"file": "a.py", "message": "leaks"}, 3, {}]}),
        ("review_failed", {"findings": ["second"]}),
    )

    assert state.findings == (Finding("guard holds", 1), Finding("second", 3, of_review=True))
    assert state.last_failure is not None
    assert state.last_failure.findings == ("second",)
    first = folded(("review_failed", {"findings": [{"file": "a.py", "message": "leaks"}]}))
    assert [one.finding for one in first.findings] == ["a.py: leaks"]


def test_rejected_approaches_stay_until_adopted_after_all() -> None:
    state = folded(
        ("approach_rejected", {"approach": "debounce", "reason": "hides it"}),
        ("approach_rejected", {"approach": "lock"}),
        ("approach_adopted", {"approach": "guard", "reason": "small"}),
        ("approach_rejected", {"approach": "debounce"}),
    )

    assert state.rejected_approaches == (Approach("lock", None, 2), Approach("debounce", "hides it", 4))
    assert state.adopted_approach == Approach("guard", "small", 3)
    assert (
        fold(
            events(("approach_adopted", {"approach": "x"}), ("approach_rejected", {"approach": "x"}))
        ).adopted_approach
        is None
    )
    after_all = folded(("approach_rejected", {"approach": "x"}), ("approach_adopted", {"approach": "x"}))
    assert after_all.rejected_approaches == ()


def test_risks_are_noted_and_cleared() -> None:
    told: list[Telling] = [
        ("risk_noted", {"risk": "a"}),
        ("risk_noted", {"risk": "b"}),
        ("risk_cleared", {"risk": "a"}),
    ]

    assert folded(*told).remaining_risks == ("b",)


def test_a_session_is_told_by_its_events() -> None:
    state = folded(
        ("session_started", {"session": "s1", "agent": "claude-code", "model": "m"}),
        ("session_ended", {"session": "s1", "summary": "done", "used_memories": ["memory-1"]}),
        ("session_started", {"session": "s2"}),
    )

    assert state.sessions == (
        Session("s1", "claude-code", "m", 1, 2, "done", ("memory-1",)),
        Session("s2", "codex", None, 3),
    )
    assert state.current_agent == "codex"


def test_people_and_tools_are_not_the_current_agent() -> None:
    state = fold([*events("plan_approved"), *events("test_passed", "commit_recorded", actor="git")])

    assert state.current_agent == "codex"


def test_task_next_step_decisions_and_question() -> None:
    state = folded(
        ("task_created", {"task": "checkout", "goal": "no doubles", "allowed_files": ["a.py"]}),
        ("decision_recorded", {"decision": "guard in the view model", "reason": "one place"}),
        ("next_step_set", {"next_step": "review"}),
        ("waiting_human", {"question": "which?"}),
    )

    assert (state.task, state.goal, state.allowed_files) == ("checkout", "no doubles", ("a.py",))
    assert state.decisions == (Decision("guard in the view model", "one place", 2),)
    assert (state.next_step, state.waiting_human, state.question) == ("review", True, "which?")


def test_code_follows_commits_that_were_rewritten() -> None:
    old, new = f"{1:040x}", "f" * 40
    state = folded("plan_approved")
    assert (state.code, state.last_successful_code) == (old, old)

    rewritten = events("plan_approved", ("commits_rewritten", {"pairs": [[old, new]]}))
    rewritten[1] = rewritten[1]._replace(code=None)
    after = fold(rewritten)

    assert (after.code, after.last_successful_code) == (new, new)


def test_an_imported_state_is_taken_as_far_as_it_says_something() -> None:
    given_state = {
        "phase": "fixing",
        "attempt": 2,
        "task": "t",
        "changed_files": ["a"],
        "remaining_risks": ["r"],
        "goal": 3,
    }
    state = folded(("state_imported", {"snapshot": given_state}))

    assert (state.phase, state.attempt, state.task, state.changed_files, state.remaining_risks, state.goal) == (
        "fixing", 2, "t", ("a",), ("r",), None,
    )  # fmt: skip


ANY_VALUE: st.SearchStrategy[object] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
NAMES = sorted({name for fields in PAYLOAD_FIELDS.values() for name in fields})
SENSIBLE = st.sampled_from(["a", "b", "c"])
FIELD_VALUE = SENSIBLE | st.lists(SENSIBLE, max_size=3) | ANY_VALUE
PAYLOADS = st.dictionaries(st.sampled_from(NAMES), FIELD_VALUE, max_size=4)
TYPES = st.sampled_from([*PAYLOAD_FIELDS, "unknown_type"])
ACTORS = st.sampled_from(["human", "codex", "claude-code", "test-runner", "git"])


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    told = draw(st.lists(st.tuples(TYPES, ACTORS, PAYLOADS), max_size=12))
    return [
        Event(
            f"c{seq}",
            seq,
            "w",
            f"e{seq}",
            "run-1",
            kind,
            "",
            actor,
            payload,
            code=f"{seq:040x}" if seq % 3 else None,
        )
        for seq, (kind, actor, payload) in enumerate(told, 1)
    ]


@settings(deadline=None)
@given(histories(), st.data())
def test_a_fold_continued_is_the_fold_over_all(history: list[Event], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(history)))
    first = fold(history[:cut])
    before = dataclasses.replace(first)

    assert continue_fold(first, history[cut:]) == fold(history)
    assert first == before


@settings(deadline=None)
@given(histories())
def test_any_payload_folds_to_a_phase_that_exists_and_survives_a_cache(history: list[Event]) -> None:
    state = fold(history, run_id="run-1")

    assert state.phase in PHASES
    assert from_plain(to_plain(state)) == state
    hash(state)


@settings(deadline=None)
@given(histories(), st.integers())
def test_the_order_of_arrival_does_not_matter(history: list[Event], seed: int) -> None:
    def ordered(some: Sequence[Event]) -> list[Event]:
        return sorted(some, key=lambda event: event.order)

    written = [event._replace(writer="vw"[event.seq % 2], seq=(event.seq + 1) // 2) for event in history]
    shuffled = written[:]
    random.Random(seed).shuffle(shuffled)

    assert fold(ordered(shuffled)) == fold(ordered(written))


@pytest.mark.parametrize(
    ("event_type", "payload"),
    [
        ("task_created", {"task": 3}),
        ("implementation_completed", {"changed_files": "a.py"}),
        ("test_failed", {"exit_code": True}),
        ("commits_rewritten", {"pairs": [["a"]]}),
        ("memory_candidate", {"candidate": "x"}),
    ],
)
def test_a_field_of_a_wrong_type_is_refused_by_name(event_type: str, payload: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(payload))):
        check_payload(event_type, payload)


def test_no_field_is_required_and_unknown_ones_are_free() -> None:
    for event_type in PAYLOAD_FIELDS:
        check_payload(event_type, {})
        check_payload(event_type, {"something": object()})
    check_payload("my_own_type", {"task": 3})
    check_payload("task_created", {"task": None})


def test_attempts_tell_what_became_of_each() -> None:
    state = folded(
        "implementation_completed",
        ("review_failed", {"findings": ["no guard"], "artifact": "review.json"}),
        "implementation_completed",
        "review_passed",
        ("test_failed", {"command": "make test", "failing": ["t1", "t2"]}),
    )
    assert state.attempts == (
        Attempt(1, 1, "codex", None, "review_failed", 2, "no guard"),
        Attempt(2, 3, "codex", None, "test_failed", 5, "t1"),
    )
    assert state.reviews == (Review("review_failed", 2, "review.json", 1), Review("review_passed", 4))


def test_a_pause_lasts_until_the_run_is_resumed_or_ended() -> None:
    paused: Telling = ("run_paused", {"reason": "lunch"})
    assert (folded(paused).paused, folded(paused).pause_reason) == (True, "lunch")
    assert folded(paused, "finding_noted").paused
    for kind in ("run_resumed", "completed", "abandoned"):
        assert (folded(paused, kind).paused, folded(paused, kind).pause_reason) == (False, None)


def test_only_what_somebody_said_tells_the_state() -> None:
    told = folded(
        ("handoff_written", {"branch": "main"}), "commit_recorded", "memory_delivered", "my_own"
    ).told
    assert told == Told(1, "2026-07-13T09:00:00+09:00", f"{1:040x}", "main")


def test_rewritten_commits_are_followed_where_the_state_names_them() -> None:
    renamed: Telling = ("commits_rewritten", {"pairs": [[f"{1:040x}", "f" * 40]]})
    state = folded("plan_approved", renamed)
    assert state.told is not None
    assert (state.started_code, state.told.code) == ("f" * 40, "f" * 40)


def test_a_long_run_keeps_its_newest_attempts_and_counts_all() -> None:
    long = events(*["implementation_completed"] * 120)
    state = fold(long, run_id="run-1")
    assert state.attempt == 120
    assert [one.number for one in state.attempts] == list(range(71, 121))
    assert continue_fold(fold(long[:100], run_id="run-1"), long[100:]) == state


def passed_dirty(*later: tuple[str, Mapping[str, object], str]) -> Snapshot:
    told = (("test_passed", {}, "old"), *later)
    made = [
        Event(f"c{seq}", seq, "w", f"e{seq}", "run-1", kind, "", "git", payload, code=code, dirty=kind == "test_passed" or None)
        for seq, (kind, payload, code) in enumerate(told, 1)
    ]  # fmt: skip
    return fold(made, run_id="run-1")


def test_what_passed_on_uncommitted_changes_is_followed_by_the_next_commit_alone() -> None:
    state = passed_dirty()
    assert (state.last_successful_code, state.last_successful_dirty) == ("old", True)
    assert state.last_test == LastTest("passed", None, 1, "old", dirty=True)
    assert state.uncommitted == Uncommitted(1, "old", "w")
    assert from_plain(to_plain(state)) == state
    state = passed_dirty(
        ("commit_recorded", {"commit": "new"}, "new"), ("commit_recorded", {"commit": "newer"}, "newer")
    )
    assert (state.last_successful_code, state.last_successful_followed_by) == ("old", "new")
    assert state.uncommitted is None


def test_changes_amended_into_their_commit_still_came_after_the_old_one() -> None:
    amended = (
        ("commit_recorded", {"commit": "new"}, "new"),
        ("commits_rewritten", {"pairs": [["old", "new"]]}, "new"),
    )
    state = passed_dirty(*amended)
    assert (state.last_successful_code, state.last_successful_followed_by) == ("old", "new")
    state = passed_dirty(*amended, ("commits_rewritten", {"pairs": [["new", "newest"]]}, "newest"))
    assert (state.last_successful_code, state.last_successful_followed_by) == ("old", "newest")


def test_a_clean_work_tree_has_nothing_left_behind() -> None:
    assert passed_dirty(("session_ended", {}, "old")).uncommitted is not None
    made = [
        Event(
            f"c{seq}", seq, "w", f"e{seq}", "run-1", "session_ended", "", "codex", {}, code="old", dirty=dirty
        )
        for seq, dirty in enumerate((True, False), 1)
    ]
    assert fold(made, run_id="run-1").uncommitted is None


def test_another_clones_clean_work_tree_or_commit_says_nothing_of_what_was_left() -> None:
    made = [
        Event("c1", 1, "w", "e1", "run-1", "session_ended", "", "codex", {}, code="old", dirty=True),
        Event("c2", 2, "v", "e2", "run-1", "handoff_written", "", "codex", {}, code="old", dirty=False),
        Event("c3", 3, "v", "e3", "run-1", "commit_recorded", "", "git", {"commit": "new"}, code="new"),
    ]
    assert fold(made, run_id="run-1").uncommitted == Uncommitted(1, "old", "w")


def test_the_end_and_the_next_step_say_when_they_were_told() -> None:
    state = passed_dirty(("next_step_set", {"next_step": "go"}, "old"), ("completed", {}, "old"))
    assert (state.next_step_seq, state.ended_seq) == (2, 3)
    state = passed_dirty(("completed", {}, "old"), ("run_resumed", {}, "old"))
    assert state.ended_seq is None
    state = passed_dirty(("state_imported", {"snapshot": {"next_step": "go"}}, "old"))
    assert (state.next_step, state.next_step_seq) == ("go", 2)
