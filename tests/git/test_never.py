"""What reading a repository must never do: run what it configures, follow its tricks, write anything."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, NotFoundError, NotServedError
from gitmem.git.opening import Backend, open_repository
from gitmem.git.program import ProgramRepository
from gitmem.model.change import MODE_FILE, Person, TreeEntry
from tests.git.test_contract import history
from tests.support.repo import Repo

ABSENT = "1" * 40


def reads(repository: ProgramRepository) -> dict[str, Callable[[], object]]:
    """Every method that reads, as a call."""
    head = repository.head() or ABSENT
    return {
        "layout": lambda: repository.layout,
        "head": repository.head,
        "head_ref": repository.head_ref,
        "resolve": lambda: repository.resolve("HEAD~1"),
        "ref": lambda: repository.ref("refs/heads/main"),
        "refs": lambda: repository.refs("refs/"),
        "broken_refs": lambda: repository.broken_refs("refs/"),
        "symbolic_ref": lambda: repository.symbolic_ref("HEAD"),
        "config": lambda: repository.config("core.editor"),
        "remotes": repository.remotes,
        "settings": lambda: repository.settings("."),
        "tips": lambda: repository.tips(["refs/heads/main", "refs/heads/absent"]),
        "find_objects": lambda: repository.find_objects(["HEAD^{commit}", "HEAD:absent"]),
        "commit": lambda: repository.commit(head),
        "tree_of": lambda: repository.tree_of(head),
        "has": lambda: repository.has(ABSENT),
        "list_tree": lambda: repository.list_tree(head),
        "raw_tree": lambda: repository.raw_tree(head),
        "grep": lambda: repository.grep(head, ["one", "two", "content"]),
        "entry": lambda: repository.entry(head, "README.md"),
        "read_blobs": lambda: list(
            repository.read_blobs([*(one.oid for one in repository.list_tree(head)), ABSENT], limit=10_000)
        ),
        "read_blob": lambda: repository.read_blob(ABSENT),
        "read_object": lambda: repository.read_object(head),
        "identity": repository.identity,
        "diff_trees": lambda: repository.diff_trees(repository.resolve("HEAD~1"), head),
        "diff_all": lambda: repository.diff_all([repository.resolve("HEAD~1"), head], head),
        "worktree_entries": repository.worktree_entries,
        "worktree_entries_staged": lambda: repository.worktree_entries(staged=True),
        "worktree_blob": lambda: [
            repository.worktree_blob(one.path, staged=staged)
            for one in repository.worktree_entries()
            for staged in (False, True)
        ],
        "status": repository.status,
        "first_parents": lambda: list(repository.first_parents(head)),
        "log": lambda: list(repository.log(since=None, until=head, paths=["README.md"])),
        "straight_line": lambda: repository.straight_line(
            since=repository.resolve("HEAD~1"), until=head, paths=["README.md"]
        ),
        "log_changes": lambda: list(repository.log_changes(until=head)),
        "changes_of": lambda: repository.changes_of([head]),
        "touched_since": lambda: list(
            repository.touched_since(until=head, since_date="2000-01-01T00:00:00+00:00")
        ),
        "merge_base": lambda: repository.merge_base(head, head),
        "patch": lambda: repository.patch(repository.resolve("HEAD~1"), head, ["README.md", "a.evil"]),
    }


def writes(repository: ProgramRepository) -> None:
    blob = repository.write_blob(b"x")
    tree = repository.write_tree([TreeEntry("a", MODE_FILE, blob)])
    commit = repository.write_commit(tree=tree, parents=[], message="x", author=Person("A", "a@x"))
    repository.move_ref("refs/ai/x", commit, old=None, message="made")
    repository.move_ref("refs/ai/x", None, old=commit)


def test_every_method_of_the_interface_is_called_here(repo: Repo) -> None:
    history(repo)
    with open_repository(repo.path) as repository:
        public = {name for name in dir(repository) if not name.startswith("_")}
        called = set(reads(repository))
    apart = {
        "close",
        "write_blob",
        "write_tree",
        "write_commit",
        "move_ref",
        "remote_tips",
        "held",
        "last",
        "kept",
    }
    assert public - called == apart


def set_traps(repo: Repo, folder: Path) -> None:
    """Configure every program that git could be made to run; each leaves a file when it was."""
    folder.mkdir()

    def trap(name: str) -> str:
        script = folder / f"{name}.sh"
        script.write_text(f"#!/bin/sh\ntouch '{folder}/{name}.sprung'\ncat\n")
        script.chmod(0o755)
        return str(script)

    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "sequence.editor",
        "pager.log",
        "pager.diff-tree",
    ):
        repo.git("config", key, trap(key))
    for word in ("status", "rev-parse", "ls-tree"):
        repo.git("config", f"alias.{word}", f"!{trap(f'alias.{word}')}")
    for key, value in {
        "filter.evil.required": "true",
        "log.showSignature": "true",
        "commit.gpgSign": "true",
        "core.splitIndex": "true",
    }.items():
        repo.git("config", key, value)
    hooks = folder / "hooks"
    hooks.mkdir()
    repo.git("config", "core.hooksPath", str(hooks))
    for name in (
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
        "post-checkout",
        "pre-auto-gc",
    ):
        (hooks / name).symlink_to(trap(f"hook.{name}"))
        own = repo.path / ".git" / "hooks" / name
        own.parent.mkdir(exist_ok=True)
        own.symlink_to(trap(f"own-hook.{name}"))


def trapped(repo: Repo, tmp_path: Path) -> Path:
    repo.write(".gitattributes", "*.evil filter=evil diff=evil text\n")
    repo.write("a.evil", "content\r\n$Id$ 한글\n")
    history(repo)
    repo.commit("third", {"a.evil": "other content\r\n$Id$ 한글\n", "README.md": "# three\n"})
    folder = tmp_path / "traps"
    set_traps(repo, folder)
    # As old as the index, and changed ones too: both make git look at the content.
    repo.write("b.evil", "new\r\n")
    os.utime(repo.path / ".git" / "index", ns=(0, (repo.path / "a.evil").stat().st_mtime_ns))
    return folder


def sprung(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.glob("*.sprung"))


def test_the_traps_can_spring(repo: Repo, tmp_path: Path) -> None:
    folder = trapped(repo, tmp_path)
    repo.git("status", check=False)
    repo.git("diff", check=False)
    repo.git("update-ref", "refs/heads/x", repo.head(), check=False)
    assert {"core.fsmonitor.sprung", "hook.reference-transaction.sprung"} <= set(sprung(folder))
    assert any("filter.evil" in name for name in sprung(folder))


def test_nothing_that_a_repository_configures_is_run(repo: Repo, tmp_path: Path, backend: Backend) -> None:
    folder = trapped(repo, tmp_path)
    with open_repository(repo.path, prefer=backend) as repository:
        for call in reads(repository).values():
            call()
        writes(repository)
    assert sprung(folder) == []


def test_nothing_that_a_submodule_configures_is_run(repo: Repo, tmp_path: Path) -> None:
    inner = history(Repo(tmp_path / "inner"))
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    history(repo)
    sub = Repo(repo.path / "sub", init=False)
    folder = tmp_path / "traps"
    folder.mkdir()
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.process"):
        script = folder / f"{key}.sh"
        script.write_text(f"#!/bin/sh\ntouch '{folder}/{key}.sprung'\ncat\n")
        script.chmod(0o755)
        sub.git("config", key, str(script))
    sub.write(".gitattributes", "* filter=evil\n")
    sub.write("README.md", "changed\n")
    with open_repository(repo.path) as repository:
        for call in reads(repository).values():
            call()
    assert sprung(folder) == []


def test_a_partial_clone_fetches_nothing_to_answer(repo: Repo, tmp_path: Path) -> None:
    history(repo).git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "-q", "--filter=blob:none", f"file://{repo.path}", str(tmp_path / "partial"))
    partial = Repo(tmp_path / "partial", init=False)
    old = partial.git("rev-parse", "HEAD~1:README.md")
    script = tmp_path / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch '{tmp_path}/fetched.sprung'\n")
    script.chmod(0o755)
    partial.git("config", "remote.origin.url", "ssh://example.invalid/x")
    partial.git("config", "core.sshCommand", str(script))
    with open_repository(partial.path) as repository:
        assert repository.read_blob(old).data is None
        assert not repository.has(old)
        assert len(repository.diff_trees(repository.resolve("HEAD~1"), repository.resolve("HEAD"))) > 5
    assert not (tmp_path / "fetched.sprung").exists()


def embedded_bare(repo: Repo, tmp_path: Path) -> tuple[Path, Path]:
    """A bare repository inside the work tree, as a commit could bring it; its configuration is a trap."""
    folder = repo.path / "docs" / "bare.git"
    inner = Repo(folder, bare=True)
    traps = tmp_path / "traps"
    traps.mkdir()
    script = traps / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch '{traps}/embedded.sprung'\n")
    script.chmod(0o755)
    inner.git("config", "core.fsmonitor", str(script))
    inner.git("config", "core.worktree", "..")
    inner.git("config", "core.bare", "false")
    return folder, traps


@pytest.mark.parametrize("worktree", [True, False])
def test_an_embedded_bare_repository_is_refused_and_runs_nothing(
    worktree: bool, repo: Repo, tmp_path: Path, backend: Backend
) -> None:
    head = history(repo).head()
    folder, traps = embedded_bare(repo, tmp_path)
    if not worktree:
        inner = Repo(folder, init=False)
        inner.git("--git-dir=.", "config", "--unset", "core.worktree")
        inner.git("--git-dir=.", "config", "core.bare", "true")
    for start in (folder, folder / "refs"):
        with pytest.raises(NotServedError, match="inside the work tree of another"):
            open_repository(start, prefer=backend)
    with open_repository(repo.path / "docs", prefer=backend) as repository:
        assert repository.head() == head
        for call in reads(repository).values():
            call()
    assert sprung(traps) == []


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(one): (one.lstat().st_mtime_ns, one.lstat().st_size) for one in sorted(folder.rglob("*"))}


def test_reading_writes_nothing(repo: Repo, backend: Backend) -> None:
    history(repo)
    repo.write("README.md", "edited\n")
    repo.write("new", "untracked\n")
    # Same content, other time: git status would refresh the index.
    os.utime(repo.path / "run.sh")
    before = snapshot(repo.path)
    index = (repo.path / ".git" / "index").read_bytes()
    with open_repository(repo.path, prefer=backend) as repository:
        for name, call in reads(repository).items():
            call()
            assert snapshot(repo.path) == before, name
    assert (repo.path / ".git" / "index").read_bytes() == index


def test_a_folder_that_is_no_repository(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=f"not a git repository: {tmp_path}") as caught:
        open_repository(tmp_path)
    assert "-C DIR" in caught.value.hint
    with pytest.raises(NotFoundError, match="no such folder"):
        open_repository(tmp_path / "nowhere")


def test_a_repository_of_another_user_names_gits_cure(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    history(repo)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(NotServedError, match="belongs to another user") as caught:
        open_repository(repo.path)
    assert "git config --global --add safe.directory" in caught.value.hint


def test_an_unknown_repository_format_is_not_served(repo: Repo) -> None:
    repo.git("config", "core.repositoryFormatVersion", "1")
    repo.git("config", "extensions.fromTheFuture", "true")
    with pytest.raises(NotServedError, match="format not supported"):
        open_repository(repo.path)


def test_a_broken_configuration_is_named(repo: Repo) -> None:
    (repo.path / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitmemError, match="bad config line 1"):
        open_repository(repo.path)


def test_no_git_program_is_said(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    with pytest.raises(NotServedError, match="git program was not found"):
        open_repository(repo.path)
