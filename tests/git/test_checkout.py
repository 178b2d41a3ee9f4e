"""A commit in a folder of its own: what comes there, and what does not happen to anybody's repository or machine."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, InvalidDataError, NotServedError
from gitmem.git.checkout import CheckedOut, check_out
from gitmem.git.opening import open_repository
from gitmem.model.change import MODE_FILE, TreeEntry
from tests.support.drifting import shallow
from tests.support.repo import Repo


def checked_out(repo: Repo, folder: Path, commit: str = "HEAD", **instead: TreeEntry) -> CheckedOut:
    folder.mkdir(exist_ok=True)
    with open_repository(repo.path) as repository:
        return check_out(repository, repository.resolve(commit), folder, instead or None)


def git_in(folder: Path, *arguments: str, check: bool = True) -> str:
    return Repo(folder, init=False).git(*arguments, check=check)


def hostile_tree(repo: Repo, *rows: str) -> str:
    """A commit of a tree that no git command would make: rows as of ``git mktree``, nested trees written before."""
    tree = repo.git("mktree", "--missing", stdin="".join(f"{row}\n" for row in rows).encode())
    return repo.git("commit-tree", "-m", "hostile", tree)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("bare", [False, True])
def test_the_folder_is_a_clean_repository_at_the_commit(
    tmp_path: Path, object_format: str, bare: bool
) -> None:
    repo = Repo(tmp_path / "repo", object_format=object_format)
    repo.commit("One", {"src/a.py": "x = 1\n", "README.md": "# A\n"})
    head = repo.commit("Two", {"src/a.py": "x = 2\n"})
    if bare:
        repo.git("clone", "-q", "--bare", ".", "../bare.git")
        repo = Repo(tmp_path / "bare.git", init=False)

    held = checked_out(repo, tmp_path / "out")

    out = tmp_path / "out"
    assert held == CheckedOut(frozenset({"src/a.py", "README.md"}), ())
    assert (out / "src/a.py").read_text() == "x = 2\n"
    assert git_in(out, "rev-parse", "HEAD") == head
    assert git_in(out, "status", "--porcelain") == ""
    assert git_in(out, "grep", "-h", "x =", "HEAD~1", "--", "src") == "x = 1"
    assert git_in(out, "symbolic-ref", "-q", "HEAD", check=False) == ""


def test_nothing_of_the_users_repository_changes(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", {"a.txt": "a\n"})
    repo.write("a.txt", "edited\n")
    repo.write("new.txt", "new\n")
    before = tree_of_files(repo.path)

    checked_out(repo, tmp_path / "out")
    git_in(tmp_path / "out", "commit", "-q", "--allow-empty", "-m", "of the probe")
    git_in(tmp_path / "out", "gc", "-q", "--prune=now")

    assert tree_of_files(repo.path) == before
    assert (tmp_path / "out" / "a.txt").read_text() == "a\n"


def tree_of_files(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_nothing_that_is_configured_is_executed_or_converts(repo: Repo, tmp_path: Path) -> None:
    sign = tmp_path / "executed"
    repo.write(".gitattributes", "*.bin filter=evil\n*.txt text eol=crlf\n*.id ident\n")
    repo.commit("One", {"a.bin": "raw\n", "a.txt": "one\ntwo\n", "a.id": "$Id$\n"})
    for key in ("smudge", "clean", "process"):
        repo.git("config", f"filter.evil.{key}", f"touch {sign}")
    repo.git("config", "filter.evil.required", "true")
    repo.git("config", "core.autocrlf", "true")
    repo.git("config", "core.fsmonitor", f"touch {sign}")
    repo.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    hook = repo.write("../hooks/post-checkout", f"#!/bin/sh\ntouch {sign}\n")
    hook.chmod(0o755)
    (repo.path / ".git/hooks").mkdir(exist_ok=True)
    (repo.path / ".git/hooks/post-index-change").symlink_to(hook)

    checked_out(repo, tmp_path / "out")

    out = tmp_path / "out"
    assert not sign.exists()
    contents = {one.name: one.read_bytes() for one in out.glob("a.*")}
    assert contents == {"a.bin": b"raw\n", "a.txt": b"one\ntwo\n", "a.id": b"$Id$\n"}
    assert git_in(out, "status", "--porcelain") == ""


def test_executable_bits_links_and_odd_names_come_as_they_are(repo: Repo, tmp_path: Path) -> None:
    repo.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    odd = ["-rf", "a b", "line\nbreak", "\\back", "한글/이름.py", "caf\udce9", "*", "😀.txt"]
    (repo.path / "out of it").symlink_to("/etc/passwd")
    (repo.path / "dangling").symlink_to("nowhere/at all")
    repo.commit("One", dict.fromkeys(odd, "x\n"))

    held = checked_out(repo, tmp_path / "out")

    out = tmp_path / "out"
    assert set(odd) < held.paths
    assert all((out / name).read_text() == "x\n" for name in odd)
    assert (out / "run.sh").stat().st_mode & stat.S_IXUSR
    assert not (out / "a b").stat().st_mode & stat.S_IXUSR
    assert (out / "out of it").readlink() == Path("/etc/passwd")
    assert (out / "dangling").readlink() == Path("nowhere/at all")


@pytest.mark.parametrize("name", [".git", ".GIT", ".g\u200cit", "..", "git~1"])
def test_a_name_that_leads_elsewhere_is_refused_before_anything_is_written(
    repo: Repo, tmp_path: Path, name: str
) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"[core]\n")
    inner = repo.git("mktree", stdin=f"100644 blob {blob}\tconfig\n".encode())
    commit = hostile_tree(repo, f"040000 tree {inner}\t{name}")

    with pytest.raises(InvalidDataError):
        checked_out(repo, tmp_path / "out", commit)

    assert [one.name for one in (tmp_path / "out").iterdir()] == [".git"]
    assert not (tmp_path / "config").exists()


def test_nothing_is_written_through_a_link_that_has_a_folders_name(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    target = repo.git("hash-object", "-w", "--stdin", stdin=b"../victim")
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"planted\n")
    inner = repo.git("mktree", stdin=f"100644 blob {blob}\tfile\n".encode())
    tree = b"120000 a\0" + bytes.fromhex(target) + b"40000 a\0" + bytes.fromhex(inner)
    written = repo.git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=tree)
    commit = repo.git("commit-tree", "-m", "hostile", written)

    with pytest.raises(GitmemError):
        checked_out(repo, tmp_path / "out", commit)

    assert list((tmp_path / "victim").iterdir()) == []


def test_submodules_are_empty_folders_and_told(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    commit = inner.commit("Inner", {"lib.c": "int x;\n"})
    repo.commit("One", {"a.txt": "a\n"})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{commit},vendor/lib")
    repo.git("commit", "-q", "-m", "Two")

    held = checked_out(repo, tmp_path / "out")

    assert held.submodules == ("vendor/lib",)
    assert list((tmp_path / "out/vendor/lib").iterdir()) == []


def test_files_of_another_commit_take_the_place_of_those_there(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", {"a.txt": "a\n", "test_a.py": "old\n"})
    fix = repo.commit("Two", {"a.txt": "b\n", "test_a.py": "new\n"})
    blob = repo.git("rev-parse", f"{fix}:test_a.py")

    checked_out(repo, tmp_path / "out", "HEAD~1", **{"test_a.py": TreeEntry("test_a.py", MODE_FILE, blob)})

    assert (tmp_path / "out/a.txt").read_text() == "a\n"
    assert (tmp_path / "out/test_a.py").read_text() == "new\n"


def test_a_sparse_work_tree_and_a_linked_one_give_the_whole_commit(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", {"a/a.txt": "a\n", "b/b.txt": "b\n"})
    repo.git("worktree", "add", "-q", "--detach", "../linked")
    linked = Repo(tmp_path / "linked", init=False)
    linked.git("sparse-checkout", "set", "a")

    held = checked_out(linked, tmp_path / "out")

    assert held.paths == {"a/a.txt", "b/b.txt"}
    assert repo.git("worktree", "list").count("\n") == 1


def test_a_shallow_clone_gives_its_tip(repo: Repo, tmp_path: Path) -> None:
    repo.commit("One", {"a.txt": "a\n"})
    repo.commit("Two", {"a.txt": "b\n"})
    cut = shallow(repo, tmp_path / "cut")

    checked_out(cut, tmp_path / "out")

    assert (tmp_path / "out/a.txt").read_text() == "b\n"
    assert git_in(tmp_path / "out", "rev-list", "--count", "HEAD") == "1"


def test_a_partial_clone_without_the_contents_says_so_and_fetches_nothing(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit("One", {"a.txt": "a\n"})
    repo.git("clone", "-q", "--bare", "--filter=blob:none", f"file://{repo.path}", "../partial.git")

    with pytest.raises(NotServedError, match=r"a\.txt is not in this clone"):
        checked_out(Repo(tmp_path / "partial.git", init=False), tmp_path / "out")
