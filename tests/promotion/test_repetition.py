"""Known, proposed, denied, near or against: what a lesson is to what was said before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitmem.model.candidate import Candidate, Decision
from gitmem.model.memory import Kind, Memory, Origin, Scope, Status
from gitmem.promotion.repetition import MOST_SIMILAR, KnownFacts

RETRY = "Repository manages the retry policy"
KOREAN = "비동기 제출 함수는 ViewModel에서 중복 진입을 막는다"


def lesson(summary: str = RETRY, name: str = "candidate-new", *paths: str, **fields: object) -> Memory:
    made = Memory(name, "", Kind.NOTE, None, Status.CANDIDATE, summary, scope=Scope(paths))
    return replace(made, **fields)  # type: ignore[arg-type]  # fields of a memory


def approved(summary: str = RETRY, name: str = "m-021", status: Status = Status.ACTIVE) -> Memory:
    return lesson(summary, name, "src/**", status=status)


def candidate(
    name: str = "c-001", decision: str = "", summary: str = RETRY, became: str | None = None
) -> Candidate:
    decided = (Decision(name, decision, "kim", "2026-07-13", "no", became),) if decision else ()
    return Candidate(lesson(summary, name), "run-1", "a" * 40, decisions=decided)


@pytest.mark.parametrize("summary", [RETRY, KOREAN])
@pytest.mark.parametrize("status", [Status.ACTIVE, Status.CHALLENGED])
def test_what_an_approved_memory_says_is_a_repetition(summary: str, status: Status) -> None:
    facts = KnownFacts([approved(summary, status=status)], candidates=[candidate(summary=summary)])
    answer = facts.answer(lesson(f"{summary}."))
    assert (answer.repeats, answer.waits, answer.is_new) == ("m-021", None, False)


@pytest.mark.parametrize("status", [Status.DEPRECATED, Status.ARCHIVED, Status.DENIED])
def test_what_only_a_retired_memory_says_is_new(status: Status) -> None:
    assert KnownFacts([approved(status=status)]).answer(lesson()).is_new


def test_what_was_superseded_is_no_repetition() -> None:
    assert KnownFacts([approved()], superseded=["m-021"]).answer(lesson()).is_new


@pytest.mark.parametrize("decision", ["", "hold", "proposed"])
def test_what_an_open_or_proposed_candidate_says_waits(decision: str) -> None:
    assert KnownFacts(candidates=[candidate(decision=decision)]).answer(lesson()).waits == "c-001"


def test_a_proposal_whose_memory_was_retired_waits_no_longer() -> None:
    facts = KnownFacts(
        [approved("Something else entirely, long gone", "m-9", Status.ARCHIVED)],
        candidates=[candidate(decision="proposed", became="m-9")],
    )
    assert facts.answer(lesson()).is_new


def test_what_was_withdrawn_may_be_said_again() -> None:
    assert KnownFacts(candidates=[candidate(decision="withdrawn")]).answer(lesson()).is_new


@pytest.mark.parametrize(
    "words", [RETRY, "the Repository manages the retry policy!", "Repository manages retry policy"]
)
def test_what_was_denied_and_what_is_nearly_it_is_told(words: str) -> None:
    answer = KnownFacts(candidates=[candidate(decision="denied")]).answer(lesson(words))
    assert answer.denied is not None
    assert (answer.denied.id, answer.is_new) == ("c-001", False)


def test_a_denial_elsewhere_denies_nothing_here() -> None:
    told = candidate(decision="denied")
    denied = replace(told, memory=replace(told.memory, scope=Scope(("legacy/**",))))
    assert KnownFacts(candidates=[denied]).answer(lesson(RETRY, "c", "src/**")).denied is None


def test_the_contrary_of_what_was_denied_is_not_denied() -> None:
    facts = KnownFacts(candidates=[candidate(decision="denied")])
    assert facts.answer(lesson("Repository does not manage the retry policy")).is_new


def test_another_name_in_the_same_place_is_a_conflict_that_nobody_resolved() -> None:
    answer = KnownFacts([approved()]).answer(lesson("UseCase manages the retry policy", "c", "src/**"))
    ((existing, reason, _),) = answer.conflicts
    assert (existing, answer.is_new) == ("m-021", True)
    assert "UseCase" in reason
    assert "Repository" in reason


def test_what_it_supersedes_is_not_held_against_it() -> None:
    said = lesson("UseCase manages the retry policy", "c", "src/**", supersedes=("m-021",))
    answer = KnownFacts([approved()]).answer(said)
    assert (answer.conflicts, answer.similar_to) == ((), ())


def test_what_is_proposed_by_a_file_alone_is_told_and_stored_all_the_same() -> None:
    answer = KnownFacts(proposed=[approved()]).answer(lesson())
    assert answer.is_new
    assert [one.id for one in answer.similar_to] == ["m-021"]


def test_the_file_of_a_candidate_is_not_told_beside_it() -> None:
    filed = replace(approved(), origin=Origin(candidate="c-001"))
    facts = KnownFacts(proposed=[filed], candidates=[candidate()])
    assert facts.answer(lesson("Repository manages the retry policy and its limits")).similar_to[1:] == ()


def test_what_was_stored_since_counts() -> None:
    facts = KnownFacts()
    facts.add(lesson(name="c-002"))
    assert facts.answer(lesson()).waits == "c-002"


def test_few_neighbours_are_told_nearest_first() -> None:
    known = [approved(f"Repository manages the retry policy of queue{n}x", f"m-{n:03}") for n in range(9)]
    answer = KnownFacts(known).answer(lesson("Repository manages the retry policy of", "c", "docs/**"))
    found = [one.similarity for one in answer.similar_to]
    assert len(found) <= MOST_SIMILAR
    assert found == sorted(found, reverse=True)
