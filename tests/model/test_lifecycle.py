from __future__ import annotations

from itertools import product

import pytest

from gitmem.errors import LifecycleError
from gitmem.model.lifecycle import can_move, check_move, moves_from
from gitmem.model.memory import Status

EXISTING = {
    "candidate": ["active", "denied", "archived"],
    "active": ["challenged", "deprecated"],
    "challenged": ["active", "deprecated"],
    "deprecated": ["archived"],
    "denied": ["archived"],
    "archived": [],
}


@pytest.mark.parametrize("before", Status)
def test_the_moves_are_those_of_the_lifecycle(before: Status) -> None:
    assert list(map(str, moves_from(before))) == EXISTING[before]


@pytest.mark.parametrize(("before", "after"), list(product(Status, Status)))
def test_no_other_move_is_possible_and_the_error_names_those_that_are(before: Status, after: Status) -> None:
    if after in EXISTING[before]:
        assert can_move(before, after)
        check_move(before, after)
        return
    assert not can_move(before, after)
    with pytest.raises(LifecycleError) as caught:
        check_move(before, after, "m-001")
    assert caught.value.message.startswith("m-001: ")
    assert before in caught.value.message
    assert after in caught.value.message
    named = [one for one in Status if f"→ {one} " in caught.value.hint]
    assert sorted(named) == sorted(EXISTING[before])


def test_the_end_is_said_to_be_the_end() -> None:
    with pytest.raises(LifecycleError) as caught:
        check_move(Status.ARCHIVED, Status.ACTIVE)
    assert caught.value.hint == "archived is the end: nothing follows it"
