from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest

from gitmem.drift.counting import counting_validation
from gitmem.model.memory import Kind, Memory, Status
from gitmem.model.validation import Baseline, Validation

MEMORY = Memory(
    "m-1", ".ai/memory/m-1.yaml", Kind.NOTE, None, Status.ACTIVE, "Say", created_at=date(2026, 1, 1)
)


def at(day: int, hour: int = 12) -> datetime:
    return datetime.fromisoformat(f"2026-07-{day:02}T{hour:02}:00:00+09:00")


def validation(day: int, hour: int = 12, name: str = "a") -> Validation:
    return Validation(
        "m-1",
        at(day, hour),
        "Ada",
        text="words",
        baseline=Baseline(name * 40),
        file=f".ai/validations/m-1/{name}.yaml",
    )


def test_the_newest_counts() -> None:
    counting = counting_validation(
        MEMORY, [(validation(2, name="b"), True), (validation(9, name="c"), True), (validation(5), True)]
    )
    assert (counting.baseline, counting.at, counting.text, counting.recorded) == (
        Baseline("c" * 40),
        at(9),
        "words",
        True,
    )


def test_one_on_the_judged_branch_alone_counts_there_and_says_so() -> None:
    counting = counting_validation(MEMORY, [(validation(2), True), (validation(9, name="b"), False)])
    assert (counting.file, counting.merged) == (".ai/validations/m-1/b.yaml", False)


def test_of_one_instant_the_order_of_files_decides_so_that_all_clones_agree() -> None:
    two = [(validation(2, name="b"), True), (validation(2), True)]
    assert (
        counting_validation(MEMORY, two).file
        == counting_validation(MEMORY, two[::-1]).file
        == ".ai/validations/m-1/b.yaml"
    )


@pytest.mark.parametrize(
    ("written", "from_file"),
    [
        (date(2026, 7, 10), True),
        (date(2026, 7, 9), False),
        (date(2026, 7, 1), False),
        (at(9, 13), True),
        (at(9, 11), False),
    ],
)
def test_a_date_moved_by_hand_counts_when_it_is_newer(written: date, from_file: bool) -> None:
    counting = counting_validation(replace(MEMORY, last_validated_at=written), [(validation(9), True)])
    assert (counting.baseline is None, counting.at == written, counting.recorded) == (
        from_file,
        from_file,
        True,
    )


def test_a_block_in_the_memory_file_is_read_too() -> None:
    memory = replace(MEMORY, baseline=Baseline("d" * 40), last_validated_at=date(2026, 7, 20))
    assert counting_validation(memory, []).baseline == Baseline("d" * 40)
    assert counting_validation(memory, [(validation(9), True)]).baseline == Baseline("d" * 40)
    assert counting_validation(memory, [(validation(25), True)]).baseline == Baseline("a" * 40)


def test_without_any_nobody_validated_and_the_default_date_is_not_written() -> None:
    counting = counting_validation(MEMORY, [])
    assert (counting.baseline, counting.at, counting.recorded) == (None, date(2026, 1, 1), False)
    approved = counting_validation(replace(MEMORY, approved_at=date(2026, 3, 1)), [])
    assert (approved.at, approved.recorded) == (date(2026, 3, 1), False)
