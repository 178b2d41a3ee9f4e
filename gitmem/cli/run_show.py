"""`gitmem run show`."""

from __future__ import annotations

import click

from gitmem.cli.command import command, run_argument
from gitmem.cli.invocation import Invocation


@command(
    "show",
    examples=["gitmem run show", "gitmem run show run-20260713-7k3fa --at 4", "gitmem run show --json"],
)
@run_argument
@click.option("--at", metavar="SEQ", type=int, help="As of all events up to this one.")
def show(invocation: Invocation, *, run: str | None, at: int | None) -> int:
    """Show where a run stands: phase, last step, failure, next step, what was decided and rejected.

    RUN is an id or the beginning of one; the current run by default. Exits with 3 when something of it cannot be read.
    """
    from datetime import UTC, datetime

    from gitmem.report.runs.run_state import run_document, run_lines
    from gitmem.usecases.runs.finding import find_run
    from gitmem.usecases.runs.showing import show_run

    shown = show_run(find_run(invocation.ledger(), run), at=at)
    if invocation.json:
        invocation.emit_json(run_document(shown))
    else:
        invocation.emit_text(run_lines(shown, datetime.now(UTC), invocation.look()))
    return 3 if shown.unread else 0
