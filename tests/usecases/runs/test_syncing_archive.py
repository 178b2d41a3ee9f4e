"""Archived runs on their way between clones."""

from __future__ import annotations

import shutil
from datetime import date

import pytest

from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.archiving import archive_runs
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.listing import list_runs
from gitmem.usecases.runs.syncing import sync, unsynced
from gitmem.usecases.runs.verifying import verify
from tests.support.clones import clone, refs, synced, writer
from tests.support.repo import Repo


def ended(repo: Repo, run: str) -> None:
    with RunLedger.open(repo.path) as ledger:
        ledger.run(run).append(event_type="task_created", actor="human", payload={"task": run})
        ledger.run(run).append(event_type="completed", actor="human")


def archived(repo: Repo) -> tuple[str, ...]:
    with RunLedger.open(repo.path) as ledger:
        return archive_runs(ledger).archived


def commits(repo: Repo, run: str) -> list[str]:
    with RunLedger.open(repo.path) as ledger:
        assert verify(ledger).problems == ()
        return [event.commit for event in ledger.run(run).events()]


def test_an_archived_run_leaves_the_remote_and_every_clone_and_reads_the_same(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    for run in ("run-1", "run-2"):
        ended(ada, run)
    synced(ada)
    synced(bo)
    before = commits(bo, "run-1")
    assert archived(ada) == ("run-1", "run-2")
    done = synced(ada)
    archive = f"refs/ai/archive/{writer(ada)}"
    assert (done.pushed, done.rejected, done.reported, done.waiting) == ((archive,), (), (), ())
    assert list(refs(remote)) == [archive]
    told = synced(bo)
    assert (told.fetched, told.reported) == ((archive,), ())
    assert refs(bo) == refs(remote) == refs(ada)
    assert commits(bo, "run-1") == commits(ada, "run-1") == before
    with RunLedger.open(bo.path) as ledger:
        assert [row.archived for row in list_runs(ledger, everything=True).rows] == [True, True]
    assert synced(ada) == synced(bo) == Synced("origin")


def test_a_run_that_is_resumed_comes_back_everywhere(remote: Repo, ada: Repo, bo: Repo) -> None:
    ended(ada, "run-1")
    archived(ada)
    synced(ada)
    synced(bo)
    with RunLedger.open(bo.path) as ledger:
        ledger.run("run-1").append(event_type="run_resumed", actor="human")
    with RunLedger.open(ada.path) as ledger:
        ledger.run("run-1").append(event_type="finding_noted", actor="human", payload={"finding": "more"})
    for each in (ada, bo, ada):
        assert synced(each).reported == ()
    assert commits(ada, "run-1") == commits(bo, "run-1")
    assert len(commits(ada, "run-1")) == 4
    assert refs(ada) == refs(bo) == refs(remote)


def test_what_another_writer_has_not_archived_stays(remote: Repo, ada: Repo, bo: Repo) -> None:
    ended(ada, "run-1")
    synced(ada)
    synced(bo)
    with RunLedger.open(bo.path) as ledger:
        ledger.run("run-1").append(event_type="finding_noted", actor="human", payload={"finding": "late"})
    synced(bo)
    synced(ada)
    archived(ada)
    synced(ada)
    synced(bo)
    assert sorted(refs(remote)) == [f"refs/ai/archive/{writer(ada)}", f"refs/ai/runs/run-1/{writer(bo)}"]
    assert commits(ada, "run-1") == commits(bo, "run-1")
    assert archived(bo) == ("run-1",)
    synced(bo)
    synced(ada)
    assert refs(ada) == refs(bo) == refs(remote)
    assert len(refs(ada)) == 2


def test_a_ref_that_vanished_without_an_archive_is_still_reported(remote: Repo, ada: Repo, bo: Repo) -> None:
    for run in ("run-1", "run-2"):
        ended(ada, run)
    synced(ada)
    synced(bo)
    remote.git("update-ref", "-d", f"refs/ai/runs/run-2/{writer(ada)}")
    with RunLedger.open(ada.path) as ledger:
        ledger.run("run-2").append(event_type="run_resumed", actor="human")
    archived(ada)
    remote.git("fetch", "-q", str(ada.path), "refs/ai/archive/*:refs/ai/archive/*")
    remote.git("update-ref", "-d", f"refs/ai/runs/run-1/{writer(ada)}")
    (told,) = synced(bo).reported
    assert (told.ref, told.what) == (f"refs/ai/runs/run-2/{writer(ada)}", "vanished")


def test_an_archive_that_lies_behind_what_was_seen_hides_no_rollback(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    ended(ada, "run-1")
    archived(ada)
    synced(ada)
    synced(bo)
    with RunLedger.open(ada.path) as ledger:
        ledger.run("run-1").append(event_type="run_resumed", actor="human")
    synced(ada)
    synced(bo)
    remote.git("update-ref", "-d", f"refs/ai/runs/run-1/{writer(ada)}")
    (told,) = synced(bo).reported
    assert told.what == "vanished"
    assert len(commits(bo, "run-1")) == 3


def test_a_server_that_deletes_nothing_is_told_and_nothing_is_lost(remote: Repo, ada: Repo, bo: Repo) -> None:
    hook = remote.path / "hooks" / "update"
    hook.write_text('#!/bin/sh\ncase $3 in 0000*) echo "no deletions" >&2; exit 1;; esac\n')
    hook.chmod(0o755)
    ended(ada, "run-1")
    synced(ada)
    synced(bo)
    archived(ada)
    done = synced(ada)
    assert ([one.what for one in done.reported], done.rejected) == (["kept"], ())
    synced(bo)
    assert synced(bo) == Synced("origin")
    assert commits(bo, "run-1") == commits(ada, "run-1")


def test_the_run_that_is_current_here_stays_where_its_pseudo_ref_names_it(ada: Repo, bo: Repo) -> None:
    ended(ada, "run-1")
    synced(ada)
    synced(bo)
    with RunLedger.open(bo.path) as ledger:
        ledger.set_current(ledger.run("run-1"))
    archived(ada)
    synced(ada)
    synced(bo)
    assert bo.git("log", "--oneline", "AI_RUN")


def test_a_new_clone_can_leave_the_archives_out(remote: Repo, ada: Repo) -> None:
    ended(ada, "run-20260101-aaaaa")
    archived(ada)
    ended(ada, "run-20260801-bbbbb")
    synced(ada)
    new = clone(remote, "new")
    done = synced(new, since=date(2026, 7, 1))
    assert done.left_out == (f"refs/ai/archive/{writer(ada)}",)
    assert len(refs(new)) == 1
    assert len(synced(new).fetched) == 1


def test_an_archive_that_was_not_sent_waits(ada: Repo) -> None:
    ended(ada, "run-1")
    synced(ada)
    archived(ada)
    with RunLedger.open(ada.path) as ledger:
        assert unsynced(ledger).refs == (f"refs/ai/archive/{writer(ada)}",)
        sync(ledger)
        assert unsynced(ledger).refs == ()


def test_a_copied_clone_archives_its_own_refs_alone(remote: Repo, ada: Repo) -> None:
    ended(ada, "run-1")
    synced(ada)
    shutil.copytree(ada.path, ada.path.parent / "copy")
    copy = Repo(ada.path.parent / "copy", init=False)
    assert archived(copy) == ()
    ended(copy, "run-2")
    assert archived(copy) == ("run-2",)
    assert archived(ada) == ("run-1",)
    for each in (ada, copy, ada, copy):
        done = synced(each)
        assert (done.rejected, done.reported) == ((), ())
    assert refs(ada) == refs(copy) == refs(remote)


def test_an_archive_that_was_rewritten_on_the_remote_is_reported(remote: Repo, ada: Repo, bo: Repo) -> None:
    ended(ada, "run-1")
    archived(ada)
    synced(ada)
    synced(bo)
    archive = f"refs/ai/archive/{writer(ada)}"
    tree = remote.git("mktree", stdin=b"")
    remote.git("update-ref", archive, remote.git("commit-tree", tree, "-m", "forged"))
    for each in (bo, ada):
        (told,) = synced(each).reported
        assert (told.ref, told.what) == (archive, "rewritten")
    assert len(commits(bo, "run-1")) == 2


@pytest.mark.parametrize("moment", ["before the archive", "after it"])
def test_a_sync_that_ended_half_way_is_taken_up_again(remote: Repo, ada: Repo, bo: Repo, moment: str) -> None:
    ended(ada, "run-1")
    synced(ada)
    synced(bo)
    archived(ada)
    if moment == "after it":
        ada.git("push", "-q", "origin", "refs/ai/archive/*:refs/ai/archive/*")
    assert synced(bo).reported == ()
    synced(ada)
    synced(bo)
    assert refs(ada) == refs(bo) == refs(remote)
    assert len(refs(bo)) == 1


@pytest.mark.parametrize("options", [["--depth=1"], ["--filter=blob:none"], ["--filter=tree:0"], ["--bare"]])
def test_every_kind_of_clone_reads_the_archive(remote: Repo, ada: Repo, options: list[str]) -> None:
    ended(ada, "run-1")
    archived(ada)
    synced(ada)
    remote.git("config", "uploadpack.allowFilter", "true")
    other = clone(remote, "other", *options)
    synced(other)
    assert commits(other, "run-1") == commits(ada, "run-1")
    ended(other, "run-2")
    assert archived(other) == ("run-2",)
    synced(other)
    synced(ada)
    assert commits(ada, "run-2") == commits(other, "run-2")
