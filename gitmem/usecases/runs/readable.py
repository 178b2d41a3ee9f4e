"""A run that can be read, as a whole or in part: the same answer for all that shows one."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.errors import InvalidDataError
from gitmem.store.judging import UNREAD, LedgerProblem
from gitmem.store.ledger import Run
from gitmem.store.run_cache import FoldedRun


def readable_fold(run: Run) -> FoldedRun:
    """The state of a run of which at least one event can be read, or could when it was read the last time.

    Raises:
        NotFoundError: When the run has no events here.
        InvalidDataError: When it has, and nothing of them is known.
    """
    folded = run.folded()
    if not folded.count:
        first = folded.problems[0].message if folded.problems else "no event can be read"
        raise InvalidDataError(f"run {run.id}: {first}", hint=f"gitmem run verify {run.id} tells all")
    return folded


def is_unread(problems: Iterable[LedgerProblem]) -> bool:
    """Whether something of a run cannot be read, so that what is told of it is not all."""
    return any(problem.kind in UNREAD for problem in problems)


def in_words(run: str, problems: Iterable[LedgerProblem]) -> tuple[str, ...]:
    """One line for each problem of a run."""
    return tuple(f"{run}: {problem.message}" for problem in problems)
