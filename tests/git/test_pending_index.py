"""Which index counts as staged, in and outside the hooks of this and of other repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.git.pending_index import pending_index
from tests.support.repo import Repo


def index(repo: Repo, place: Path, files: dict[str, str]) -> Path:
    """An index besides the usual one, as git commit makes it for its hooks."""
    environment = {"GIT_INDEX_FILE": str(place)}
    for path, content in files.items():
        repo.write(path, content)
        repo.git("add", "-f", path, environment=environment)
    return place


def staged(repo: Repo) -> dict[str, bytes | None]:
    with open_repository(repo.path) as repository:
        paths = [one.path for one in repository.worktree_entries(staged=True)]
        return {path: repository.worktree_blob(path, staged=True) for path in paths}


@pytest.fixture
def made(repo: Repo) -> Path:
    repo.commit("Start", {"a": "one\n"})
    return index(repo, repo.path / ".git/next-index-1.lock", {"b": "two\n"})


def test_the_usual_index_counts_outside_hooks(repo: Repo, made: Path) -> None:
    assert staged(repo) == {"a": b"one\n"}


@pytest.mark.parametrize("git_dir", [None, "{repo}/.git", "{repo}/sub/../.git"])
@pytest.mark.parametrize("name", ["{repo}/.git/next-index-1.lock", ".git/next-index-1.lock"])
def test_what_git_is_about_to_commit_counts_in_a_hook(
    git_dir: str | None, name: str, repo: Repo, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = made.read_bytes()
    (repo.path / "sub").mkdir()
    monkeypatch.setenv("GIT_INDEX_FILE", name.format(repo=repo.path))
    if git_dir:
        monkeypatch.setenv("GIT_DIR", git_dir.format(repo=repo.path))
    assert staged(repo) == {"b": b"two\n"}
    assert made.read_bytes() == before


def test_an_index_that_a_person_keeps_elsewhere_counts(
    repo: Repo, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_INDEX_FILE", str(index(repo, tmp_path / "mine", {"c": "three\n"})))
    assert staged(repo) == {"c": b"three\n"}


@pytest.mark.parametrize("with_git_dir", [False, True])
def test_a_hook_of_another_repository_does_not_mislead(
    with_git_dir: bool, repo: Repo, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo(tmp_path / "other")
    other.commit("Start", {"x": "other\n"})
    foreign = index(other, other.path / ".git/index.lock", {"y": "other\n"})
    monkeypatch.setenv("GIT_INDEX_FILE", str(foreign))
    if with_git_dir:
        monkeypatch.setenv("GIT_DIR", str(other.path / ".git"))
    assert staged(repo) == {"a": b"one\n"}


@pytest.mark.parametrize("name", ["", "{repo}/.git/gone.lock", "{repo}/.git"])
def test_a_name_of_no_file_is_passed_over(name: str, repo: Repo, made: Path) -> None:
    with open_repository(repo.path) as repository:
        assert pending_index(repository.layout, {"GIT_INDEX_FILE": name.format(repo=repo.path)}) == {}
