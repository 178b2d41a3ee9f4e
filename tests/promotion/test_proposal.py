from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from gitmem.model.candidate import Candidate, Decision
from gitmem.model.ids import is_memory_id
from gitmem.model.memory import Memory, Scope
from gitmem.model.policy import MemoryPolicy
from gitmem.promotion.proposal import folder_of, memory_id_of, proposed_memory
from tests.support.candidates import LESSON, lesson

TODAY = date(2026, 7, 20)


def held(memory: Memory = LESSON, *decisions: Decision) -> Candidate:
    return Candidate(
        memory, "run-1", "a" * 40, at="2026-07-13T23:30:00+09:00", actor="codex", decisions=decisions
    )


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Orders are sent once", "orders-are-sent-once"),
        ("Ça va: café & co. (v2)", "ca-va-cafe-co-v2"),
        ("주문은 한 번만 보낸다", "memory-20260713"),
        ("API 호출은 한 번", "memory-20260713"),
        ("재시도", "memory-20260713"),
        ("注文は一度だけ", "memory-20260713"),
        ("../../etc/passwd", "etc-passwd"),
        ("-", "memory-20260713"),
        (None, "memory-20260713"),
        ("word " * 40, "word-word-word-word-word-word-word-word-word-word-word-word"),
        ("x" * 200, "x" * 60),
    ],
)
def test_an_id_is_a_slug_of_the_title_or_the_day(title: str | None, stem: str) -> None:
    made = memory_id_of(held(lesson(title=title)), ())
    assert made.rpartition("-")[0] == stem
    assert len(made.rpartition("-")[2]) == 5
    assert is_memory_id(made)


def test_one_candidate_gives_one_id_and_another_gives_another() -> None:
    ids = {memory_id_of(held(lesson(f"candidate-{number}")), ()) for number in range(200)}
    assert len(ids) == 200
    assert memory_id_of(held(), ()) == memory_id_of(held(lesson(summary="Said in other words")), ())


def test_an_id_that_another_memory_has_is_left_to_it() -> None:
    first = memory_id_of(held(), ())
    second = memory_id_of(held(), {first})
    assert second != first
    assert memory_id_of(held(), {first, second}) not in {first, second}


@pytest.mark.parametrize(
    ("elements", "type_name", "folder"),
    [
        (("API Gateway",), "module_constraint", "api-gateway"),
        (("결제",), "module_constraint", "module-constraint"),
        (("결제", "Checkout"), "module_constraint", "checkout"),
        ((), "security_rule", "security-rule"),
        ((), None, "notes"),
        (("../..",), "../x", "notes"),
    ],
)
def test_the_folder_is_the_elements_or_the_types(
    elements: tuple[str, ...], type_name: str | None, folder: str
) -> None:
    memory = lesson(scope=Scope(elements=elements), type=type_name)
    assert folder_of(memory, ()) == folder


def test_a_folder_in_another_letter_case_is_the_same_folder() -> None:
    assert folder_of(lesson(scope=Scope(elements=("Gateway",))), ["GateWay", "other"]) == "GateWay"


def test_dates_that_the_candidate_names_stay() -> None:
    said = lesson(type="temporary_workaround", expires_at=date(2026, 9, 1), review_after=date(2026, 8, 1))
    made = proposed(held(said))
    assert (made.expires_at, made.review_after) == (date(2026, 9, 1), date(2026, 8, 1))


def test_retention_counts_on_from_confirmations_so_no_review_date_is_written() -> None:
    assert proposed(held(lesson(type="verified_fix_pattern"))).review_after is None


def test_provenance_is_kept_and_completed() -> None:
    said = lesson(origin=replace(LESSON.origin, source_events=("b" * 40,), failure_class="agent_failure"))
    made = proposed(held(said))
    assert (made.origin.run, made.origin.candidate, made.origin.source_events, made.origin.failure_class) == (
        "run-1", LESSON.id, ("b" * 40,), "agent_failure",
    )  # fmt: skip
    assert (made.created_by, str(made.created_at)) == ("codex", "2026-07-13 23:30:00+09:00")


def test_what_it_supersedes_is_said_once() -> None:
    answered = Decision(LESSON.id, "superseded", "human", "2026-07-14T10:00:00+09:00", memory="m-001")
    made = proposed(held(lesson(supersedes=("Old words", "m-002")), answered), {"m-001": "Old words"})
    assert made.supersedes == ("m-001", "m-002")


def proposed(candidate: Candidate, approved: dict[str, str | None] | None = None) -> Memory:
    return proposed_memory(
        candidate, MemoryPolicy(), TODAY, memory_id="m-100", folder="notes", approved=approved or {}
    )
