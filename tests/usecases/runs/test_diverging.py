"""Clones that were restored from an older copy: nothing acknowledged is lost, nothing doubled, all show the same."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.store.carrying import STEPS, Parted, go_on_under_a_new_id
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.archiving import archive_runs
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.starting import start_run
from gitmem.usecases.runs.syncing import unsynced
from gitmem.usecases.runs.verifying import verify
from tests.support.cli import gitmem
from tests.support.clones import clone, refs, synced, writer
from tests.support.repo import Repo

Log = list[tuple[int, str, str, str]]


def note(repo: Repo, text: str, run: str = "run-1", **given: object) -> None:
    with RunLedger.open(repo.path) as ledger:
        ledger.run(run).append(
            event_type="finding_noted",
            actor="human",
            payload={"finding": text},
            **given,  # type: ignore[arg-type]  # passed on as it came
        )


def log(repo: Repo, run: str = "run-1") -> Log:
    with RunLedger.open(repo.path) as ledger:
        assert verify(ledger).problems == ()
        return [(one.seq, one.writer, one.id, one.payload["finding"]) for one in ledger.run(run).events()]


def texts(repo: Repo, run: str = "run-1") -> list[str]:
    return sorted(text for _, _, _, text in log(repo, run))


def restored(repo: Repo, between: Callable[[], object]) -> None:
    """Take a copy of the clone, let something happen, and put the copy back in its place."""
    copy = repo.path.parent / "backup"
    shutil.copytree(repo.path, copy, symlinks=True)
    between()
    shutil.rmtree(repo.path)
    copy.rename(repo.path)


def lose(repo: Repo, run: str = "run-1") -> Synced:
    note(repo, "lost", run)
    return synced(repo)


def lost_and_mine(ada: Repo, *runs: str) -> None:
    for run in runs:
        note(ada, "one", run)
    synced(ada)

    restored(ada, lambda: [lose(ada, run) for run in runs])
    for run in runs:
        note(ada, "mine", run, artifacts={"a.log": b"mine"})
        note(ada, "mine too", run)


def test_what_a_restored_clone_wrote_goes_on_under_a_new_id(remote: Repo, ada: Repo, bo: Repo) -> None:
    lost_and_mine(ada, "run-1", "run-2")
    note(ada, "unsent", "run-3")
    before, first = log(ada), writer(ada)
    done = synced(ada)
    assert [(one.what, "2 events of it are sent" in one.message) for one in done.reported] == [
        ("diverged", True)
    ] * 2
    assert (len(done.fetched), len(done.pushed), done.rejected, done.waiting) == (2, 3, (), ())
    assert writer(ada) != first
    assert synced(ada) == Synced("origin")
    synced(bo)
    for run in ("run-1", "run-2"):
        assert log(ada, run) == log(bo, run)
        assert texts(bo, run) == ["lost", "mine", "mine too", "one"]
    assert texts(bo, "run-3") == ["unsent"]
    after = log(ada)
    assert {(seq, name, text) for seq, _, name, text in before} <= {
        (seq, name, text) for seq, _, name, text in after
    }
    with RunLedger.open(bo.path) as ledger:
        mine = next(one for one in ledger.run("run-1").events() if one.payload["finding"] == "mine")
        assert ledger.run("run-1").artifact("a.log", event=mine) == b"mine"
    note(ada, "more")
    note(bo, "more of bo")
    for each in (ada, bo, ada):
        assert synced(each).reported == ()
    assert log(ada) == log(bo)
    assert refs(ada) == refs(bo) == refs(remote)
    assert ada.git("fsck", "--full", "--strict", "--no-dangling") == ""


def test_a_restored_clone_that_wrote_nothing_takes_what_it_lost(remote: Repo, ada: Repo) -> None:
    note(ada, "one")
    synced(ada)

    restored(ada, lambda: (lose(ada), lose(ada, "run-2")))
    first = writer(ada)
    done = synced(ada)
    assert ([one.what for one in done.reported], len(done.fetched), done.waiting) == (["ahead"], 2, ())
    note(ada, "mine")
    assert writer(ada) != first
    assert synced(ada).rejected == ()
    assert (texts(ada), texts(ada, "run-2")) == (["lost", "mine", "one"], ["lost"])
    assert refs(ada) == refs(remote)


def test_two_machines_under_one_id_end_with_the_same_log(remote: Repo, ada: Repo, bo: Repo) -> None:
    """A machine that was copied whole: the same path, the same id, both alive."""
    note(ada, "one")
    synced(ada)
    twin = ada.path.parent / "twin"
    shutil.copytree(ada.path, twin, symlinks=True)
    home, away = ada.path, ada.path.parent / "away"

    def as_twin(act: Callable[[], object]) -> None:
        home.rename(away)
        twin.rename(home)
        act()
        home.rename(twin)
        away.rename(home)

    for turn in range(2):
        note(ada, f"ada {turn}")
        as_twin(lambda turn=turn: note(ada, f"twin {turn}"))  # type: ignore[misc]  # the default binds the turn
        synced(ada)
        as_twin(lambda: synced(ada))
    synced(ada)
    synced(bo)
    assert texts(bo) == ["ada 0", "ada 1", "one", "twin 0", "twin 1"]
    assert log(ada) == log(bo)
    as_twin(lambda: synced(ada))
    as_twin(lambda: shutil.copytree(home, ada.path.parent / "look"))
    assert log(Repo(ada.path.parent / "look", init=False)) == log(bo)


def test_a_ledger_that_began_twice_under_one_id(remote: Repo, ada: Repo, bo: Repo) -> None:
    note(ada, "made the id", "run-0")
    restored(ada, lambda: lose(ada, "inbox"))
    note(ada, "mine", "inbox")
    synced(ada)
    synced(bo)
    assert log(ada, "inbox") == log(bo, "inbox")
    assert texts(bo, "inbox") == ["lost", "mine"]


def test_a_retried_append_is_recognised_under_the_new_id(ada: Repo) -> None:
    note(ada, "one", id="first")
    synced(ada)
    restored(ada, lambda: lose(ada))
    note(ada, "mine", id="retried")
    synced(ada)
    note(ada, "mine", id="retried")
    note(ada, "one", id="first")
    assert texts(ada) == ["lost", "mine", "one"]


def test_a_process_that_was_open_all_the_time_writes_under_the_new_id(ada: Repo, bo: Repo) -> None:
    lost_and_mine(ada, "run-1")
    with RunLedger.open(ada.path) as ledger:
        run = ledger.run("run-1")
        run.append(event_type="finding_noted", actor="human", payload={"finding": "before"})
        synced(ada)
        after = run.append(event_type="finding_noted", actor="human", payload={"finding": "after"})
    assert after.writer == writer(ada)
    synced(ada)
    synced(bo)
    assert log(ada) == log(bo)
    assert texts(bo) == ["after", "before", "lost", "mine", "mine too", "one"]


def test_the_current_run_names_the_new_ref(ada: Repo) -> None:
    with RunLedger.open(ada.path) as ledger:
        run = start_run(ledger, "task", actor="human", run="run-1")[0]
    synced(ada)
    restored(ada, lambda: lose(ada))
    note(ada, "mine")
    synced(ada)
    assert ada.git("symbolic-ref", "AI_RUN") == f"refs/ai/runs/{run.id}/{writer(ada)}"
    assert "mine" in ada.git("log", "-1", "--format=%B", "AI_RUN")


@pytest.mark.parametrize("at", STEPS)
def test_whoever_is_killed_in_between_is_taken_up_again(remote: Repo, ada: Repo, bo: Repo, at: str) -> None:
    lost_and_mine(ada, "run-1", "run-2")
    there = refs(remote)
    for oid in there.values():
        ada.git("fetch", "-q", "origin", oid)

    class Killed(BaseException):
        pass

    def step(name: str) -> None:
        if name == at:
            raise Killed

    with RunLedger.open(ada.path) as ledger, pytest.raises(Killed):
        go_on_under_a_new_id(
            ledger.writing(),
            {ref: Parted(oid, is_trusted=True) for ref, oid in there.items()},
            writer=ledger.writer(),
            step=step,
        )
    for run in ("run-1", "run-2"):
        assert {"mine", "mine too", "one"} <= set(texts(ada, run))
        assert len(texts(ada, run)) == len(set(texts(ada, run)))
    note(ada, "between")
    done = synced(ada)
    assert (done.rejected, done.waiting) == ((), ())
    synced(bo)
    for run, more in (("run-1", ["between"]), ("run-2", [])):
        assert log(ada, run) == log(bo, run)
        assert texts(bo, run) == sorted([*more, "lost", "mine", "mine too", "one"])
    assert synced(ada) == Synced("origin")
    assert refs(ada) == refs(bo) == refs(remote)


def test_an_archive_of_a_restored_clone(remote: Repo, ada: Repo, bo: Repo) -> None:
    def end(run: str) -> Repo:
        with RunLedger.open(ada.path) as ledger:
            ledger.run(run).append(event_type="completed", actor="human", payload={"finding": "end"})
            archive_runs(ledger)
        return ada

    note(ada, "one")
    note(ada, "one", "run-2")
    synced(ada)
    restored(ada, lambda: synced(end("run-1")))
    note(ada, "mine")
    end("run-2")
    for each in (ada, ada, bo, ada):
        done = synced(each)
        assert (done.rejected, done.waiting) == ((), ())
    assert log(ada) == log(bo)
    assert texts(bo) == ["end", "mine", "one"]
    assert texts(ada, "run-2") == texts(bo, "run-2") == ["end", "one"]


def test_a_forged_line_is_not_taken_and_what_is_missing_reaches_new_clones(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    note(ada, "one")
    note(ada, "two")
    synced(ada)
    synced(bo)
    ref = f"refs/ai/runs/run-1/{writer(ada)}"
    tree = remote.git("rev-parse", f"{ref}^{{tree}}")
    forged = remote.git("commit-tree", tree, "-p", f"{ref}~1", "-m", "#2 finding_noted: forged")
    remote.git("update-ref", ref, forged)
    before = log(ada)
    for _ in range(2):
        done = synced(ada)
        assert [(one.ref, one.what) for one in done.reported] == [(ref, "rewritten")]
        assert (done.rejected, done.waiting) == ((), ())
    with RunLedger.open(ada.path) as ledger:
        assert unsynced(ledger).refs == ()
    assert log(ada) == before
    assert remote.git("rev-parse", ref) == forged
    assert [one.what for one in synced(bo).reported] == ["rewritten"]
    assert log(bo) == before
    new = clone(remote, "new")
    synced(new)
    with RunLedger.open(new.path) as ledger:
        assert [one.payload["finding"] for one in ledger.run("run-1").events()] == ["one", "two"]


def test_two_remotes_of_which_each_has_another_line(ada: Repo, tmp_path: Path) -> None:
    second = Repo(tmp_path / "second.git", bare=True)
    ada.git("remote", "add", "second", str(second.path))
    lost_and_mine(ada, "run-1")
    synced(ada, "second")
    for _ in range(2):
        for name in ("origin", "second"):
            done = synced(ada, name)
            assert (done.rejected, done.waiting) == ((), ())
    assert texts(ada) == ["lost", "mine", "mine too", "one"]
    count = len(refs(ada))
    synced(ada, "origin")
    assert len(refs(ada)) == count
    of_second = clone(second, "of-second")
    synced(of_second)
    assert texts(of_second) == texts(ada)


def test_the_command_says_what_happened_in_one_line(ada: Repo) -> None:
    lost_and_mine(ada, "run-1")
    told = gitmem("sync", at=ada.path)
    assert told.code == 0
    assert "diverged: refs/ai/runs/run-1/" in told.out
    assert "nothing new" not in told.out


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_order_of_copying_restoring_archiving_and_syncing(
    remote: Repo, tmp_path: Path, seed: int
) -> None:
    """What was sent before a clone was thrown away, and all that was written since, is in every log, once."""
    chance = random.Random(seed)
    clones = [clone(remote, f"clone-{number}") for number in range(3)]
    written: dict[str, set[str]] = {"run-1": set(), "run-2": set()}
    for number in range(24):
        at = chance.choice(clones)
        copy = tmp_path / f"copy-{at.path.name}"
        act = chance.choice(["note", "note", "note", "sync", "sync", "copy", "restore", "archive"])
        if act == "note":
            run = chance.choice(sorted(written))
            with RunLedger.open(at.path) as ledger:
                said = chance.choice(["finding_noted", "completed"])
                written[run].add(ledger.run(run).append(event_type=said, actor="a", id=f"e-{number}").id)
        elif act == "archive":
            with RunLedger.open(at.path) as ledger:
                archive_runs(ledger)
        elif act == "sync" or (act == "restore" and copy.exists()):
            done = synced(at)
            assert (done.rejected, done.waiting) == ((), ())
            assert {one.what for one in done.reported} <= {"ahead", "diverged"}
        if act == "copy" or (act == "restore" and copy.exists()):
            old, new = (at.path, copy) if act == "copy" else (copy, at.path)
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(old, new, symlinks=True)
    for each in [*clones, *clones, *clones]:
        synced(each)
    for run, ids in written.items():
        logs = []
        for each in clones:
            with RunLedger.open(each.path) as ledger:
                assert verify(ledger).problems == ()
                logs.append(ledger.run(run).events())
        assert logs[0] == logs[1] == logs[2]
        assert sorted(event.id for event in logs[0]) == sorted(ids)
