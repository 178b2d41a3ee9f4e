"""Failures that recur across the runs of a repository."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.recurrence import Recurring, RunFailure, failures_of, recurring
from gitmem.store.ledger import RunLedger
from gitmem.store.run_index import RunIndex
from gitmem.store.run_reading import read_run
from gitmem.usecases.runs.listing import RunProblem, ref_problems


class FailureListing(NamedTuple):
    """Failures of more than one run.

    Args:
        failures: Those in most runs first.
        problems: What could not be read.
    """

    failures: tuple[Recurring, ...]
    problems: tuple[RunProblem, ...]


def list_failures(ledger: RunLedger) -> FailureListing:
    """Find the failures that recur across runs, ended and archived ones too."""
    index, refs = RunIndex(ledger.repository.layout), ledger.refs()
    runs = {**refs.runs, **refs.archived}
    found: list[RunFailure] = []
    problems = ref_problems(refs)
    for run, tips in runs.items():
        held = index.get("failures", run, tips)
        if held is None:
            try:
                reading = read_run(ledger.repository, run, tips)
            except GitmemError as error:
                problems.append(RunProblem(run, error.message))
                continue
            held = [tuple(one) for one in failures_of(run, reading.events)]
            problems += [RunProblem(run, one.message) for one in reading.problems]
            if not reading.problems:
                index.put("failures", run, tips, held)
        found += [RunFailure(*one) for one in held]
    index.save(runs)
    return FailureListing(tuple(recurring(found)), tuple(problems))
