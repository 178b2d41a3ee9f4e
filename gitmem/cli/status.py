"""`gitmem status`."""

from __future__ import annotations

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today


@command("status", examples=["gitmem status", "gitmem status --json"])
def status(invocation: Invocation) -> None:
    """One screen: the current run and what it waits for, memories by status, what waits for a person."""
    from datetime import UTC, datetime
    from itertools import chain

    from gitmem.report.status import run_status_lines, status_document, status_lines
    from gitmem.usecases.reviewing.waiting import waiting
    from gitmem.usecases.runs.standing import run_state
    from gitmem.usecases.status import load_state

    runs = run_state(invocation.ledger())
    state = load_state(invocation.repository(), today=today())
    queued = waiting(invocation.ledger(), today=today())  # after the check, whose verdicts it counts
    if invocation.json:
        invocation.emit_json(status_document(state, runs, queued))
    else:
        look = invocation.look()
        invocation.emit_text(
            chain(run_status_lines(runs, datetime.now(UTC), look), status_lines(state, look, queued))
        )
