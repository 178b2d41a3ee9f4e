"""The events of all runs that tell of candidates and memories; what was read of a run is kept beside its tips."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, partial
from typing import Final

from gitmem.errors import GitmemError
from gitmem.model.event import Event, moment
from gitmem.model.problem import Problem
from gitmem.model.standing import CANDIDATE, CONFIRMATION, DECISION
from gitmem.store.ledger import RunLedger
from gitmem.store.run_index import RunIndex
from gitmem.usecases.run_events import run_events
from gitmem.usecases.runs.listing import RunProblem, ref_problems

_KIND: Final = "candidates"
_TYPES: Final = frozenset({CANDIDATE, DECISION, CONFIRMATION})


def load_events(ledger: RunLedger) -> tuple[list[Event], list[RunProblem | Problem]]:
    """Candidates, decisions and confirmations of all runs as events, oldest first, and the runs that cannot be read."""
    refs = ledger.refs()
    runs = {**refs.runs, **refs.archived}
    index = _Index(ledger)
    problems: list[RunProblem | Problem] = [*ref_problems(refs)]
    events: list[Event] = []
    for run, tips in runs.items():
        try:
            told = run_events(
                ledger.repository,
                _KIND,
                run,
                tips,
                choose=partial(_chosen, run),
                kept_before=partial(index.get, run, tips),
                keep=partial(index.put, run, tips),
            )
        except GitmemError as error:
            problems.append(RunProblem(run, error.message))
            continue
        problems += [RunProblem(run, one.message) for one in told.problems]
        events += told.events
    index.save(runs)
    events.sort(key=lambda one: (moment(one.at), one.order))
    return events, problems


def _chosen(run: str, events: Iterable[Event]) -> list[Event]:
    return [one for one in events if one.type in _TYPES and one.run == run]


class _Index:
    """What is kept beside the tips of the runs; its file is read when it is first asked."""

    def __init__(self, ledger: RunLedger) -> None:
        self._layout = ledger.repository.layout

    @cached_property
    def _file(self) -> RunIndex:
        return RunIndex(self._layout)

    def get(self, run: str, tips: Mapping[str, str]) -> list[Event] | None:
        held = self._file.get(_KIND, run, tips)
        return None if held is None else [Event(*one) for one in held]

    def put(self, run: str, tips: Mapping[str, str], events: Iterable[Event]) -> None:
        self._file.put(_KIND, run, tips, list(map(tuple, events)))

    def save(self, runs: Collection[str]) -> None:
        if "_file" in vars(self):
            self._file.save(runs)
