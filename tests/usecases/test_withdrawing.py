"""A change that takes validations away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.drifting import ABOUT_SEND, SHOP, confirmed, judged, validated
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

TOLD = SHOP.replace("    log(order)\n", "    tell(order)\n")


def files(repo: Repo) -> list[Path]:
    return sorted((repo.path / ".ai/validations/m-001").iterdir())


@pytest.fixture
def twice(repo: Repo) -> Repo:
    """Validated on two days, the code changed between, and a branch."""
    validated(repo)
    repo.commit("Tell", {"src/shop.py": TOLD})
    confirmed(repo.path, at="2026-07-15T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Confirm")
    repo.git("checkout", "-q", "-b", "feature")
    return repo


def dated_back(repo: Repo) -> None:
    newest = files(repo)[-1]
    newest.write_text(newest.read_text().replace("2026-07-15", "2026-07-01"))


def removed(repo: Repo, *places: int) -> None:
    for path in [files(repo)[at] for at in places]:
        path.unlink()


TAKING = {
    "newest": lambda repo: removed(repo, 1),
    "all": lambda repo: removed(repo, 0, 1),
    "dated back": dated_back,
}


@pytest.mark.parametrize("how", TAKING)
def test_a_change_that_takes_the_newest_validation_away_is_challenged(twice: Repo, how: str) -> None:
    TAKING[how](twice)
    twice.commit("Forget")
    told = judged(twice.path, since="main")
    assert (told.status, "mark" in told.challenged_by) == ("challenged", True)
    assert "its newest validation is taken away by this change" in told.notes[-1]


@pytest.mark.parametrize("how", ["newest", "all"])
def test_the_files_that_counted_are_named(twice: Repo, how: str) -> None:
    names = [path.name for path in files(twice)]
    TAKING[how](twice)
    twice.commit("Forget")
    note = judged(twice.path, since="main").notes[-1]
    assert [name in note for name in names] == [how == "all", True]


def test_taking_older_validations_away_changes_nothing(twice: Repo) -> None:
    removed(twice, 0)
    twice.commit("Tidy")
    assert judged(twice.path, since="main").status == "active"


def test_a_newer_one_in_the_same_change_answers(twice: Repo) -> None:
    removed(twice, 1)
    twice.commit("Forget")
    confirmed(twice.path, at="2026-07-16T10:00:00+09:00", ask=lambda _: True)
    twice.commit("Look again")
    assert judged(twice.path, since="main").status == "active"


def test_a_memory_that_is_retired_with_its_validations_is_no_finding(twice: Repo) -> None:
    removed(twice, 0, 1)
    twice.commit("Retire", {path_of(): memory(summary=ABOUT_SEND, status="retired")})
    assert judged(twice.path, since="main").status != "challenged"
