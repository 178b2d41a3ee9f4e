"""All runs of a repository, newest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.event import moment
from gitmem.store.ledger import RunLedger
from gitmem.store.run_index import RunIndex
from gitmem.store.run_reading import refresh
from gitmem.usecases.runs.finding import INBOX

ENDED = frozenset({"completed", "abandoned"})


class RunRow(NamedTuple):
    """One run in a list.

    Args:
        run: Its id.
        task: Its slug.
        phase: Where it stands.
        events: How many it has.
        last_at: Time of the last one.
        writers: Who wrote them.
        code: The code commit of the newest event that names one.
        archived: Whether it has left the list of refs.
        is_current: Whether it is the current run of this work tree.
    """

    run: str
    task: str | None
    phase: str
    events: int
    last_at: str
    writers: tuple[str, ...]
    code: str | None
    archived: bool = False
    is_current: bool = False

    @property
    def has_ended(self) -> bool:
        return self.phase in ENDED


class RunProblem(NamedTuple):
    """A run that cannot be read, or not as a whole."""

    run: str
    message: str


class RunListing(NamedTuple):
    """Runs, newest first.

    Args:
        rows: Those that were asked for.
        ended: How many ended ones were left out.
        problems: What could not be read.
    """

    rows: tuple[RunRow, ...]
    ended: int
    problems: tuple[RunProblem, ...]


def list_runs(ledger: RunLedger, *, everything: bool = False) -> RunListing:
    """List the runs that are there.

    Args:
        ledger: Where.
        everything: Also the inbox and ended runs other than the current one.
    """
    rows, problems = _rows(ledger)
    wanted = [row for row in rows if everything or row.run != INBOX]
    shown = [row for row in wanted if everything or not row.has_ended or row.is_current]
    shown.sort(key=lambda row: (moment(row.last_at), row.run), reverse=True)
    return RunListing(tuple(shown), len(wanted) - len(shown), tuple(problems))


def _rows(ledger: RunLedger) -> tuple[list[RunRow], list[RunProblem]]:
    index, runs, current = RunIndex(ledger.repository.layout), ledger.runs(), ledger.current()
    rows: list[RunRow] = []
    problems: list[RunProblem] = []
    for run, tips in runs.items():
        held = index.get("row", run, tips)
        if held is None:
            try:
                held, found = _read(ledger, run, tips)
            except GitmemError as error:
                problems.append(RunProblem(run, error.message))
                continue
            problems += found
            if not found:
                index.put("row", run, tips, held)
        is_current = current is not None and current.id == run
        rows.append(RunRow(run, *held)._replace(is_current=is_current))
    index.save(runs)
    return rows, problems


def _read(
    ledger: RunLedger, run: str, tips: Mapping[str, str]
) -> tuple[tuple[str | None, str, int, str, tuple[str, ...], str | None], list[RunProblem]]:
    folded = refresh(ledger.repository, run, tips=tips)
    state = folded.snapshot
    row = (state.task, state.phase, folded.count, folded.last_at, folded.writers, state.code)
    return row, [RunProblem(run, one.message) for one in folded.problems]
