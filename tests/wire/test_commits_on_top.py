"""The commits between two, as far as they are a plain line."""

from __future__ import annotations

from pathlib import Path

from gitmem.wire.commits_on_top import MOST, commits_on_top, line_of
from tests.support.repo import Repo


def test_a_line_of_commits_with_their_paths(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    start = repo.commit("Start", {"a": "1", "d/b": "1"})
    one = repo.commit("One", {"a": "2", "d/\nodd \x01": "x"})
    two = repo.commit("Nothing")
    repo.remove("d/b")
    three = repo.commit("Three")
    git_dir = str(repo.path / ".git")
    assert commits_on_top(git_dir, start, three) == [
        (three, [b"d/b"]),
        (two, []),
        (one, [b"a", b"d/\nodd \x01"]),
    ]
    assert commits_on_top(git_dir, three, three) == []
    assert commits_on_top(git_dir, three, start) is None
    assert commits_on_top(git_dir, "0" * 40, start) is None


def test_a_merge_and_a_long_line_are_none(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    start = repo.commit("Start", {"a": "1"})
    for number in range(MOST + 1):
        repo.commit(f"{number}")
    git_dir = str(repo.path / ".git")
    assert commits_on_top(git_dir, start, repo.git("rev-parse", "HEAD~1")) is not None
    assert commits_on_top(git_dir, start, repo.head()) is None
    repo.git("checkout", "-q", "-b", "side", start)
    repo.commit("Side", {"b": "1"})
    side = repo.head()
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "main")
    assert commits_on_top(git_dir, side, repo.head()) is None


def test_what_is_no_answer_of_git_is_none() -> None:
    assert line_of(b"", "a", "a") == []
    assert line_of(b"stray\0", "b", "a") is None
    assert line_of(b"\0a b c\0", "b", "a") is None
    assert line_of(b"\0a b\0\0c d\0", "d", "a") is None
