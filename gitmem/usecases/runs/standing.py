"""Where the work stands: the current run, how many are open, which commits no event tells of."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.git.event_commits import count_commits
from gitmem.model.event import moment
from gitmem.model.snapshot import Snapshot
from gitmem.store.archive import run_of
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.listing import RunRow, list_runs
from gitmem.usecases.runs.syncing import unsynced


class RunState(NamedTuple):
    """Where the work stands.

    Args:
        current: The current run of this work tree, with its state; None when there is none.
        open: How many runs have not ended, the current one too.
        commits_since: Commits on HEAD since the newest that an event knows; None when that cannot be said.
        problems: How many runs cannot be read as a whole.
        unsynced: Runs whose own events the sync remote was not seen to have, sorted; none without a remote.
        refused: Why the last sync could not send one of them; empty when syncing helps.
    """

    current: tuple[RunRow, Snapshot] | None
    open: int
    commits_since: int | None
    problems: int
    unsynced: tuple[str, ...] = ()
    refused: str = ""


def run_state(ledger: RunLedger) -> RunState:
    """Look at all runs from the index, and at the current one closely."""
    listing = list_runs(ledger, everything=True, archived=False)
    rows = [row for row in listing.rows if row.run != INBOX]
    current = next((row for row in rows if row.is_current), None)
    state = ledger.run(current.run).snapshot() if current else None
    waiting = unsynced(ledger)
    return RunState(
        (current, state) if current and state else None,
        sum(not row.has_ended for row in rows),
        _commits_since(ledger, [current] if current else rows),
        len({problem.run for problem in listing.problems}),
        tuple(sorted({run for run in map(run_of, waiting.refs) if run})),
        next(iter(waiting.refused.values()), ""),
    )


def _commits_since(ledger: RunLedger, rows: list[RunRow]) -> int | None:
    head = ledger.repository.head()
    known = [row for row in rows if row.code]
    if head is None or not known:
        return None
    newest = max(known, key=lambda row: moment(row.last_at))
    return count_commits(ledger.repository, newest.code or head, head)
