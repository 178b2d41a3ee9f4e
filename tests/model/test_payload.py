"""What somebody tells under a known type is held to its fields; readers are not."""

from __future__ import annotations

import pytest

from gitmem.errors import UsageError
from gitmem.model.event import PAYLOAD_FIELDS
from gitmem.model.payload import NEEDED, check_told

EVERY = [(event_type, name) for event_type, fields in PAYLOAD_FIELDS.items() for name in fields]


@pytest.mark.parametrize(("event_type", "name"), EVERY)
def test_a_misspelt_field_of_a_known_type_is_refused_with_the_nearest(event_type: str, name: str) -> None:
    needed = {NEEDED[event_type]: "x"} if event_type in NEEDED else {}
    check_told(event_type, {**needed, name: "x"})
    words = name.split("_")
    twins = {name[:-1], f"{name}z", name.upper(), words[0] + "".join(map(str.title, words[1:]))}
    for wrong in twins - set(PAYLOAD_FIELDS[event_type]):
        with pytest.raises(UsageError) as caught:
            check_told(event_type, {**needed, wrong: "x"})
        assert repr(wrong) in caught.value.message
        assert "did you mean" in (caught.value.hint or "")


@pytest.mark.parametrize("event_type", NEEDED)
def test_a_known_type_without_its_text_is_refused(event_type: str) -> None:
    name = NEEDED[event_type]
    assert name in PAYLOAD_FIELDS[event_type]
    for payload in ({}, {name: None}, {name: ""}, {name: " \n"}):
        with pytest.raises(UsageError, match=f"payload of {event_type}: {name} is missing or empty"):
            check_told(event_type, payload)


def test_every_type_that_is_about_one_text_needs_it() -> None:
    without = {name for name in PAYLOAD_FIELDS if name not in NEEDED}
    assert without == {
        "task_created",
        "session_started",
        "session_ended",
        "plan_approved",
        "implementation_completed",
        "review_passed",
        "review_failed",
        "test_passed",
        "test_failed",
        "commit_recorded",
        "commits_rewritten",
        "branch_merged",
        "memory_delivered",
        "memory_candidate",
        "memory_confirmed",
        "promotion_decided",
        "handoff_written",
        "run_paused",
        "run_resumed",
        "state_imported",
        "completed",
        "abandoned",
    }


def test_a_type_of_ones_own_takes_anything() -> None:
    check_told("deploy_done", {"fnding": 1})
    check_told("finding_note", {})
