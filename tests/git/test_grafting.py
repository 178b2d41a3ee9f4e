"""A tree with some files more, as git itself would have made it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import InvalidDataError
from gitmem.git.discovery import discover
from gitmem.git.grafting import places_of, tree_with
from tests.support.repo import Repo

FILES = {".ai/memory/a/x.yaml": "x\n", ".ai/memory/b.yaml": "b\n", "top": "t\n"}
BASE = {"src/a.py": "1\n", ".ai/memory/a/y.yaml": "y\n", "옛 폴더/ß": "2\n", "zz/deep/er/f": "3\n"}


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_the_tree_is_the_one_that_git_would_write(tmp_path: Path, object_format: str) -> None:
    repo = Repo(tmp_path / "repo", object_format=object_format)
    repo.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (repo.path / "link").symlink_to("src/a.py")
    base = repo.commit("Base", BASE)
    blobs = {
        path: repo.git("hash-object", "-w", "--stdin", stdin=text.encode()) for path, text in FILES.items()
    }
    tree = tree_with(discover(repo.path), base, blobs)
    repo.commit("All", FILES)
    assert tree == repo.git("rev-parse", "HEAD^{tree}")


def test_an_empty_base_gets_its_folders(repo: Repo) -> None:
    base = repo.commit("Empty")
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    tree = tree_with(discover(repo.path), base, {".ai/memory/x.yaml": blob})
    assert repo.git("ls-tree", "-r", "--name-only", tree) == ".ai/memory/x.yaml"


@pytest.mark.parametrize(
    ("held", "path", "message"),
    [
        (".ai", ".ai/memory/x.yaml", ".ai is no folder"),
        (".ai/memory/x.yaml/y", ".ai/memory/x.yaml", "x.yaml is a folder"),
    ],
)
def test_what_stands_in_the_way_is_named(repo: Repo, held: str, path: str, message: str) -> None:
    base = repo.commit("Base", {held: "x"})
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    with pytest.raises(InvalidDataError, match=message):
        tree_with(discover(repo.path), base, {path: blob})


def test_a_link_on_the_way_is_not_followed(repo: Repo) -> None:
    (repo.path / ".ai").symlink_to("elsewhere")
    base = repo.commit("Base", {"elsewhere/f": "x"})
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x\n")
    with pytest.raises(InvalidDataError, match=r"\.ai is no folder"):
        tree_with(discover(repo.path), base, {".ai/memory/x.yaml": blob})


def test_work_trees_that_have_a_branch_are_found(repo: Repo, tmp_path: Path) -> None:
    repo.commit("Base")
    repo.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "a folder"))
    layout = discover(repo.path)
    assert places_of(layout, "refs/heads/main") == (str(repo.path),)
    assert places_of(layout, "refs/heads/topic") == (str(tmp_path / "a folder"),)
    assert places_of(layout, "refs/heads/other") == ()
