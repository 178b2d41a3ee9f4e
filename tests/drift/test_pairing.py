"""Rows against a state that git has no tree for, held to what git itself says between two trees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.drift.pairing import pair_listings
from gitmem.git.opening import open_repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK, Change, TreeEntry
from tests.support.repo import Repo
from tests.support.tree_view import TreeOfText

LONG = "".join(f"line number {number}\n" for number in range(30))


def rows(
    old: Mapping[str, str], new: Mapping[str, str]
) -> list[tuple[str, str | None, str | None, int | None]]:
    before, after = TreeOfText(old), TreeOfText(new)
    found = pair_listings(_entries(before), _entries(after), before.read, after.read)
    return [_short(row) for row in found]


def _entries(view: TreeOfText) -> list[TreeEntry]:
    return [TreeEntry(path, MODE_FILE, oid) for path, oid in view.paths().items()]


def _short(row: Change) -> tuple[str, str | None, str | None, int | None]:
    return (row.status, row.old_path, row.new_path, row.similarity)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": "1"}, {"a": "1"}, []),
        ({"a": "1"}, {"a": "2"}, [("modified", "a", "a", None)]),
        ({}, {"a": "1"}, [("added", None, "a", None)]),
        ({"a": "1"}, {}, [("deleted", "a", None, None)]),
        ({"a": LONG}, {"b": LONG}, [("renamed", "a", "b", 100)]),
        ({"a": LONG}, {"b": LONG.replace("number 1", "no. 1")}, [("renamed", "a", "b", 63)]),
        ({"a": LONG}, {"b": LONG.replace("number", "no.")}, [("deleted", "a", None, None), ("added", None, "b", None)]),
        ({"x/a": LONG}, {"y/a": LONG, "y/b": LONG}, [("renamed", "x/a", "y/a", 100), ("added", None, "y/b", None)]),
    ],
)  # fmt: skip
def test_rows(old: dict[str, str], new: dict[str, str], expected: list[object]) -> None:
    assert sorted(rows(old, new), key=str) == sorted(expected, key=str)


def test_the_most_alike_pair_wins() -> None:
    closer = LONG.replace("number 29", "no. 29")
    farther = LONG.replace("number 2", "no. 2")
    assert ("renamed", "a", "c", 97) in rows({"a": LONG}, {"b": farther, "c": closer})


def test_modes_and_kinds() -> None:
    old = [TreeEntry("a", MODE_FILE, "1" * 40), TreeEntry("b", MODE_FILE, "1" * 40)]
    new = [TreeEntry("a", MODE_EXECUTABLE, "1" * 40), TreeEntry("b", MODE_SYMLINK, "2" * 40)]
    found = pair_listings(old, new, lambda _: None, lambda _: None)
    assert [(row.status, row.new_path) for row in found] == [
        ("modified", "a"),
        ("type_changed", "b"),
    ]


names = st.sampled_from(["a.py", "b.py", "c/a.py", "c/d.py", "e.txt"])
texts = st.integers(0, 6).map(lambda kind: "".join(f"text {kind} line {number}\n" for number in range(12)))
trees = st.dictionaries(names, texts, min_size=1)


@settings(max_examples=12, deadline=None)
@given(old=trees, new=trees)
def test_exact_content_is_paired_as_git_pairs_it(
    old: dict[str, str], new: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    repo = Repo(Path(tmp_path_factory.mktemp("pairing")) / "repo")
    first = repo.commit("One", old)
    repo.git("rm", "-rqf", ".")
    second = repo.commit("Two", new)
    with open_repository(repo.path) as repository:
        git = repository.diff_trees(first, second)
    mine = rows(old, new)
    assert sorted(one[:1] for one in mine) == sorted((row.status,) for row in git)
    changed = {(row.old_path, row.new_path) for row in git if row.status == "modified"}
    assert {one[1:3] for one in mine if one[0] == "modified"} == changed
