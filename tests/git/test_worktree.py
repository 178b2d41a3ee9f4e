"""The work tree as git would store it; the truth is what `git add -A` then does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.errors import NotServedError
from gitmem.git.interface import Repository
from gitmem.git.opening import open_repository
from tests.git.test_contract import history, mid_merge
from tests.support.repo import Repo


def listing(repository: Repository, *, staged: bool = False) -> dict[str, tuple[int, str]]:
    return {entry.path: (entry.mode, entry.oid) for entry in repository.worktree_entries(staged=staged)}


def assert_as_git_adds(repo: Repo) -> None:
    """Our listing and contents before `git add -A` are the index after it."""
    with open_repository(repo.path) as repository:
        told = listing(repository)
        contents = {
            path: repository.worktree_blob(path) for path, (mode, _) in told.items() if mode != 0o160000
        }
        objects = sorted(str(one) for one in (repo.path / ".git" / "objects").rglob("*"))
        index = (repo.path / ".git" / "index").read_bytes()
        assert repository.worktree_entries() is not None
        assert (repo.path / ".git" / "index").read_bytes() == index
        assert sorted(str(one) for one in (repo.path / ".git" / "objects").rglob("*")) == objects
        repo.git("-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false", "add", "-A")
        assert told == listing(repository, staged=True)
        for path, content in contents.items():
            assert content == repository.read_blob(told[path][1]).data, path


def test_edits_additions_and_removals(repo: Repo) -> None:
    history(repo)
    repo.write(".gitignore", "*.log\n")
    repo.write("new/file.txt", "new\n")
    repo.write("noise.log", "ignored\n")
    repo.write("README.md", "# edited\n")
    repo.write("place/inside", "longer than it was before\n")
    (repo.path / "src" / "kept.py").unlink()
    (repo.path / "run.sh").chmod(0o644)
    (repo.path / "kind").unlink()
    repo.write("kind", "a file again\n")
    (repo.path / "binary").unlink()
    (repo.path / "binary").symlink_to("nowhere/at all")
    assert_as_git_adds(repo)


def test_nothing_changed(repo: Repo) -> None:
    history(repo)
    assert_as_git_adds(repo)


def test_unborn_with_files(repo: Repo) -> None:
    repo.write("a", "1\n")
    with open_repository(repo.path) as repository:
        told = listing(repository)
        assert repository.worktree_blob("a") == b"1\n"
        assert repository.worktree_blob("a", staged=True) is None
    repo.git("add", "-A")
    with open_repository(repo.path) as repository:
        assert told == listing(repository, staged=True)


def test_a_file_becomes_a_folder_and_a_folder_a_file(repo: Repo) -> None:
    repo.commit("x", {"a": "file\n", "b/c": "inside\n", "d/e": "inside\n"})
    (repo.path / "a").unlink()
    repo.write("a/now", "a folder\n")
    (repo.path / "b" / "c").unlink()
    (repo.path / "b").rmdir()
    repo.write("b", "a file\n")
    (repo.path / "d" / "e").unlink()
    (repo.path / "d").rmdir()
    (repo.path / "d").symlink_to("a")
    assert_as_git_adds(repo)


def test_what_lies_behind_a_link_is_not_in_the_repository(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret\n")
    repo.commit("x", {"d/secret": "mine\n"})
    (repo.path / "d" / "secret").unlink()
    (repo.path / "d").rmdir()
    (repo.path / "d").symlink_to(outside)
    with open_repository(repo.path) as repository:
        assert list(listing(repository)) == ["d"]
        assert repository.worktree_blob("d/secret") is None
        assert repository.worktree_blob("d") == os.fsencode(outside)
        for path in ("../outside/secret", "/etc/passwd", "d/../../outside/secret", ".", "", "a\0b"):
            assert repository.worktree_blob(path) is None


@pytest.mark.parametrize("setting", ["true", "input", "false"])
@pytest.mark.parametrize(
    "attributes", ["", "* text=auto\n", "*.txt text\n", "*.txt -text\n", "*.txt text eol=crlf\n"]
)
def test_line_ends_as_git_stores_them(setting: str, attributes: str, repo: Repo) -> None:
    repo.commit("x", {".gitattributes": "", "held.txt": "one\r\ntwo\r\n", "plain.txt": "one\n"})
    repo.git("config", "core.autocrlf", setting)
    repo.git("config", "core.safecrlf", "true")
    repo.write(".gitattributes", attributes)
    repo.write("held.txt", "one\r\ntwo\r\nthree\r\n")
    repo.write("plain.txt", "one\r\ntwo\r\n")
    repo.write("new.txt", "new\r\n")
    repo.write("mixed.txt", "a\r\nb\n")
    repo.write("korean.txt", "메모\r\n")
    repo.write("binary.txt", b"\0\r\n")
    assert_as_git_adds(repo)


def test_ident_and_encodings(repo: Repo) -> None:
    repo.write(
        ".gitattributes",
        "id.txt ident\nutf16.txt text working-tree-encoding=UTF-16\nlatin.txt working-tree-encoding=ISO-8859-1\n",
    )
    repo.commit("x", {"id.txt": "$Id$\n"})
    repo.write("id.txt", "$Id: 0123456789abcdef $ edited\n")
    repo.write("utf16.txt", "메모\n".encode("utf-16"))
    repo.write("latin.txt", "é\n".encode("latin-1"))
    assert_as_git_adds(repo)


def test_conflicts_count_as_they_stand_on_disk(repo: Repo, tmp_path: Path) -> None:
    mid_merge(repo, tmp_path)
    with open_repository(repo.path) as repository:
        assert repository.worktree_blob("README.md", staged=True) == b"# two\n"
        assert repository.status().unstaged == ("README.md",)
    assert_as_git_adds(repo)


def test_a_conflict_whose_file_was_removed(repo: Repo, tmp_path: Path) -> None:
    mid_merge(repo, tmp_path)
    (repo.path / "README.md").unlink()
    assert_as_git_adds(repo)


def test_sparse_checkout_keeps_what_is_not_on_disk(repo: Repo) -> None:
    history(repo)
    repo.git("sparse-checkout", "set", "--no-cone", "/lib/")
    with open_repository(repo.path) as repository:
        told = listing(repository)
        assert told == listing(repository, staged=True)
        assert not (repo.path / "src").exists()
        assert repository.worktree_blob("src/kept.py") == b"x = 1\n"
        assert repository.status().all == frozenset()


def test_sparse_index(repo: Repo) -> None:
    history(repo)
    before = listing(open_repository(repo.path), staged=True)
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "lib")
    with open_repository(repo.path) as repository:
        assert listing(repository) == listing(repository, staged=True) == before


def test_split_index_is_left_alone(repo: Repo) -> None:
    history(repo)
    repo.git("config", "core.splitIndex", "true")
    repo.git("update-index", "--split-index")
    repo.write("README.md", "# edited\n")
    before = sorted(one.name for one in (repo.path / ".git").iterdir())
    with open_repository(repo.path) as repository:
        repository.worktree_entries()
    assert sorted(one.name for one in (repo.path / ".git").iterdir()) == before
    assert_as_git_adds(repo)


def test_intent_to_add_is_not_staged(repo: Repo) -> None:
    repo.commit("x", {"empty": "", "a": "1\n"})
    repo.write("promised", "later\n")
    repo.git("add", "-N", "promised")
    with open_repository(repo.path) as repository:
        assert sorted(listing(repository, staged=True)) == ["a", "empty"]
        assert sorted(listing(repository)) == ["a", "empty", "promised"]
    assert_as_git_adds(repo)


def test_submodules_count_by_their_commit(repo: Repo, tmp_path: Path) -> None:
    inner = history(Repo(tmp_path / "inner"))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repo.commit("with submodule")
    sub = Repo(repo.path / "sub", init=False)
    sub.write("README.md", "dirty inside\n")
    with open_repository(repo.path) as repository:
        assert repository.status().all == frozenset()
    tip = sub.commit("moved on")
    with open_repository(repo.path) as repository:
        assert listing(repository)["sub"] == (0o160000, tip)
        assert repository.status().unstaged == ("sub",)
    assert_as_git_adds(repo)


def test_unreadable_kinds_of_files_are_left_out(repo: Repo) -> None:
    repo.commit("x", {"a": "1\n", "b": "1\n"})
    (repo.path / "a").unlink()
    os.mkfifo(repo.path / "a")
    os.mkfifo(repo.path / "new")
    with open_repository(repo.path) as repository:
        assert list(listing(repository)) == ["b"]
        assert repository.worktree_blob("a") is None


def test_untracked_repositories_are_no_files(repo: Repo) -> None:
    repo.commit("x", {"a": "1\n"})
    history(Repo(repo.path / "nested"))
    with open_repository(repo.path) as repository:
        assert list(listing(repository)) == ["a"]


def test_status_is_what_git_says(repo: Repo) -> None:
    history(repo)
    repo.git("config", "status.showUntrackedFiles", "no")
    repo.write("staged.txt", "x\n")
    repo.git("add", "staged.txt")
    repo.git("mv", "lib/half.py", "lib/other.py")
    repo.write("README.md", "# edited\n")
    repo.write("new folder/한글 file", "x\n")
    with open_repository(repo.path) as repository:
        status = repository.status()
    assert sorted(status.staged) == ["lib/half.py", "lib/other.py", "staged.txt"]
    assert status.unstaged == ("README.md",)
    assert status.untracked == ("new folder/한글 file",)


def test_a_bare_repository_has_no_work_tree(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    with open_repository(bare.path) as repository:
        for call in (
            repository.worktree_entries,
            lambda: repository.worktree_entries(staged=True),
            repository.status,
            lambda: repository.worktree_blob("a"),
        ):
            with pytest.raises(NotServedError, match="bare repository has no work tree"):
                call()


@pytest.mark.parametrize("name", ["lfs", "odd=name", "with.dots", "한글"])
def test_a_filtered_file_counts_by_its_index_until_it_is_touched(
    name: str, repo: Repo, tmp_path: Path
) -> None:
    repo.git("config", f"filter.{name}.clean", "tr a-z A-Z")
    repo.git("config", f"filter.{name}.required", "true")
    repo.write(".gitattributes", f"*.big filter={name}\n")
    repo.commit("x", {"a.big": "content\n", "plain": "content\n"})
    stored = repo.git("rev-parse", "HEAD:a.big")
    assert stored == repo.git("hash-object", "--stdin", "--no-filters", stdin=b"CONTENT\n")
    # As old as its index: git would run the filter to be sure.
    os.utime(repo.path / ".git" / "index", ns=(0, (repo.path / "a.big").stat().st_mtime_ns))
    with open_repository(repo.path) as repository:
        assert listing(repository)["a.big"] == (0o100644, stored)
        assert repository.status().all == frozenset()
    repo.write("a.big", "changed content\n")
    with open_repository(repo.path) as repository:
        raw = repo.git("hash-object", "--stdin", "--no-filters", stdin=b"changed content\n")
        assert listing(repository)["a.big"] == (0o100644, raw)
        assert repository.worktree_blob("a.big") == b"changed content\n"
        assert repository.status().unstaged == ("a.big",)


def test_an_edit_of_equal_size_in_the_second_of_the_last_commit(repo: Repo) -> None:
    repo.git("config", "core.trustctime", "false")
    long_ago = (1_700_000_000 * 10**9, 1_700_000_000 * 10**9)
    os.utime(repo.write("a.txt", "one\n"), ns=long_ago)
    repo.commit("One")
    os.utime(repo.path / ".git" / "index", ns=long_ago)
    os.utime(repo.write("a.txt", "two\n"), ns=long_ago)
    with open_repository(repo.path) as repository:
        assert listing(repository)["a.txt"][1] == repo.git("hash-object", "a.txt")
