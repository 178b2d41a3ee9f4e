"""Tests and builds that an agent ran itself, as events of its run."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.model.event import Event
from gitmem.results.outcome import NOTHING, Outcome
from gitmem.results.plain import plain_log
from gitmem.results.reading import read_output
from gitmem.results.shell_line import TEST, RecognisedCommand, recognised
from gitmem.running.process import Ended
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.executing import Order, Recorder, Try
from gitmem.usecases.runs.inputs import inputs_of

_UNKNOWN = -1.0


class Printed(NamedTuple):
    """A line that an agent's shell has run.

    Args:
        line: As the agent wrote it.
        output: What it printed.
        exit_code: Of the line; None when it is not told.
        duration_s: None when it is not told.
    """

    line: str
    output: str
    exit_code: int | None
    duration_s: float | None = None


class _Judged(NamedTuple):
    exit_code: int
    is_told: bool


def record_result(ledger: RunLedger, run: Run, printed: Printed, *, session: str) -> tuple[Event, ...]:
    """Record how a test or a build went; nothing where the line runs none, or nobody can tell how it went.

    Args:
        ledger: Where.
        run: The session's run.
        printed: What was run.
        session: The session.
    """
    command = recognised(printed.line)
    if command is None:
        return ()
    log = plain_log(printed.output.encode("utf-8", "replace"))
    outcome = read_output(log.decode("utf-8", "replace")) if command.kind == TEST else NOTHING
    judged = _judged(command, printed.exit_code, outcome)
    if judged is None:
        return ()
    duration = _UNKNOWN if printed.duration_s is None else printed.duration_s
    order = Order(command.words, kind=command.kind, run=run.id, session=session)
    recorder = Recorder(ledger, run, order, inputs_of(ledger.repository))
    tried = Try(Ended(judged.exit_code, duration), log, outcome, judged.is_told)
    return tuple(recorder.record([tried]))


def _judged(command: RecognisedCommand, exit_code: int | None, outcome: Outcome) -> _Judged | None:
    """By the exit code where it is this command's; else by what the tool itself sums up."""
    is_sure = command.tells_success if exit_code == 0 else command.tells_failure
    if exit_code is not None and is_sure:
        return _Judged(exit_code, True)
    if outcome.failing or outcome.counts.get("failed") or outcome.counts.get("errors"):
        return _Judged(1, False)
    return _Judged(0, False) if outcome.ran and not outcome.crash else None
