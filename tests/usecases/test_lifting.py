"""A change that edits a person's doubt away."""

from __future__ import annotations

import pytest

from tests.support.drifting import ABOUT_SEND, confirmed, judged, validated
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

CLEAN = memory(summary=ABOUT_SEND)
DOUBTED = memory(
    summary=ABOUT_SEND, status="challenged", challenged_at="2026-07-15", challenged_because="'it fails'"
)


@pytest.fixture
def doubted(repo: Repo) -> Repo:
    validated(repo, ABOUT_SEND)
    repo.commit("Challenge", {path_of(): DOUBTED})
    repo.git("checkout", "-q", "-b", "feature")
    return repo


@pytest.mark.parametrize("text", [CLEAN, DOUBTED.replace("2026-07-15", "2026-07-01")])
def test_a_doubt_that_an_edit_lifts_is_told_and_stays(doubted: Repo, text: str) -> None:
    doubted.commit("Lift", {path_of(): text})
    told = judged(doubted.path, since="main")
    assert (told.status, told.challenged_by) == ("challenged", ("mark",))
    assert told.warning == "VERIFY — doubt lifted without a confirmation: it fails"


def test_a_doubt_that_a_confirmation_answers_is_gone(doubted: Repo) -> None:
    confirmed(doubted.path, "m-001", at="2026-07-16T10:00:00+09:00", ask=lambda _: True)
    doubted.commit("Confirm", {path_of(): CLEAN})
    assert judged(doubted.path, since="main").status == "active"


def test_an_edit_of_the_reason_alone_lifts_nothing(doubted: Repo) -> None:
    doubted.commit("Say", {path_of(): DOUBTED.replace("it fails", "it fails twice")})
    assert judged(doubted.path, since="main").status == "active"
