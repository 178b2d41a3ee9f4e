"""A repository that lives long: what it keeps is what git would say now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.git.discovery import discover
from gitmem.git.timed import TimedLibrary, TimedProgram, timed_repository
from tests.support.repo import Repo


def test_libgit2_is_taken_where_it_can_be_trusted(repo: Repo, tmp_path: Path) -> None:
    assert isinstance(timed_repository(discover(repo.path)), TimedLibrary)
    other = Repo(tmp_path / "other", object_format="sha256")
    assert isinstance(timed_repository(discover(other.path)), TimedProgram)


def test_settings_are_kept_until_their_file_changes(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.environ["PATH"]
    with timed_repository(discover(repo.path)) as repository:
        assert repository.config("gitmem.trustedRef") is None
        monkeypatch.setenv("PATH", "")
        assert repository.config("gitmem.trustedRef") is None
        monkeypatch.setenv("PATH", path)
        repo.git("config", "gitmem.trustedRef", "main")
        assert repository.config("gitmem.trustedRef") == "main"
        assert repository.settings("^gitmem") == {"gitmem.trustedref": "main"}


def test_a_tree_is_listed_once(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    head = repo.commit("Start", {"a/b": "1"})
    with timed_repository(discover(repo.path)) as repository:
        found = repository.list_tree(head)
        monkeypatch.setenv("PATH", "")
        assert repository.list_tree(head) == found
        assert [one.path for one in found] == ["a/b"]


def test_git_ends_at_the_deadline(repo: Repo) -> None:
    head = repo.commit("Start", {"a": "1"})
    waited_for = repo.path / ".git/refs/heads/pipe"
    os.mkfifo(waited_for)  # git would wait for it for ever
    with timed_repository(discover(repo.path)) as repository:
        repository.until(0.0)
        with pytest.raises(TimeoutError):
            repository.refs("refs/heads/")
        waited_for.unlink()
        repository.until(None)
        assert repository.refs("refs/heads/") == {"refs/heads/main": head}
