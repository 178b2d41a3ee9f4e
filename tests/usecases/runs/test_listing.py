"""Listing runs: what is shown, in which order, from which file, and what a damaged run does to the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.listing import RunListing, list_runs
from gitmem.usecases.runs.recurring import list_failures
from gitmem.usecases.runs.starting import start_run
from tests.support.forging import chain, forge, point
from tests.support.many_runs import write_runs
from tests.support.repo import Repo


def ids(listing: RunListing) -> list[str]:
    return [row.run for row in listing.rows]


def test_newest_first_whatever_the_offset_of_its_time(ledger: RunLedger) -> None:
    for run, at in (
        ("a", "2026-07-13T10:00:00+09:00"),
        ("b", "2026-07-13T02:00:00Z"),
        ("c", "2026-07-12T23:00:00-09:00"),
    ):
        ledger.run(run).append(event_type="finding_noted", actor="x", at=at)
    assert ids(list_runs(ledger)) == ["c", "b", "a"]


def test_ended_runs_and_the_inbox_only_when_asked_for(ledger: RunLedger) -> None:
    start_run(ledger, "old", actor="x", run="run-old")[0].append(event_type="completed", actor="x")
    inbox(ledger).append(event_type="memory_confirmed", actor="x")
    start_run(ledger, "new", actor="x", run="run-new")
    listing = list_runs(ledger)
    assert (ids(listing), listing.ended) == (["run-new"], 1)
    everything = list_runs(ledger, everything=True)
    assert set(ids(everything)) == {"run-new", "run-old", "inbox"}
    assert everything.ended == 0


def test_the_current_run_is_listed_and_marked_even_when_it_has_ended(ledger: RunLedger) -> None:
    start_run(ledger, "old", actor="x", run="run-old")[0].append(event_type="abandoned", actor="x")
    (row,) = list_runs(ledger).rows
    assert (row.run, row.is_current, row.phase) == ("run-old", True, "abandoned")


def test_a_row_says_what_the_run_is(ledger: RunLedger, repo: Repo) -> None:
    head = repo.commit("first", {"a": "1"})
    start_run(ledger, "결제", actor="x", run="run-1")
    (row,) = list_runs(ledger).rows
    assert row[:4] == ("run-1", "결제", "created", 1)
    assert (row.writers, row.code, row.archived) == ((ledger.writer(),), head, False)


def test_what_is_listed_follows_every_new_event(ledger: RunLedger) -> None:
    run, _ = start_run(ledger, "t", actor="x", run="run-1")
    assert list_runs(ledger).rows[0].events == 1
    run.append(event_type="plan_approved", actor="x")
    assert list_runs(ledger).rows[0][2:4] == ("implementing", 2)


def test_many_runs_are_listed_from_one_file_and_the_same_without_it(repo: Repo, ledger: RunLedger) -> None:
    runs = write_runs(repo, 40)
    cold = list_runs(ledger)
    assert ids(cold) == runs[::-1]
    cache = repo.path / ".git" / "gitmem" / "cache"
    for file in cache.glob("run-*.marshal"):
        file.write_bytes(b"damaged")
    assert list_runs(ledger) == cold
    assert {file.read_bytes() for file in cache.glob("run-*.marshal")} == {b"damaged"}
    (cache / "runs.marshal").unlink()
    assert list_runs(ledger) == cold


def test_a_damaged_commit_in_the_middle_is_named_and_the_other_runs_are_listed(
    ledger: RunLedger, repo: Repo
) -> None:
    commits = chain(repo, 4)
    point(repo, commits[-1])
    start_run(ledger, "whole", actor="x", run="run-whole")
    damage(repo, commits[1])
    listing = list_runs(ledger)
    assert {row.run: row.events for row in listing.rows} == {"run-whole": 1, "run-1": 2}
    assert [(one.run, commits[1] in one.message) for one in listing.problems] == [("run-1", True)]
    assert list_runs(ledger) == listing


def test_a_run_with_no_readable_event_is_listed_as_a_problem_only_once(ledger: RunLedger, repo: Repo) -> None:
    point(repo, forge(repo, body="no event"), run="run-bad")
    start_run(ledger, "whole", actor="x", run="run-whole")
    listing = list_runs(ledger)
    assert ids(listing)[0] == "run-whole"
    assert {one.run for one in listing.problems} == {"run-bad"}


def test_failures_that_come_back_are_found_across_runs(ledger: RunLedger) -> None:
    for number, run in enumerate(("run-1", "run-2", "run-3")):
        made, _ = start_run(ledger, "t", actor="x", run=run)
        failing = ["tests/a.py::test_retry"] if number < 2 else ["tests/a.py::other"]
        command = f"/tmp/{number}/pytest -n {number}"
        made.append(event_type="test_failed", actor="x", payload={"command": command, "failing": failing})
    ledger.run("run-1").append(event_type="completed", actor="x")
    for _ in ("cold", "warm"):
        (one,) = list_failures(ledger).failures
        assert (one.count, one.runs, one.example.run) == (2, ("run-1", "run-2"), "run-2")
        assert one.signature == "pytest -n <n> | tests/a.py::test_retry"


def test_a_repository_where_nothing_can_be_written_is_listed(ledger: RunLedger, repo: Repo) -> None:
    point(repo, chain(repo, 2)[-1])
    repo.write(".git/gitmem", "in the way")
    assert ids(list_runs(ledger)) == ["run-1"]


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_bare_and_unborn_repositories_have_runs_too(tmp_path: Path, kind: str) -> None:
    bare = Repo(tmp_path / "bare", bare=True, object_format=kind)
    with RunLedger.open(bare.path) as ledger:
        start_run(ledger, "t", actor="x", run="run-1")
        assert ids(list_runs(ledger)) == ["run-1"]


def damage(repo: Repo, oid: str) -> None:
    path = repo.path / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(b"damaged")
