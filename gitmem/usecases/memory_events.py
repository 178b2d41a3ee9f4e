"""The events of all runs that tell of candidates and memories; what was read of a run is kept beside its tips."""

from __future__ import annotations

from typing import Final

from gitmem.errors import GitmemError
from gitmem.model.event import Event, moment
from gitmem.model.problem import Problem
from gitmem.model.standing import CANDIDATE, CONFIRMATION, DECISION
from gitmem.store.ledger import RunLedger
from gitmem.store.run_index import RunIndex
from gitmem.store.run_reading import read_run
from gitmem.usecases.runs.listing import RunProblem, ref_problems

_KIND: Final = "candidates"
_TYPES: Final = frozenset({CANDIDATE, DECISION, CONFIRMATION})


def load_events(ledger: RunLedger) -> tuple[list[Event], list[RunProblem | Problem]]:
    """Candidates, decisions and confirmations of all runs as events, oldest first, and the runs that cannot be read."""
    index, refs = RunIndex(ledger.repository.layout), ledger.refs()
    runs = {**refs.runs, **refs.archived}
    problems: list[RunProblem | Problem] = [*ref_problems(refs)]
    events: list[Event] = []
    for run, tips in runs.items():
        held = index.get(_KIND, run, tips)
        if held is None:
            try:
                reading = read_run(ledger.repository, run, tips)
            except GitmemError as error:
                problems.append(RunProblem(run, error.message))
                continue
            held = [tuple(one) for one in reading.events if one.type in _TYPES and one.run == run]
            problems += [RunProblem(run, one.message) for one in reading.problems]
            if not reading.problems:
                index.put(_KIND, run, tips, held)
        events += [Event(*one) for one in held]
    index.save(runs)
    events.sort(key=lambda one: (moment(one.at), one.order))
    return events, problems
