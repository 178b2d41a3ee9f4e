"""The diff stat of a patch, and of two trees."""

from __future__ import annotations

from gitmem.model.change import MODE_FILE, Change
from gitmem.patches.reading import Shown, read_patch
from gitmem.patches.stat import DiffStat, FileStat, patch_stats, tree_stats
from tests.support.repo import Repo


def read(repo: Repo, *arguments: str) -> Shown:
    shown = read_patch(repo.git("diff", *arguments).encode("utf-8", "surrogateescape") + b"\n")
    assert isinstance(shown, Shown)
    return shown


def test_lines_are_counted_in_each_file(repo: Repo) -> None:
    repo.commit("first", {"a.py": "one\ntwo\n", "결제.py": "x\n" * 20, "gone": "1\n", "b.bin": b"\0\1"})
    repo.move("결제.py", "주문.py")
    repo.remove("gone")
    repo.commit("second", {"a.py": "one\nthree\nfour\n", "new": "n\n", "b.bin": b"\0\2"})

    stats = patch_stats(read(repo, "-M", "HEAD~1", "HEAD").files)
    assert set(stats) == {
        FileStat("a.py", "modified", 2, 1),
        FileStat("b.bin", "modified", None, None),
        FileStat("gone", "deleted", 0, 1),
        FileStat("new", "added", 1, 0),
        FileStat("주문.py", "renamed", 0, 0, "결제.py"),
    }
    total = DiffStat("diff.patch", stats)
    assert (total.added, total.removed) == (3, 2)


def test_trees_say_which_files_and_the_patch_how_many_lines(repo: Repo) -> None:
    repo.commit("first", {"a.py": "one\n"})
    repo.commit("second", {"a.py": "one\ntwo\n"})
    changes = [
        Change("modified", "a.py", "a.py", MODE_FILE, MODE_FILE, "1" * 40, "2" * 40),
        Change("added", None, "not in the patch", 0, MODE_FILE, None, "3" * 40),
        Change("renamed", "old", "new", MODE_FILE, MODE_FILE, "4" * 40, "4" * 40, 100),
    ]
    assert tree_stats(changes, read(repo, "HEAD~1").files) == (
        FileStat("a.py", "modified", 1, 0),
        FileStat("not in the patch", "added"),
        FileStat("new", "renamed", old_path="old"),
    )


def test_lines_that_nobody_counted_are_not_told_as_none() -> None:
    assert not DiffStat("since commit 1", (FileStat("a.py", "modified"),)).is_counted
    assert DiffStat(
        "since commit 1", (FileStat("a.bin", "modified"), FileStat("b", "added", 0, 0))
    ).is_counted
