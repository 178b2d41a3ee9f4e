"""Check one run or all of them: refs, archives, commits, events, artifacts, order and fold."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.store.archive import LedgerRefs
from gitmem.store.judging import LedgerProblem
from gitmem.store.ledger import RunLedger
from gitmem.store.run_cache import folded_runs
from gitmem.store.run_reading import run_prefix
from gitmem.usecases.runs.finding import find_run


@dataclass(frozen=True, slots=True)
class Verified:
    """What was checked.

    Args:
        runs: Run ids.
        checked: Events that were read and taken.
        problems: Sorted.
    """

    runs: tuple[str, ...]
    checked: int
    problems: tuple[LedgerProblem, ...]


def verify(ledger: RunLedger, word: str | None = None) -> Verified:
    """Check a run, or all of them with the refs that git leaves out of its lists because they are damaged.

    Raises:
        NotFoundError, UsageError: The word names no run here.
    """
    refs = ledger.refs()
    known = folded_runs(ledger.repository.layout)  # a run whose refs are all gone is in no list of refs
    runs = sorted({*refs.runs, *refs.archived, *known}) if word is None else [_run(ledger, refs, word)]
    checked = 0
    problems: set[LedgerProblem] = set()
    for run in runs:
        found = ledger.verify(run)
        checked += found.checked
        problems |= set(found.problems)
    if word is None:
        told = {problem.ref for problem in problems}
        problems |= {problem for problem in refs.problems if problem.ref not in told}
    return Verified(tuple(runs), checked, tuple(sorted(problems)))


def _run(ledger: RunLedger, refs: LedgerRefs, word: str) -> str:
    """The run that is meant, though all that is left of it may be damaged refs."""
    if any(problem.ref.startswith(run_prefix(word)) for problem in refs.problems):
        return word
    return find_run(ledger, word).id
