"""Artifacts over 1 MiB stay in the clone that wrote them until somebody asks for them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from gitmem.errors import InvalidDataError, NotFoundError
from gitmem.store.archive import archive_path, held_ref
from gitmem.store.large import LARGEST_IN_TREE, Pointer, format_pointer, parse_pointer
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.archiving import archive_runs
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.exporting import export_run
from gitmem.usecases.runs.importing import import_runs
from gitmem.usecases.runs.saved import SavedFiles
from gitmem.usecases.runs.verifying import verify
from tests.support.clones import clone, refs, synced, writer
from tests.support.repo import Repo
from tests.support.writers import CONTEXT, ledger

BIG = bytes(range(256)) * 4097
FITS = BIG[:LARGEST_IN_TREE]


def save(repo: Repo, run: str = "run-1", **contents: bytes) -> None:
    with RunLedger.open(repo.path) as book:
        artifacts = {f"{name}.log": data for name, data in contents.items()}
        book.run(run).append(event_type="artifact_saved", actor="human", artifacts=artifacts)


def content(repo: Repo, name: str = "big.log") -> bytes | None:
    with RunLedger.open(repo.path) as book:
        assert verify(book).problems == ()
        run = book.run("run-1")
        found = run.artifact(name, event=run.events()[0])
        assert found == run.artifact(name) == SavedFiles(book, run).artifact(name, limit=1 << 30)
        return found


def sizes(repo: Repo) -> list[int]:
    rows = repo.git("cat-file", "--batch-check=%(objectsize)", "--batch-all-objects").split()
    return [size for size in map(int, rows) if size > LARGEST_IN_TREE]


def test_a_large_one_is_named_in_the_tree_and_held_beside_it(repo: Repo) -> None:
    save(repo, big=BIG, fits=FITS)
    assert content(repo) == BIG
    assert content(repo, "fits.log") == FITS
    with RunLedger.open(repo.path) as book:
        (event,) = book.run("run-1").events()
        (ref,) = book.run("run-1").tips()
    oid = repo.git("hash-object", "--stdin", stdin=BIG)
    assert event.extra["large"] == {"big.log": {"blob": oid, "size": len(BIG)}}
    shown = f"gitmem artifact 1\nblob {oid}\nsize {len(BIG)}"
    assert repo.git("show", f"{ref}:artifacts/big.log") == shown
    assert oid not in repo.git("rev-list", "--objects", ref)
    assert repo.git("rev-parse", f"{held_ref(event.writer)}:{archive_path('run-1')}/{oid}") == oid
    repo.git("gc", "-q", "--prune=now")
    assert content(repo) == BIG
    assert repo.git("fsck", "--full", "--strict") == ""


def test_it_stays_at_home_until_it_is_asked_for(remote: Repo, ada: Repo, bo: Repo) -> None:
    save(ada, big=BIG)
    synced(ada)
    synced(bo)
    assert (sizes(remote), sizes(bo)) == ([], [])
    assert refs(bo) == refs(remote)
    assert refs(ada).keys() - refs(bo).keys() == {held_ref(writer(ada))}
    with RunLedger.open(bo.path) as book:
        assert verify(book).problems == ()
        with pytest.raises(NotFoundError, match="not in this clone") as told:
            book.run("run-1").artifact("big.log")
        assert "sync --artifacts" in told.value.hint
        assert SavedFiles(book, book.run("run-1")).artifact("big.log", limit=1 << 30) is None
    assert synced(ada) == synced(bo) == Synced("origin")
    assert synced(bo, artifacts=True) == Synced("origin")
    held = held_ref(writer(ada))
    assert synced(ada, artifacts=True).pushed == (held,)
    assert synced(bo) == Synced("origin")
    assert synced(bo, artifacts=True).fetched == (held,)
    assert content(bo) == BIG
    assert refs(bo) == refs(ada) == refs(remote)
    for each in (ada, bo, ada):
        assert synced(each) == synced(each, artifacts=True) == Synced("origin")


def test_every_writer_holds_its_own(remote: Repo, ada: Repo, bo: Repo) -> None:
    save(ada, big=BIG)
    save(bo, other=BIG + b"other")
    save(bo, more=BIG + b"more", again=BIG + b"other")
    for each in (ada, bo, ada):
        synced(each, artifacts=True)
    for each in (ada, bo):
        with RunLedger.open(each.path) as book:
            run = book.run("run-1")
            saved = {
                name: run.artifact(name, event=event) for event in run.events() for name in event.artifacts
            }
            other = BIG + b"other"
            assert saved == {
                "big.log": BIG,
                "other.log": other,
                "more.log": BIG + b"more",
                "again.log": other,
            }
            assert verify(book).problems == ()
    assert len(sizes(remote)) == 3
    with RunLedger.open(ada.path) as book:
        archive_runs(book)
        assert len(book.run("run-1").events()) == 3


def test_a_vanished_holding_ref_is_reported(remote: Repo, ada: Repo, bo: Repo) -> None:
    save(ada, big=BIG)
    synced(ada, artifacts=True)
    synced(bo, artifacts=True)
    remote.git("update-ref", "-d", held_ref(writer(ada)))
    assert synced(bo) == Synced("origin")
    (told,) = synced(bo, artifacts=True).reported
    assert (told.ref, told.what) == (held_ref(writer(ada)), "vanished")


def test_a_lost_one_is_damage_where_it_was_held(repo: Repo) -> None:
    save(repo, big=BIG)
    oid = repo.git("hash-object", "--stdin", stdin=BIG)
    (repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with RunLedger.open(repo.path) as book:
        (told,) = verify(book).problems
        assert (told.kind, "is lost" in told.message) == ("missing_artifact", True)


@pytest.mark.parametrize("step", ["blobs", "locked", "read", "tree", "commit", "moved"])
def test_whoever_is_killed_while_saving_one_has_it_whole_or_not_at_all(repo: Repo, step: str) -> None:
    save(repo, "run-2", other=b"first")

    def work() -> None:
        def kill(reached: str) -> None:
            if reached == step:
                os.kill(os.getpid(), signal.SIGKILL)

        with ledger(repo.path, step=kill) as book:
            book.run("run-1").append(
                event_type="artifact_saved", actor="a", id="mine", artifacts={"big.log": BIG}
            )

    process = CONTEXT.Process(target=work)
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with RunLedger.open(repo.path) as again:
        assert len(again.run("run-1").events()) == (step == "moved")
        again.run("run-1").append(
            event_type="artifact_saved", actor="a", id="mine", artifacts={"big.log": BIG}
        )
        assert len(again.run("run-1").events()) == 1
    assert content(repo) == BIG
    assert len(sizes(repo)) == 1


def test_export_and_import_carry_the_content(repo: Repo, ada: Repo, tmp_path: Path) -> None:
    save(repo, big=BIG, small=b"small")
    with RunLedger.open(repo.path) as book:
        export_run(book, book.run("run-1"), tmp_path / "out")
        before = book.run("run-1").load()
    assert (tmp_path / "out" / "artifacts" / "big.log").read_bytes() == BIG
    with RunLedger.open(ada.path) as book:
        for _ in range(2):
            import_runs(book, tmp_path / "out")
        assert book.run("run-1").load() == before
    assert content(ada) == BIG
    ada.git("gc", "-q", "--prune=now")
    assert content(ada) == BIG


def test_an_export_without_the_content_says_where_it_is(ada: Repo, bo: Repo, tmp_path: Path) -> None:
    save(ada, big=BIG)
    synced(ada)
    synced(bo)
    with RunLedger.open(bo.path) as book:
        export_run(book, book.run("run-1"), tmp_path / "out")
    file = tmp_path / "out" / "artifacts" / "big.log"
    assert file.read_bytes().startswith(b"gitmem artifact 1\n")
    other = Repo(tmp_path / "other")
    with RunLedger.open(other.path) as book:
        import_runs(book, tmp_path / "out")
        assert sizes(other) == []
        file.write_bytes(BIG[:-1] + b"!")
        with pytest.raises(InvalidDataError, match=r"big\.log: not what the history beside it says"):
            import_runs(book, tmp_path / "out")


def test_a_large_payload_is_part_of_the_state_and_goes_everywhere(ada: Repo, bo: Repo) -> None:
    with RunLedger.open(ada.path) as book:
        payload = {"finding": "x" * (LARGEST_IN_TREE + 1)}
        book.run("run-1").append(event_type="finding_noted", actor="human", payload=payload)
    synced(ada)
    synced(bo)
    with RunLedger.open(bo.path) as book:
        assert book.run("run-1").events()[0].payload == payload
        assert verify(book).problems == ()


def test_without_the_ref_names_of_another_version_nothing_is_taken_for_a_run(remote: Repo, ada: Repo) -> None:
    save(ada, big=BIG)
    synced(ada, artifacts=True)
    new = clone(remote, "new")
    synced(new)
    with RunLedger.open(new.path) as book:
        assert list(book.runs()) == ["run-1"]
        assert book.refs().archived == {}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"gitmem artifact 1\n",
        b"gitmem artifact 1\nblob x\nsize 1\n",
        b"gitmem artifact 1\nblob " + b"a" * 40 + b"\nsize 01\n",
        b"gitmem artifact 1\nblob " + b"a" * 40 + b"\nsize 1\nmore\n",
        b"gitmem artifact 2\nblob " + b"a" * 40 + b"\nsize 1\n",
        b"gitmem artifact 1\nblob " + b"a" * 40 + b"\nsize \xc2\xb2\n",
    ],
)
def test_other_content_is_no_pointer(data: bytes) -> None:
    assert parse_pointer(data) is None


def test_a_pointer_is_read_as_written() -> None:
    for oid in ("a" * 40, "b" * 64):
        assert parse_pointer(format_pointer(Pointer(oid, 1 << 40))) == Pointer(oid, 1 << 40)
