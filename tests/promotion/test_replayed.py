"""The verdict of a replay and its scorecard."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gitmem.model.candidate import Decision
from gitmem.promotion.replayed import (
    ReplayVerdict,
    Role,
    Scorecard,
    Side,
    newest_replay,
    replay_holds,
    replayed_blobs,
    scorecard_payload,
    verdict_of,
)
from gitmem.results.probe import ProbeOutcome

P, F, U = ProbeOutcome.PASSED, ProbeOutcome.FAILED, ProbeOutcome.UNKNOWN


def sides(**outcomes: ProbeOutcome) -> list[Side]:
    roles: tuple[Role, ...] = ("before", "after", "head")
    return [Side(role, "c" * 40, outcomes[role]) for role in roles if role in outcomes]


@pytest.mark.parametrize(
    ("outcomes", "verdict"),
    [
        ({"head": P}, "passed"),
        ({"head": F}, "failed"),
        ({"head": U}, "unknown"),
        ({"before": F, "after": P, "head": P}, "strong"),
        ({"before": F, "after": P}, "strong"),  # the fix is HEAD
        ({"before": P, "after": P, "head": P}, "passed"),
        ({"before": U, "after": P, "head": P}, "passed"),
        ({"before": F, "after": U, "head": P}, "passed"),
        ({"before": F, "after": F, "head": P}, "passed"),
        ({"before": F, "after": P, "head": F}, "failed"),
        ({"before": F, "after": P, "head": U}, "unknown"),
        ({"before": F, "after": F}, "failed"),
        ({}, "unknown"),
    ],
)
def test_head_decides_and_both_sides_make_it_strong(outcomes: dict[str, ProbeOutcome], verdict: str) -> None:
    assert verdict_of(sides(**outcomes)) == verdict


@pytest.mark.parametrize("verdict", ReplayVerdict)
def test_only_what_passed_holds(verdict: ReplayVerdict) -> None:
    assert verdict.holds == (verdict in {"strong", "passed"}) == replay_holds({"verdict": verdict.value})


def test_a_replay_that_was_not_recorded_does_not_hold() -> None:
    assert not replay_holds(None)
    assert not replay_holds({"verdict": 3})


def test_the_scorecard_is_plain_json_without_what_is_not_said() -> None:
    before = Side("before", "a" * 40, F, 1, 0.12345, "exit 1: test_it", "replay.log", ("tests/test_it.py",))
    card = Scorecard("unit", "make test", "b" * 40, (before, Side("after", "b" * 40, P, 0)))

    payload = scorecard_payload(card)

    assert json.loads(json.dumps(payload)) == payload
    assert payload["verdict"] == "strong"
    assert payload["sides"][0] == {
        "role": "before",
        "at": "a" * 40,
        "outcome": "failed",
        "exit_code": 1,
        "duration_s": 0.123,
        "reason": "exit 1: test_it",
        "artifact": "replay.log",
        "taken": ["tests/test_it.py"],
    }
    assert payload["sides"][1]["exit_code"] == 0


def decision(of: str, verdict: str, word: str = "replayed", blob: str | None = None) -> Decision:
    return Decision("c-1", word, "Ada", "", scorecard={"of": of, "verdict": verdict}, blob=blob)


def test_the_newest_replay_of_exactly_this_text_counts() -> None:
    told = [decision("old", "strong"), decision("new", "passed"), decision("new", "failed")]

    assert newest_replay(told, "new") == {"of": "new", "verdict": "failed"}
    assert newest_replay(told, "other") is None
    assert newest_replay([decision("new", "passed", word="accept")], "new") is None


def test_a_blob_counts_as_replayed_by_its_own_newest_scorecard_alone() -> None:
    told = [
        decision("b1", "passed", blob="b1"),
        decision("b2", "passed", blob="b2"),
        decision("b2", "failed", blob="b2"),
        decision("b4", "strong", blob="b3"),  # of another text
        replace(decision("b5", "strong", blob="b5"), decision="accept"),
    ]

    assert replayed_blobs(told) == {"b1"}


def proposal(blob: str, outcome: str) -> Decision:
    card = {
        "of": "c" * 40,
        "rules": [{"rule": "scope", "outcome": "passed"}, {"rule": "replay", "outcome": outcome}],
    }
    return Decision("c-1", "proposed", "Ada", "", scorecard=card, blob=blob)


def test_a_proposal_carries_the_replay_of_its_candidate_over_to_its_file() -> None:
    told = [proposal("b1", "passed"), proposal("b2", "not_applicable"), proposal("b3", "passed")]

    assert replayed_blobs(told) == {"b1", "b3"}
    assert replayed_blobs([*told, decision("b3", "failed", blob="b3")]) == {"b1"}
    assert replayed_blobs([decision("b2", "passed", blob="b2"), proposal("b2", "not_applicable")]) == {"b2"}


def test_a_scorecard_of_another_shape_says_nothing() -> None:
    odd: list[dict[str, Any]] = [
        {"rules": 3},
        {"rules": ["replay"]},
        {"rules": [{"rule": "replay", "outcome": ["passed"]}]},
        {},
    ]

    assert (
        replayed_blobs(Decision("c-1", "accept", "", "", scorecard=card, blob="b") for card in odd)
        == frozenset()
    )
