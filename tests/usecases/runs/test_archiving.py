"""Ended runs leave the list of refs and stay readable."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitmem.errors import RaceError, UsageError
from gitmem.git.runner import Runner
from gitmem.store.archive import archive_path
from gitmem.store.archiving import STEPS, move_to_archive
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.archiving import archive_runs, parse_age
from gitmem.usecases.runs.ending import end_run
from gitmem.usecases.runs.exporting import export_run
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.importing import import_runs
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.listing import list_runs
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.runs.showing import show_run
from gitmem.usecases.runs.verifying import verify
from gitmem.wire.append import append_event
from gitmem.wire.locks import acquire_lock, release_lock
from tests.support.cli import gitmem
from tests.support.forging import chain, forge, point
from tests.support.many_runs import write_runs
from tests.support.repo import Repo
from tests.support.writers import CONTEXT

TELLER = Teller("codex")


def ended(ledger: RunLedger, name: str, outcome: str = "completed") -> None:
    run = ledger.run(name)
    run.append(event_type="task_created", actor="codex", payload={"task": name})
    end_run(ledger, run, TELLER, outcome=outcome)


def refs(repo: Repo) -> list[str]:
    return repo.git("for-each-ref", "--format=%(refname)", "refs/ai").split()


@pytest.fixture
def book(repo: Repo) -> RunLedger:
    repo.commit("first", {"a": "1"})
    return RunLedger.open(repo.path)


def test_an_ended_run_leaves_the_refs_and_reads_as_before(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    before = book.run("run-1").load(), show_run(book.run("run-1"))
    done = archive_runs(book)
    assert (done.archived, done.kept) == (("run-1",), ())
    assert refs(repo) == [f"refs/ai/archive/{book.writer()}"]
    assert (book.run("run-1").load(), show_run(book.run("run-1"))) == before
    assert find_run(book, "run").id == "run-1"
    assert book.run("run-1").file("handoff.md")
    assert list_runs(book).rows == ()
    assert list_runs(book).ended == 1
    (row,) = list_runs(book, everything=True).rows
    assert (row.run, row.archived, row.phase) == ("run-1", True, "completed")
    found = verify(book)
    assert (found.runs, found.checked, found.problems) == (("run-1",), 3, ())
    assert archive_runs(book).archived == ()


def test_plain_git_reads_the_archive_and_gc_keeps_it(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-20260713-k3x9q")
    (ref,) = book.run("run-20260713-k3x9q").tips()
    tip = repo.git("rev-parse", ref)
    archive_runs(book)
    archive = f"refs/ai/archive/{book.writer()}"
    assert repo.git("show", f"{archive}:{archive_path('run-20260713-k3x9q')}") == f"{ref} {tip}"
    assert repo.git("rev-parse", f"{archive}^1") == tip
    repo.git("gc", "-q", "--prune=now")
    assert len(book.run("run-20260713-k3x9q").events()) == 3
    assert repo.git("fsck", "--full", "--strict") == ""


def test_a_commit_holds_at_most_fifteen_runs_and_the_archive_before(book: RunLedger, repo: Repo) -> None:
    writer = _a_writer(book)
    write_runs(repo, 33, events=2, writer=writer, ended=True)
    assert len(archive_runs(book).archived) == 33
    archive = f"refs/ai/archive/{writer}"
    parents = [
        len(row.split()) - 1
        for row in repo.git("rev-list", "--first-parent", "--parents", archive).splitlines()
    ]
    assert (
        repo.git("rev-list", "--count", "--first-parent", archive) == "5"
    )  # two events of the first tip below
    assert max(parents) <= 16
    assert len(repo.git("ls-tree", "-r", archive).splitlines()) == 33


def test_what_archiving_many_writes_is_packed_and_nothing_else(
    book: RunLedger, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.store.archiving.WORTH_PACKING", 20)
    writer = _a_writer(book)
    loose = repo.git("hash-object", "-w", "--stdin", stdin=b"somebody's")
    for first in (0, 33):
        write_runs(repo, 33, events=2, writer=writer, first=first, ended=True)
        assert len(archive_runs(book).archived) == 33
    archive = f"refs/ai/archive/{writer}"
    made = [
        repo.git("rev-parse", f"{archive}{part}") for part in ("", "^{tree}", ":00/run-20260713-00000", "~2")
    ]
    objects = repo.path / ".git" / "objects"
    assert [(objects / oid[:2] / oid[2:]).exists() for oid in (loose, *made)] == [
        True,
        False,
        False,
        False,
        False,
    ]
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""
    assert len(book.refs().archived) == 66


def test_what_is_not_to_be_archived_stays(book: RunLedger, repo: Repo) -> None:
    for name in ("run-open", "run-paused", "run-current", "run-young"):
        book.run(name).append(event_type="task_created", actor="codex", payload={"task": name})
    book.run("run-paused").append(event_type="run_paused", actor="codex")
    inbox(book).append(event_type="completed", actor="codex")
    end_run(book, book.run("run-current"), TELLER)
    book.set_current(book.run("run-current"))
    foreign = forge(repo, seq=1, writer="w1", type="completed", payload={}, at="2026-01-01T00:00:00Z")
    point(repo, foreign, "w1", "run-foreign")
    before = refs(repo)
    done = archive_runs(book)
    assert done.archived == ()
    assert [one.run for one in done.kept] == ["run-current"]
    end_run(book, book.run("run-young"), TELLER)
    assert archive_runs(book, older_than=timedelta(days=90)).archived == ()
    later = datetime.now(UTC) + timedelta(days=91)
    assert refs(repo) == before
    assert archive_runs(book, older_than=timedelta(days=90), now=later).archived == ("run-young",)


def test_a_run_that_is_not_whole_stays(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    (ref,) = book.run("run-1").tips()
    first = repo.git("rev-parse", f"{ref}~2")
    shutil.rmtree(repo.path / ".git" / "gitmem" / "cache")
    (repo.path / ".git" / "objects" / first[:2] / first[2:]).unlink()
    (kept,) = archive_runs(RunLedger.open(repo.path)).kept
    assert "run verify" in kept.reason


def test_appending_brings_the_ref_back_and_it_can_be_archived_again(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    (ref,) = book.run("run-1").tips()
    archive_runs(book)
    event = book.run("run-1").append(event_type="run_resumed", actor="codex")
    assert (event.seq, repo.git("rev-parse", ref)) == (4, event.commit)
    assert [one.seq for one in book.run("run-1").events()] == [1, 2, 3, 4]
    assert [row.archived for row in list_runs(book).rows] == [False]
    end_run(book, book.run("run-1"), TELLER)
    assert archive_runs(book).archived == ("run-1",)
    assert [one.seq for one in book.run("run-1").events()] == [1, 2, 3, 4, 5, 6]
    assert verify(book).problems == ()


def test_a_retried_append_to_an_archived_run_is_recognised(book: RunLedger) -> None:
    book.run("run-1").append(event_type="completed", actor="codex", id="mine")
    archive_runs(book)
    again = book.run("run-1").append(event_type="completed", actor="codex", id="mine")
    assert (again.seq, len(book.run("run-1").events())) == (1, 1)


def test_switching_to_an_archived_run_makes_its_pseudo_ref_work(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    archive_runs(book)
    book.set_current(book.run("run-1"))
    assert repo.git("show", "AI_RUN:handoff.md")


def test_what_others_wrote_stands_beside_the_archived_part(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    (ref,) = book.run("run-1").tips()
    tip = repo.git("rev-parse", ref)
    point(repo, forge(repo, seq=1, writer="w2", payload={}), "w2")
    archive_runs(book)
    assert book.run("run-1").tips()[ref] == tip
    (row,) = list_runs(book, everything=True).rows
    assert (row.events, row.archived, row.phase) == (4, False, "completed")


@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_on_the_way_loses_and_doubles_nothing(
    book: RunLedger, repo: Repo, step: str
) -> None:
    for name in ("run-1", "run-2"):
        ended(book, name)
    before = [book.run(name).load() for name in ("run-1", "run-2")]

    def kill(reached: str) -> None:
        if reached == step:
            os.kill(os.getpid(), signal.SIGKILL)

    process = CONTEXT.Process(target=lambda: archive_runs(RunLedger.open(repo.path), step=kill))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    with RunLedger.open(repo.path) as again:
        assert [again.run(name).load() for name in ("run-1", "run-2")] == before
        assert len(list_runs(again, everything=True).rows) == 2
        archive_runs(again)
        assert refs(repo) == [f"refs/ai/archive/{again.writer()}"]
        assert [again.run(name).load() for name in ("run-1", "run-2")] == before
        assert verify(again).problems == ()
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""


def test_an_append_between_looking_and_moving_keeps_the_run(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    tips = book.refs().refs
    book.run("run-1").append(event_type="run_resumed", actor="codex")
    assert move_to_archive(book.repository, book.writer() or "", tips) == ()
    assert len(refs(repo)) == 1


def test_a_busy_lock_is_told(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    held = acquire_lock(repo.path / ".git" / "gitmem" / "lock", timeout=1)
    try:
        with pytest.raises(RaceError, match="another process"):
            move_to_archive(book.repository, book.writer() or "", book.refs().refs, wait=0.0)
    finally:
        release_lock(held)


def test_a_hook_writes_nothing_to_an_archived_run(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    archive_runs(book)
    git_dir = str(repo.path / ".git")
    event: dict[str, object] = {
        "type": "commit_recorded",
        "at": "2026-07-13T09:28:00Z",
        "actor": "git",
        "payload": {},
    }
    assert append_event(git_dir=git_dir, common_dir=git_dir, run="run-1", event=event) is None
    point(repo, forge(repo, seq=1, writer="w2", payload={}), "w2")
    with pytest.raises(TimeoutError, match="archived"):
        append_event(git_dir=git_dir, common_dir=git_dir, run="run-1", event=event)
    written = append_event(git_dir=git_dir, common_dir=git_dir, run="run-2", event=event)
    assert written is not None


def test_listing_reads_nothing_of_the_archive(
    book: RunLedger, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many calls of git for one archived run as for sixty; no event is read, later on nothing at all."""
    writer = _a_writer(book)
    calls: list[str] = []
    run = Runner.run

    def counted(self: Runner, *arguments: str, **given: object) -> object:
        calls.append(arguments[0])
        return run(self, *arguments, **given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(Runner, "run", counted)
    told: list[tuple[int, list[str]]] = []
    for count in (1, 60):
        write_runs(repo, count, events=2, writer=writer, first=count, ended=True)
        assert len(archive_runs(book).archived) == count
        for _ in range(2):
            calls.clear()
            with RunLedger.open(repo.path) as fresh, monkeypatch.context() as patched:
                raw: Callable[[str], object] = fresh.repository._raw  # type: ignore[attr-defined]  # of libgit2's
                read: list[str] = []
                patched.setattr(
                    fresh.repository, "_raw", lambda oid, raw=raw, read=read: read.append(oid) or raw(oid)
                )
                listing = list_runs(fresh)
            told.append((listing.ended, list(calls)))
        assert read == []
    assert [ended for ended, _ in told] == [1, 1, 61, 61]
    assert told[1][1] == told[3][1]
    assert told[1][1].count("for-each-ref") <= 1
    assert not {"log", "rev-list"} & {word for _, words in told for word in words}


def test_an_archived_run_is_exported_and_imported_like_any_other(
    book: RunLedger, repo: Repo, tmp_path: Path
) -> None:
    ended(book, "run-1")
    before = book.run("run-1").load()
    archive_runs(book)
    folder = export_run(book, book.run("run-1"), tmp_path / "out")
    assert [one.run for one in import_runs(book, folder)] == ["run-1"]
    assert refs(repo) == [f"refs/ai/archive/{book.writer()}"]
    with RunLedger.open(Repo(tmp_path / "other").path) as other:
        import_runs(other, folder)
        assert other.run("run-1").load() == before


def test_an_archive_that_cannot_be_read_is_named_and_the_rest_works(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    archive_runs(book)
    book.run("run-2").append(event_type="task_created", actor="codex", payload={"task": "t"})
    archive = f"refs/ai/archive/{book.writer()}"
    tree = repo.git("rev-parse", f"{archive}^{{tree}}")
    (repo.path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    (repo.path / ".git" / "gitmem" / "cache" / "archive.marshal").unlink()
    with RunLedger.open(repo.path) as again:
        assert {one.kind for one in verify(again).problems} >= {"damaged_archive"}
        listing = list_runs(again)
        assert [row.run for row in listing.rows] == ["run-2"]
        assert archive in {problem.run for problem in listing.problems}
        assert again.run("run-2").append(event_type="finding_noted", actor="codex").seq == 2


def test_an_archive_speaks_for_its_own_writer_alone(book: RunLedger, repo: Repo) -> None:
    commit = chain(repo, 1)[0]
    blob = repo.git("hash-object", "-w", "--stdin", stdin=f"refs/ai/runs/run-1/w9 {commit}\n".encode())
    inner = repo.git("mktree", stdin=f"100644 blob {blob}\trun-1\n".encode())
    tree = repo.git("mktree", stdin=f"040000 tree {inner}\t-1\n".encode())
    repo.git("update-ref", "refs/ai/archive/w1", repo.git("commit-tree", tree, "-m", "forged"))
    assert book.refs().archived == {}
    assert [one.kind for one in verify(book).problems] == ["damaged_archive"]


@pytest.mark.parametrize("text", ["", "90", "d", "-1d", "0d", "1y", "90 d", "999999d", "９d"])
def test_an_age_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not a length of time"):
        parse_age(text)


def test_ages() -> None:
    assert [parse_age(text) for text in ("90d", "12h", "2w")] == [
        timedelta(days=90),
        timedelta(hours=12),
        timedelta(days=14),
    ]


def test_the_command(book: RunLedger, repo: Repo) -> None:
    ended(book, "run-1")
    assert gitmem("run", "archive", "--older-than", "90d", "--json", at=repo.path).document == {
        "archived": [],
        "kept": [],
    }
    done = gitmem("run", "archive", "--json", at=repo.path)
    assert (done.code, done.document["archived"]) == (0, ["run-1"])
    shown = gitmem("run", "list", "--all", "--json", at=repo.path).document
    assert [(row["run"], row["archived"]) for row in shown["runs"]] == [("run-1", True)]
    assert gitmem("run", "log", "run-1", "--json", at=repo.path).document["events"][0]["seq"] == 1


def _a_writer(book: RunLedger) -> str:
    book.run("run-open").append(event_type="task_created", actor="codex", payload={"task": "t"})
    book.run("run-open").append(event_type="completed", actor="codex")
    archive_runs(book)
    writer = book.writer()
    assert writer
    book.repository.move_ref(
        f"refs/ai/archive/{writer}", None, old=book.refs().refs[f"refs/ai/archive/{writer}"]
    )
    return writer
