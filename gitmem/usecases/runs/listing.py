"""All runs of a repository, newest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.event import moment
from gitmem.store.archive import LedgerRefs, run_of
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
        ended: How many ended ones were left out, archived ones too.
        problems: What could not be read.
    """

    rows: tuple[RunRow, ...]
    ended: int
    problems: tuple[RunProblem, ...]


def list_runs(ledger: RunLedger, *, everything: bool = False, archived: bool | None = None) -> RunListing:
    """List the runs that are there. However many are archived, nothing of them is read unless they are asked for.

    Args:
        ledger: Where.
        everything: Also the inbox and ended runs other than the current one.
        archived: Also the archived ones; as `everything` when None.
    """
    refs = ledger.refs()
    rows, problems = _rows(ledger, refs, archived=everything if archived is None else archived)
    wanted = [row for row in rows if everything or row.run != INBOX]
    shown = [row for row in wanted if everything or not row.has_ended or row.is_current]
    shown.sort(key=lambda row: (moment(row.last_at), row.run), reverse=True)
    unread = 0 if any(row.archived for row in rows) or everything else len(refs.archived)
    return RunListing(tuple(shown), len(wanted) - len(shown) + unread, tuple(problems))


def ref_problems(refs: LedgerRefs) -> list[RunProblem]:
    """What is wrong with refs: git leaves damaged ones out of its lists, so that their runs would be missed."""
    return [RunProblem(run_in(problem.ref), problem.message) for problem in refs.problems]


def run_in(ref: str) -> str:
    """The run that a ref belongs to; the ref itself when it is no run's."""
    return run_of(ref) or ref


def _rows(ledger: RunLedger, refs: LedgerRefs, *, archived: bool) -> tuple[list[RunRow], list[RunProblem]]:
    index, current = RunIndex(ledger.repository.layout), ledger.current()
    rows: list[RunRow] = []
    problems = ref_problems(refs)
    wanted = {**refs.runs, **refs.archived} if archived else refs.runs
    for run, tips in wanted.items():
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
        row = RunRow(run, *held)
        rows.append(row._replace(archived=run not in refs.runs, is_current=is_current))
    index.save({*refs.runs, *refs.archived})
    return rows, problems


def _read(
    ledger: RunLedger, run: str, tips: Mapping[str, str]
) -> tuple[tuple[str | None, str, int, str, tuple[str, ...], str | None], list[RunProblem]]:
    folded = refresh(ledger.repository, run, tips=tips)
    state = folded.snapshot
    row = (state.task, state.phase, folded.count, folded.last_at, folded.writers, state.code)
    return row, [RunProblem(run, one.message) for one in folded.problems]
