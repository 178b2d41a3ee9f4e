"""The work tree as a patch: whole, bounded by files, and with nothing of the repository run."""

from __future__ import annotations

import pytest

from gitmem.errors import GitmemError
from gitmem.git.discovery import discover
from gitmem.git.worktree_patch import worktree_patch
from tests.support.repo import Repo


def changed(repo: Repo, *names: str) -> str:
    first = repo.commit("first", {name: f"old {name}\n" for name in names})
    for name in names:
        repo.write(name, f"new {name}\n")
    return first


def test_staged_and_unstaged_stand_in_it(repo: Repo) -> None:
    first = changed(repo, "a", "한글 이름")
    repo.git("add", "a")
    repo.write("untracked", "x\n")
    patch, left_out = worktree_patch(discover(repo.path), first, limit=10_000)
    assert b"-old a\n+new a\n" in patch
    assert "+new 한글 이름\n".encode() in patch
    assert b"untracked" not in patch
    assert left_out == 0


@pytest.mark.parametrize("files", [0, 1, 2, 3])
def test_a_long_one_keeps_whole_files(files: int, repo: Repo) -> None:
    first = changed(repo, "a", "b", "c")
    whole, _ = worktree_patch(discover(repo.path), first, limit=10_000)
    one = len(whole) // 3
    patch, left_out = worktree_patch(discover(repo.path), first, limit=one * files + 20 * (files < 3))
    assert patch == whole[: one * files]
    assert left_out == 3 - files


def test_programs_of_the_repository_are_not_run(repo: Repo) -> None:
    first = changed(repo, "a.py")
    repo.write(".gitattributes", "*.py filter=evil diff=evil\n")
    for key in ("filter.evil.clean", "diff.evil.command", "diff.evil.textconv", "diff.external"):
        repo.git("config", key, "touch ran; cat")
    patch, _ = worktree_patch(discover(repo.path), first, limit=10_000)
    assert b"+new a.py" in patch
    assert not (repo.path / "ran").exists()


def test_an_unknown_commit_is_an_error(repo: Repo) -> None:
    repo.commit("first")
    with pytest.raises(GitmemError):
        worktree_patch(discover(repo.path), "0" * 39 + "1", limit=10)
