from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from gitmem.model.memory import Kind, Memory, Status
from gitmem.model.policy import MemoryPolicy
from gitmem.model.validation import Validation
from gitmem.trust.effective import date_challenges, effective_status, heirs, newest, retention_date

TODAY = date(2026, 8, 1)


def memory(name: str = "m-001", status: Status = Status.ACTIVE, **fields: object) -> Memory:
    return Memory(name, f".ai/memory/{name}.yaml", Kind.NOTE, None, status, "s", **fields)  # type: ignore[arg-type] # literals of the tests


@pytest.mark.parametrize("status", list(Status))
def test_what_is_not_merged_is_proposed_whatever_it_says(status: Status) -> None:
    assert (
        effective_status(memory(status=status), merged=False, challenged_by=("drift",), heir="x")
        == "proposed"
    )


@pytest.mark.parametrize("reason", ["drift", "review", "expiry", "mark"])
def test_any_reason_challenges_a_living_memory(reason: str) -> None:
    assert effective_status(memory(), merged=True, challenged_by=(reason,)) == "challenged"
    archived = memory(status=Status.ARCHIVED)
    assert effective_status(archived, merged=True, challenged_by=(reason,)) == "archived"


def test_nothing_against_it_is_active() -> None:
    assert effective_status(memory(), merged=True) == "active"
    assert effective_status(memory(status=Status.CHALLENGED), merged=True) == "active"


def test_an_heir_retires_it() -> None:
    assert effective_status(memory(), merged=True, challenged_by=("drift",), heir="m-002") == "deprecated"


@pytest.mark.parametrize(
    ("fields", "validated", "told"),
    [
        ({}, None, ()),
        ({"review_after": date(2026, 8, 1)}, None, ()),
        ({"review_after": date(2026, 7, 31)}, None, ("review",)),
        ({"review_after": date(2026, 7, 30)}, date(2026, 7, 31), ()),
        ({"review_after": date(2026, 7, 30)}, date(2026, 7, 30), ("review",)),
        ({"expires_at": date(2026, 7, 31)}, date(2026, 8, 1), ("expiry",)),
        ({"status": Status.CHALLENGED}, date(2026, 8, 1), ("mark",)),
        ({"status": Status.CHALLENGED, "challenged_at": date(2026, 7, 1)}, date(2026, 7, 2), ()),
        ({"status": Status.CHALLENGED, "challenged_at": date(2026, 7, 2)}, date(2026, 7, 2), ("mark",)),
    ],
)
def test_dates_and_marks_challenge_until_validated(
    fields: dict[str, object], validated: date | None, told: tuple[str, ...]
) -> None:
    assert date_challenges(memory(**fields), validated, TODAY) == told  # type: ignore[arg-type] # literals above


def test_instants_are_compared_across_time_zones() -> None:
    seoul = timezone(timedelta(hours=9))
    marked = memory(status=Status.CHALLENGED, challenged_at=datetime(2026, 7, 2, 8, tzinfo=seoul))
    assert date_challenges(marked, datetime(2026, 7, 1, 22, tzinfo=UTC), TODAY) == ("mark",)
    assert date_challenges(marked, datetime(2026, 7, 2, 0, tzinfo=UTC), TODAY) == ()


def test_the_policy_may_give_the_review_date() -> None:
    assert date_challenges(memory(), None, TODAY, review_after=date(2026, 7, 1)) == ("review",)


def test_the_newest_validation_is_the_latest_instant() -> None:
    early = Validation("m-001", datetime(2026, 7, 2, 8, tzinfo=timezone(timedelta(hours=9))), "a")
    late = Validation("m-001", datetime(2026, 7, 2, 0, tzinfo=UTC), "b")
    day = Validation("m-001", date(2026, 7, 1), "c")
    assert newest([early, late, day]) is late
    assert newest([]) is None


def test_only_living_approved_memories_supersede() -> None:
    old, new = memory("m-001"), memory("m-002", supersedes=("m-001", "m-404"))
    assert heirs([old, new]) == {"m-001": "m-002"}
    assert heirs([old, memory("m-002", Status.ARCHIVED, supersedes=("m-001",))]) == {}
    assert heirs([old]) == {}
    assert heirs([memory("m-001", superseded_by=("m-002",)), memory("m-002")]) == {"m-001": "m-002"}
    assert heirs([memory("m-001", superseded_by=("m-404",))]) == {}
    assert heirs([memory("m-001", supersedes=("m-001",))]) == {}


def test_retention_has_a_memory_reviewed_that_names_no_date_itself() -> None:
    policy = MemoryPolicy(retention={"verified_fix_pattern": timedelta(days=180), "module_constraint": None})
    pattern = replace(memory(created_at=date(2026, 1, 1)), type="verified_fix_pattern")
    assert retention_date(pattern, None, policy) == date(2026, 6, 30)
    assert retention_date(pattern, date(2026, 7, 1), policy) == date(2026, 12, 28)
    assert retention_date(replace(pattern, type="module_constraint"), None, policy) is None
    assert retention_date(replace(pattern, type="unheard_of"), None, policy) is None
    assert retention_date(replace(pattern, created_at=None), None, policy) is None
