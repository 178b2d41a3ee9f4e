"""The hot path of hooks, on real repositories: what it writes is what the ledger reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.wire import append as hot
from gitmem.wire import spawn
from gitmem.wire.append import AppendFailedError, append_event
from gitmem.wire.locks import acquire_lock, release_lock
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import check_history, ledger

EVENT: dict[str, object] = {
    "type": "commit_recorded",
    "at": "2026-07-13T09:28:00+09:00",
    "actor": "git",
    "payload": {"subject": "Fix retry", "files": ["a.py"]},
}


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Command words of the git processes that were started."""
    words: list[str] = []
    run = spawn.run_git

    def counted(arguments: tuple[str, ...], **given: object) -> tuple[int, bytes, bytes]:
        words.append(arguments[1])
        return run(arguments, **given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(hot, "run_git", counted)
    return words


def append(repo: Repo, run: str = "run-1", **given: object) -> tuple[str, int]:
    git_dir = str(repo.path / ".git")
    written = append_event(git_dir=git_dir, common_dir=git_dir, run=run, event={**EVENT, **given})
    assert written is not None
    return written


def test_the_ledger_reads_what_a_hook_appended(repo: Repo) -> None:
    head = repo.commit("first", {"a": "1"})

    commits = [append(repo) for _ in range(3)]

    events = check_history(repo, "run-1", {"hook": [commit for commit, _ in commits]})
    assert [seq for _, seq in commits] == [event.seq for event in events] == [1, 2, 3]
    assert events[0].code == head
    assert events[0].payload == EVENT["payload"]
    with ledger(repo.path) as book:
        book.run("run-1").append(event_type="finding_noted", actor="human", payload={"finding": "x"})
        assert append(repo)[1] == 5
        assert book.verify("run-1").ok


def test_it_takes_three_processes(repo: Repo, spawned: list[str]) -> None:
    repo.commit("first", {"a": "1"})
    append(repo)
    spawned.clear()

    append(repo)

    assert spawned == ["for-each-ref", "commit-tree", "update-ref"]


def test_the_first_event_goes_on_from_the_run_that_the_pseudo_ref_names(
    repo: Repo, spawned: list[str]
) -> None:
    repo.commit("first", {"a": "1"})
    with ledger(repo.path) as book:
        run = book.run("run-1")
        run.append(event_type="task_created", actor="human", artifacts={"plan.json": b"{}"})
        repo.git("update-ref", "refs/ai/runs/run-1/otherclone", run.tips()[run.ref()])
        repo.git("update-ref", "-d", run.ref())
        book.set_current(run)

    append(repo)

    assert spawned == ["for-each-ref", "commit-tree", "update-ref", "symbolic-ref"]
    assert repo.git("show", "AI_RUN:artifacts/plan.json") == "{}"
    with ledger(repo.path) as book:
        assert [event.seq for event in book.run("run-1").events()] == [1, 2]
        assert repo.git("symbolic-ref", "AI_RUN") == f"refs/ai/runs/run-1/{book.writer()}"


def test_without_the_pseudo_ref_it_goes_on_from_the_highest_seq(repo: Repo, spawned: list[str]) -> None:
    repo.commit("first", {"a": "1"})
    with ledger(repo.path) as book:
        run = book.run("run-1")
        first = run.append(event_type="task_created", actor="human")
        second = run.append(event_type="plan_approved", actor="human")
        repo.git("update-ref", "-d", run.ref())
    repo.git("update-ref", "refs/ai/runs/run-1/zzz", first.commit)
    repo.git("update-ref", "refs/ai/runs/run-1/aaa", second.commit)

    assert append(repo)[1] == 3
    assert spawned == ["for-each-ref", "commit-tree", "update-ref"]


def test_the_first_event_of_a_run_takes_four(repo: Repo, spawned: list[str]) -> None:
    repo.commit("first", {"a": "1"})

    append(repo)

    assert spawned == ["for-each-ref", "mktree", "commit-tree", "update-ref"]


def test_a_detached_head_and_a_linked_work_tree_name_their_own_code(repo: Repo, tmp_path: Path) -> None:
    first = repo.commit("first", {"a": "1"})
    second = repo.commit("second", {"a": "2"})
    repo.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), first)
    common = str(repo.path / ".git")

    append_event(git_dir=f"{common}/worktrees/linked", common_dir=common, run="run-1", event=EVENT)
    append(repo)

    with ledger(repo.path) as book:
        assert [event.code for event in book.run("run-1").events()] == [first, second]


