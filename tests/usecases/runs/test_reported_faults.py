"""Faults that were reported of tools of this kind, each as one test on real repositories."""

from __future__ import annotations

import os
import signal
import zlib
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.git.runner import Runner
from gitmem.store.ledger import RunLedger
from gitmem.usecases.hooks import install
from gitmem.usecases.runs.archiving import archive_runs
from gitmem.usecases.runs.exporting import export_run
from gitmem.usecases.runs.starting import start_run
from gitmem.usecases.runs.syncing import sync
from gitmem.usecases.runs.verifying import verify
from tests.redaction.planted import planted
from tests.support.cli import gitmem
from tests.support.clones import clone, refs, synced, writer
from tests.support.repo import Repo
from tests.support.writers import CONTEXT


def notes(repo: Repo, count: int, run: str = "run-1") -> None:
    with RunLedger.open(repo.path) as ledger:
        for number in range(count):
            ledger.run(run).append(
                event_type="finding_noted", actor="human", payload={"finding": str(number)}
            )


def counted(repo: Repo, run: str = "run-1") -> int:
    with RunLedger.open(repo.path) as ledger:
        assert verify(ledger).problems == ()
        return len(ledger.run(run).events())


def test_a_hook_beside_what_another_machine_recorded_only_adds(remote: Repo, ada: Repo, bo: Repo) -> None:
    """beads#3729: an export on commit without an import after the pull dropped 49 of 140 records."""
    for each in (ada, bo):
        install(open_repository(each.path))
    with RunLedger.open(ada.path) as ledger:
        start_run(ledger, "task", actor="human", run="run-1")
    notes(ada, 20)
    synced(ada)
    synced(bo)
    with RunLedger.open(bo.path) as ledger:
        ledger.set_current(ledger.run("run-1"))
    tracked = bo.git("ls-files", "-s")
    bo.git("commit", "-q", "--allow-empty", "-m", "from bo")
    assert bo.git("ls-files", "-s") == tracked
    bo.git("push", "-q", "origin", "main")
    for each in (bo, ada, bo):
        synced(each)
    assert counted(ada) == counted(bo) == 22


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_killed_sync_leaves_nothing_to_repair(remote: Repo, ada: Repo, bo: Repo, moment: str) -> None:
    """beads#609: a work tree of the tool's own stayed registered, and syncing was stuck for ever."""
    notes(bo, 1, "run-2")
    synced(bo)
    for place in range(12):
        notes(ada, 1)
        if not _killed_sync(ada, place, moment):
            break
    else:
        raise AssertionError("a sync calls git less often")
    assert ada.git("worktree", "list").count("\n") == 0
    assert synced(ada).rejected == ()
    assert refs(ada) == refs(remote)
    assert counted(ada) >= place
    for each in (ada, remote):
        assert each.git("fsck", "--full", "--strict", "--no-dangling") == ""


def _killed_sync(repo: Repo, place: int, moment: str) -> bool:
    """Let a process sync and be killed around one of its calls of git. Returns whether it came so far."""

    def work() -> None:
        calls = 0
        run = Runner.run

        def killing(self: Runner, *arguments: str, **given: object) -> object:
            nonlocal calls
            calls += 1
            if calls > place and moment == "before":
                os.kill(os.getpid(), signal.SIGKILL)
            answer = run(self, *arguments, **given)  # type: ignore[arg-type]  # passed on as it came
            if calls > place:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        Runner.run = killing  # type: ignore[method-assign, assignment]  # this process is thrown away
        with RunLedger.open(repo.path) as ledger:
            sync(ledger)

    process = CONTEXT.Process(target=work)
    process.start()
    process.join()
    return process.exitcode == -signal.SIGKILL


@pytest.mark.parametrize("place", ["..", ".git", "empty", "../other"])
def test_no_writing_command_moves_a_branch_from_the_wrong_folder(remote: Repo, ada: Repo, place: str) -> None:
    """gastown#824: a commit made in the wrong folder held one file instead of the code, and was pushed."""
    other = Repo(ada.path.parent / "other")
    other.commit("other", {"b": "1"})
    (ada.path / "empty").mkdir()
    before = [each.git("for-each-ref", "refs/heads", "refs/tags") for each in (ada, other, remote)]
    for words in (
        ["run", "start", "task"],
        ["run", "note", "x"],
        ["run", "end"],
        ["run", "archive"],
        ["sync"],
    ):
        assert gitmem(*words, at=ada.path / place).code in {0, 3}
    assert [each.git("for-each-ref", "refs/heads", "refs/tags") for each in (ada, other, remote)] == before
    assert all(name.startswith("refs/ai/") for name in refs(remote))
    assert ada.git("status", "--porcelain") == other.git("status", "--porcelain") == ""


def test_no_secret_reaches_objects_or_exported_files_however_large(repo: Repo, tmp_path: Path) -> None:
    """entireio/cli#375: transcripts with keys were committed; what masked them covered one of two ways."""
    pairs = planted(40)
    secrets = [secret for secret, _ in pairs]
    text = "\n".join(sentence for _, sentence in pairs)
    with RunLedger.open(repo.path) as ledger:
        run = ledger.run("run-1")
        big = (text + "\n").encode() + b"x y\n" * (1 << 18)
        run.append(
            event_type="artifact_saved",
            actor="human",
            payload={"path": text, "deep": [{"again": text}]},
            artifacts={"big.log": big, "small.log": text.encode()},
            files={"handoff.md": text.encode()},
        )
        run.append(event_type="completed", actor="human", payload={"outcome": text})
        export_run(ledger, run, tmp_path / "out")
        archive_runs(ledger)
    ids = repo.git("cat-file", "--batch-check=%(objectname)", "--batch-all-objects").split()
    contents = repo.git("cat-file", "--batch", stdin="\n".join(ids).encode())
    exported = b"".join(file.read_bytes() for file in (tmp_path / "out").rglob("*") if file.is_file())
    assert [one for one in secrets if one in contents or one.encode() in exported] == []


