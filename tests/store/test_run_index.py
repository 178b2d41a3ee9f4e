from __future__ import annotations

import pytest

from gitmem.git.opening import open_repository
from gitmem.store.run_index import RunIndex
from tests.support.repo import Repo

TIPS = {"refs/ai/runs/run-1/w1": "a" * 40}


def kept(repo: Repo) -> RunIndex:
    return RunIndex(open_repository(repo.path).layout)


def test_a_value_counts_for_exactly_its_tips(repo: Repo) -> None:
    index = kept(repo)
    index.put("row", "run-1", TIPS, ("t", 1))
    index.save(["run-1"])
    again = kept(repo)
    assert again.get("row", "run-1", TIPS) == ("t", 1)
    assert again.get("row", "run-1", {"refs/ai/runs/run-1/w1": "b" * 40}) is None
    assert again.get("row", "run-1", {**TIPS, "refs/ai/runs/run-1/w2": "a" * 40}) is None
    assert again.get("failures", "run-1", TIPS) is None


def test_runs_that_are_gone_are_dropped(repo: Repo) -> None:
    index = kept(repo)
    index.put("row", "run-1", TIPS, 1)
    index.put("row", "run-2", TIPS, 2)
    index.save(["run-2"])
    assert (kept(repo).get("row", "run-1", TIPS), kept(repo).get("row", "run-2", TIPS)) == (None, 2)


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"gitmem cache 2 marshal"])
def test_a_damaged_file_is_the_same_as_nothing_known(repo: Repo, damage: bytes) -> None:
    index = kept(repo)
    index.put("row", "run-1", TIPS, 1)
    index.save(["run-1"])
    (repo.path / ".git/gitmem/cache/runs.marshal").write_bytes(damage)
    assert kept(repo).get("row", "run-1", TIPS) is None


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(repo: Repo) -> None:
    repo.write(".git/gitmem", "in the way")
    index = kept(repo)
    index.put("row", "run-1", TIPS, 1)
    index.save(["run-1"])
    assert kept(repo).get("row", "run-1", TIPS) is None