def test_a_commit_message_cannot_pose_as_a_tip(repo: Repo) -> None:
    first = repo.commit("first", {"a": "1"})
    repo.commit(
        f"second\n\nbody\nrefs/ai/runs/run-1/zzz {first} {first} " + '{"$format":1,"seq":40}', {"a": "2"}
    )

    assert append(repo)[1] == 1
    assert append(repo)[1] == 2


def test_a_damaged_ref_is_not_taken_for_an_absent_one(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    append(repo)
    ref = repo.git("for-each-ref", "--format=%(refname)", "refs/ai")
    (repo.path / ".git" / ref).write_bytes(b"\0" * 41)

    with pytest.raises(AppendFailedError):
        append(repo)


def test_it_works_unborn_and_without_an_identity(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("GIT_COMMITTER", "GIT_AUTHOR")):
            monkeypatch.delenv(name)
    repo.git("config", "user.useConfigOnly", "true")

    commit, seq = append(repo)

    assert seq == 1
    assert repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>", commit) == " ".join(
        ["gitmem <gitmem@localhost>"] * 2
    )
    with ledger(repo.path) as book:
        assert book.run("run-1").events()[0].code is None


def test_an_event_that_may_hold_a_secret_is_not_written_unmasked(repo: Repo) -> None:
    with pytest.raises(ValueError, match="secret"):
        append(repo, payload={"subject": "use AKIAABCDEFGHIJKLMNOP"})

    assert repo.git("for-each-ref") == ""
    assert "AKIA" not in repo.git("cat-file", "--batch-all-objects", "--batch")


def test_a_busy_lock_ends_soon(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    descriptor = acquire_lock(repo.path / ".git" / "gitmem" / "lock", timeout=1)
    try:
        with pytest.raises(TimeoutError):
            append(repo)
    finally:
        release_lock(descriptor)


def test_an_old_lock_of_a_killed_process_is_recovered_and_a_fresh_one_is_told(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    append(repo)
    ref = repo.git("for-each-ref", "--format=%(refname)", "refs/ai")
    lock = repo.path / ".git" / f"{ref}.lock"
    lock.touch()

    with pytest.raises(AppendFailedError, match="lock"):
        append(repo)
    os.utime(lock, (1, 1))
    assert append(repo)[1] == 2


def test_a_tip_that_is_no_event_is_not_built_upon(repo: Repo) -> None:
    head = repo.commit("first", {"a": "1"})
    append(repo)
    ref = repo.git("for-each-ref", "--format=%(refname)", "refs/ai")
    repo.git("update-ref", ref, head)

    with pytest.raises(AppendFailedError, match="no event"):
        append(repo)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_both_kinds_of_object_ids(tmp_path: Path, object_format: str) -> None:
    repo = Repo(tmp_path / object_format, object_format=object_format)

    assert [append(repo)[1] for _ in range(2)] == [1, 2]


def test_nothing_slow_is_imported() -> None:
    code = "import sys; import gitmem.wire.append; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(hot.__file__).parents[2],
    )

    slow = {
        "click",
        "pygit2",
        "ruamel",
        "pydantic",
        "re",
        "json",
        "dataclasses",
        "typing",
        "importlib.metadata",
        "hashlib",
    }
    assert slow & set(loaded.stdout.split()) == set()
