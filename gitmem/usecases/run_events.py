"""The events of one kind that a run tells, kept in memory and read on from where they were read to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.git.program import ProgramRepository
from gitmem.model.event import Event
from gitmem.store.judging import LedgerProblem
from gitmem.store.run_cache import FoldedRun
from gitmem.store.run_reading import folded_of, read_on, read_run

Choose = Callable[[Iterable[Event]], Sequence[Event]]


class Told(NamedTuple):
    """What a run tells.

    Args:
        events: Of the kind, in order.
        problems: Of reading it; what has some is read anew each time.
        folded: Where it was read to; None where somebody else had read it.
    """

    events: tuple[Event, ...]
    problems: tuple[LedgerProblem, ...] = ()
    folded: FoldedRun | None = None


def run_events(
    repository: ProgramRepository,
    kind: str,
    run: str,
    tips: Mapping[str, str],
    *,
    choose: Choose,
    kept_before: Callable[[], Sequence[Event] | None],
    keep: Callable[[Sequence[Event]], None],
) -> Told:
    """The events of a kind that a run tells.

    Args:
        repository: Where.
        kind: Names what is chosen.
        run: Id of the run.
        tips: Commit by full ref name.
        choose: Picks the events, and what is kept of each.
        kept_before: What was kept of them on disk for these tips.
        keep: Keeps them there once the whole run was read.

    Raises:
        GitmemError: The run cannot be read.
    """
    name = f"{kind} of {run}"

    def read() -> Told:
        before = repository.last(name)
        folded = before.folded if isinstance(before, Told) else None
        further = read_on(repository, run, folded, tips) if folded is not None else None
        if isinstance(before, Told) and further is not None:
            return Told((*before.events, *choose(further[1])), (), further[0])
        kept = kept_before()
        if kept is not None:
            return Told(tuple(kept))
        reading = read_run(repository, run, tips)
        chosen = tuple(choose(reading.events))
        if not reading.problems:
            keep(chosen)
        return Told(chosen, reading.problems, folded_of(run, reading))

    return repository.kept(name, dict(tips), read, lasts=lambda told: not told.problems)