def test_odd_lines_in_the_configuration_break_nothing(ada: Repo) -> None:
    """git-bug#688: one branch with `merge = refs/pull/1/head` made every command fail."""
    notes(ada, 1)
    file = ada.path / ".git" / "config"
    odd = (
        '[branch "x"]\n\tmerge = refs/pull/6952/head\n\tmerge = again\n[branch "x"]\n[unknown "a.b"]\n\tkey\n'
    )
    file.write_text(
        f'{file.read_text()}{odd}[includeIf "gitdir:/nowhere/"]\n\tpath = /nowhere\n[gitmem]\n\tfuture = 1\n'
    )
    for words in (["run", "list", "--all"], ["run", "log", "run-1"], ["run", "verify"], ["status"], ["sync"]):
        assert gitmem(*words, at=ada.path).code == 0


def test_a_truncated_tip_keeps_no_commit_from_being_made(repo: Repo) -> None:
    """libgit2#7342: reading a truncated object never ends."""
    repo.commit("first", {"a": "1"})
    install(open_repository(repo.path))
    with RunLedger.open(repo.path) as ledger:
        run, _ = start_run(ledger, "task", actor="human", run="run-1")
        tip = run.tips()[run.ref()]
    file = repo.path / ".git" / "objects" / tip[:2] / tip[2:]
    data = file.read_bytes()
    for part in (10, 30, 50, 90):
        file.chmod(0o600)
        file.write_bytes(data[: len(data) * part // 100])
        head = repo.head()
        assert repo.commit(f"at {part} %", {"a": str(part)}) != head
        done = gitmem("run", "verify", "--json", at=repo.path)
        assert (done.code, tip in done.out) == (1, True)
        assert gitmem("run", "list", at=repo.path).code == 0


def test_an_object_that_claims_to_be_smaller_is_damage(repo: Repo) -> None:
    """libgit2#7177: an object longer than it says wrote out of bounds."""
    with RunLedger.open(repo.path) as ledger:
        ledger.run("run-1").append(event_type="artifact_saved", actor="a", artifacts={"a.log": b"x" * 50})
        (ref,) = ledger.run("run-1").tips()
    oid = repo.git("rev-parse", f"{ref}:artifacts/a.log")
    file = repo.path / ".git" / "objects" / oid[:2] / oid[2:]
    file.chmod(0o600)
    file.write_bytes(zlib.compress(b"blob 12\0" + b"x" * 50))
    for backend in ("library", "program"):
        with RunLedger(open_repository(repo.path, prefer=backend)) as ledger:
            assert [one.kind for one in verify(ledger).problems] == ["missing_artifact"]


@pytest.mark.parametrize("steps", [1, 2])
def test_a_ref_that_the_server_moved_back_is_noticed(remote: Repo, ada: Repo, bo: Repo, steps: int) -> None:
    """CVE-2026-44544: what is older and still valid was put in place of what is newer. Servers guard branches alone."""
    remote.git("config", "receive.denyNonFastForwards", "true")
    remote.git("config", "receive.denyDeletes", "true")
    notes(ada, 3)
    synced(ada)
    synced(bo)
    ref = f"refs/ai/runs/run-1/{writer(ada)}"
    ada.git("push", "-q", "origin", f"+{ref}~{steps}:{ref}")
    for each in (bo, ada):
        (told,) = synced(each).reported
        assert (told.ref, told.what, "moved back" in told.message) == (ref, "rewritten", True)
    assert counted(bo) == 3
    assert refs(remote) == refs(ada)
    assert synced(bo).reported == ()


def test_a_forged_cut_of_history_is_no_whole_history(repo: Repo) -> None:
    """Measured: the tip's id in .git/shallow hides all that lies before it."""
    notes(repo, 3)
    with RunLedger.open(repo.path) as ledger:
        (tip,) = ledger.run("run-1").tips().values()
    (repo.path / ".git" / "shallow").write_text(f"{tip}\n")
    with RunLedger.open(repo.path) as ledger:
        assert "incomplete" in {one.kind for one in verify(ledger).problems}


def test_a_new_repository_format_takes_part_in_everything(tmp_path: Path) -> None:
    """libgit2#7182: repositories with SHA-256 are not opened."""
    repo = Repo(tmp_path / "long", object_format="sha256")
    repo.commit("first", {"a": "1"})
    remote = Repo(tmp_path / "remote.git", bare=True, object_format="sha256")
    repo.git("remote", "add", "origin", str(remote.path))
    repo.git("push", "-q", "origin", "main")
    with RunLedger.open(repo.path) as ledger:
        run = ledger.run("run-1")
        run.append(event_type="artifact_saved", actor="a", artifacts={"big.log": b"x y\n" * (1 << 19)})
        run.append(event_type="completed", actor="a")
        before = run.load()
        assert archive_runs(ledger).archived == ("run-1",)
        assert len(sync(ledger, artifacts=True).pushed) == 2
        export_run(ledger, run, tmp_path / "out")
        assert verify(ledger).problems == ()
    other = clone(remote, "other")
    synced(other, artifacts=True)
    with RunLedger.open(other.path) as ledger:
        assert ledger.run("run-1").load() == before
        assert ledger.run("run-1").artifact("big.log") == b"x y\n" * (1 << 19)
        assert verify(ledger).problems == ()
