"""The state of the ledger's refs is another whenever one of them moves, however git keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.git.discovery import discover
from gitmem.store.ledger_state import ledger_state
from tests.support.repo import Repo


def state(repo: Repo) -> str:
    return ledger_state(discover(repo.path))


def test_a_ref_that_comes_moves_packs_or_goes_changes_the_state(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    one = repo.commit("One", {"a": "1"}) or repo.head()
    repo.commit("Two", {"a": "2"})
    seen = [state(repo)]
    for arguments in (
        ("update-ref", "refs/ai/runs/r/w", one),
        ("update-ref", "refs/ai/runs/r/w", "HEAD"),
        ("pack-refs", "--all"),
        ("update-ref", "refs/ai/runs/r/w", one),
        ("update-ref", "-d", "refs/ai/runs/r/w"),
    ):
        repo.git(*arguments)
        seen.append(state(repo))
    assert len(set(seen)) == len(seen)


def test_other_refs_that_lie_in_files_of_their_own_change_nothing(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("One", {"a": "1"})
    before = state(repo)
    repo.git("branch", "topic")
    assert state(repo) == before


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_what_is_no_ref_is_passed_over(tmp_path: Path, kind: str) -> None:
    repo = Repo(tmp_path / "repo")
    place = repo.path / ".git" / "refs" / "ai" / "runs"
    place.mkdir(parents=True)
    (place / "x").mkdir() if kind == "folder" else (place / "x").symlink_to("/nowhere")
    assert state(repo)
