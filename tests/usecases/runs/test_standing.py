"""Where the work stands, for `status`."""

from __future__ import annotations

from pathlib import Path

from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.standing import RunState, run_state
from gitmem.usecases.runs.starting import start_run
from gitmem.usecases.runs.syncing import sync
from tests.support.repo import Repo


def test_nothing_was_ever_done(ledger: RunLedger) -> None:
    assert run_state(ledger) == RunState(None, 0, None, 0)


def test_the_current_run_with_its_state_and_the_open_ones(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="waiting_human", actor="codex", payload={"question": "may I?"})
    inbox(ledger).append(event_type="memory_confirmed", actor="x")
    start_run(ledger, "other", actor="x", run="run-2")
    ledger.set_current(run)
    state = run_state(ledger)
    assert state.current is not None
    row, snapshot = state.current
    assert (row.run, row.phase, snapshot.question, state.open) == ("run-1", "waiting_human", "may I?", 2)


def test_an_ended_run_stays_current_and_is_not_open(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="completed", actor="x")
    state = run_state(ledger)
    assert state.current is not None
    assert (state.current[0].has_ended, state.open) == (True, 0)


def test_commits_that_no_event_tells_of_are_counted(ledger: RunLedger, repo: Repo) -> None:
    repo.commit("one", {"a": "1"})
    run, _ = start_run(ledger, "t", actor="x", run="run-1")
    assert run_state(ledger).commits_since == 0
    for number in range(3):
        head = repo.commit("more", {"a": str(number)})
    assert run_state(ledger).commits_since == 3
    run.append(event_type="commit_recorded", actor="git", payload={"commit": head})
    assert run_state(ledger).commits_since == 0
    ledger.set_current(None)
    repo.commit("more", {"a": "x"})
    assert run_state(ledger).commits_since == 1


def test_a_commit_that_is_gone_leaves_the_number_unsaid(ledger: RunLedger, repo: Repo) -> None:
    repo.commit("one", {"a": "1"})
    ledger.run("run-1").append(event_type="finding_noted", actor="x", code="a" * 40)
    assert run_state(ledger).commits_since is None


def test_what_the_remote_was_not_seen_to_have(
    ledger: RunLedger, run: Run, repo: Repo, tmp_path: Path
) -> None:
    assert run_state(ledger).unsynced == ()
    Repo(tmp_path / "there.git", bare=True)
    repo.git("remote", "add", "origin", str(tmp_path / "there.git"))
    assert run_state(ledger).unsynced == ("run-1",)
    assert sync(ledger).rejected == ()
    assert run_state(ledger).unsynced == ()
    run.append(event_type="finding_noted", actor="x")
    assert run_state(ledger).unsynced == ("run-1",)
