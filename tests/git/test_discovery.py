"""Where `GIT_DIR` decides which repository is meant, and where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import NotFoundError
from gitmem.git.discovery import discover
from tests.support.cli import gitmem, gitmem_process
from tests.support.drifting import validated
from tests.support.repo import Repo


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere"


def test_git_dir_counts_outside_any_repository(repo: Repo, elsewhere: Path) -> None:
    validated(repo)
    environment = {"GIT_DIR": str(repo.path / ".git")}
    done = gitmem_process("drift", "--json", at=elsewhere, environment=environment)
    assert (done.code, done.document["checked"], done.document["head"]) == (0, 1, repo.head())


@pytest.mark.parametrize("git_dir", ["{repo}/.git", "../repo/.git"])
def test_the_work_tree_is_the_one_that_git_takes(
    git_dir: str, repo: Repo, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = {"GIT_DIR": git_dir.format(repo=repo.path)}
    monkeypatch.setenv("GIT_DIR", environment["GIT_DIR"])
    assert str(discover(elsewhere).work_tree) == Repo(elsewhere, init=False).git(
        "rev-parse", "--show-toplevel", environment=environment
    )
    monkeypatch.setenv("GIT_WORK_TREE", str(repo.path))
    assert discover(elsewhere).work_tree == repo.path
    assert discover(elsewhere).git_dir == repo.path / ".git"


def test_a_bare_repository_may_be_named(
    tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    monkeypatch.setenv("GIT_DIR", str(bare.path))
    layout = discover(elsewhere)
    assert (layout.git_dir, layout.work_tree) == (bare.path, None)


def test_inside_a_repository_the_variable_of_another_is_passed_over(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    assert discover(repo.path).work_tree == repo.path


def test_a_git_dir_that_is_none_is_named(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere/.git")
    with pytest.raises(NotFoundError, match=r"nor is GIT_DIR: /nowhere/\.git"):
        discover(elsewhere)
    assert gitmem("drift", at=elsewhere, environment={"GIT_DIR": "/nowhere"}).code == 3
