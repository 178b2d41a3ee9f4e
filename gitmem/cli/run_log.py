"""`gitmem run log`."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command, run_argument
from gitmem.cli.invocation import Invocation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.model.event import Event
    from gitmem.report.runs.run_log import LogLines

_SECONDS = 0.5
"""Between two looks at the refs: one `git for-each-ref` each."""


@command(
    "log",
    examples=[
        "gitmem run log",
        "gitmem run log run-20260713-7k3fa -v",
        "gitmem run log --follow --json",
    ],
)
@run_argument
@click.option("--follow", is_flag=True, help="Go on with what comes, until the run ends or Ctrl-C.")
def log(invocation: Invocation, *, run: str | None, follow: bool) -> int:
    """Show the events of a run, oldest first: number, when, who, type, what about; -v for all of it.

    With --json one document; with --follow --json one document a line, each an event as it comes. Exits with 3 when
    something of the run cannot be read.
    """
    from gitmem.report.runs.run_log import LogLines, log_document
    from gitmem.usecases.runs.finding import find_run
    from gitmem.usecases.runs.following import follow as follow_run
    from gitmem.usecases.runs.readable import in_words, is_unread

    ledger = invocation.ledger()
    loaded = find_run(ledger, run).load()
    problems = [problem.message for problem in loaded.problems]
    status = 3 if is_unread(loaded.problems) else 0
    invocation.warn(*in_words(loaded.run, loaded.problems))
    if invocation.json and not follow:
        invocation.emit_json(log_document(loaded.run, loaded.events, problems))
        return status
    lines = LogLines(invocation.look(), in_full=invocation.verbose)
    _tell(invocation, lines, loaded.events)
    if follow:
        for events in follow_run(ledger, loaded, lambda: time.sleep(_SECONDS)):
            _tell(invocation, lines, events)
    return status


def _tell(invocation: Invocation, lines: LogLines, events: Sequence[Event]) -> None:
    from datetime import UTC, datetime

    from gitmem.report.runs.run_log import event_document

    if invocation.json:
        for event in events:
            invocation.emit_json_line(event_document(event))
    else:
        invocation.emit_text(lines.of(events, datetime.now(UTC)))
        sys.stdout.flush()
