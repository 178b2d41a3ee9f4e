"""Packing what a run reaches, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.git.packing import pack_reachable
from tests.support.forging import chain, point
from tests.support.repo import Repo


@pytest.fixture
def tip(repo: Repo) -> str:
    """The last of 12 events; they share one empty tree."""
    commits = chain(repo, 12)
    point(repo, commits[-1])
    return commits[-1]


def counts(repo: Repo) -> dict[str, int]:
    rows = (line.split(": ") for line in repo.git("count-objects", "-v").splitlines())
    return {name: int(count) for name, count in rows if count.isdecimal()}


def test_what_is_reached_is_packed_once_and_the_rest_stays(repo: Repo, tip: str) -> None:
    repo.git("hash-object", "-w", "--stdin", stdin=b"somebody's")
    opened = open_repository(repo.path)
    assert pack_reachable(opened, tip, at_least=13) == 13
    told = counts(repo)
    assert (told["count"], told["in-pack"], told["packs"]) == (1, 13, 1)
    assert pack_reachable(opened, tip, at_least=1) == 0
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""


def test_few_objects_stay_as_they_are(repo: Repo, tip: str) -> None:
    assert pack_reachable(open_repository(repo.path), tip, at_least=14) == 0
    assert counts(repo)["packs"] == 0


def test_a_missing_object_leaves_everything_as_it_is(repo: Repo, tip: str) -> None:
    parent = repo.git("rev-parse", f"{tip}~5")
    (repo.path / ".git" / "objects" / parent[:2] / parent[2:]).unlink()
    assert pack_reachable(open_repository(repo.path), tip, at_least=1) == 0
    assert counts(repo)["packs"] == 0


def test_sha256_repositories_are_packed_too(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "long", object_format="sha256")
    commits = chain(repo, 3)
    assert pack_reachable(open_repository(repo.path), commits[-1], at_least=4) == 4
