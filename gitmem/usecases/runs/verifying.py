"""Check one run or all of them: refs, commits, events, artifacts, order and fold."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.store.judging import LedgerProblem
from gitmem.store.ledger import RunLedger
from gitmem.store.run_reading import RUNS
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
    broken = ledger.repository.broken_refs(RUNS)
    if word is not None:
        runs = (
            [word] if any(ref.startswith(f"{RUNS}{word}/") for ref in broken) else [find_run(ledger, word).id]
        )
    else:
        runs = sorted(ledger.runs())
    checked = 0
    problems: set[LedgerProblem] = set()
    for run in runs:
        found = ledger.verify(run)
        checked += found.checked
        problems |= set(found.problems)
    if word is None:
        told = {problem.ref for problem in problems}
        problems |= {
            LedgerProblem(ref, "", "damaged_ref", f"{ref} is damaged") for ref in broken if ref not in told
        }
    return Verified(tuple(runs), checked, tuple(sorted(problems)))
