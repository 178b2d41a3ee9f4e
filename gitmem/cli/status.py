"""`gitmem status`."""

from __future__ import annotations

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today


@command("status", examples=["gitmem status", "gitmem status --json"])
def status(invocation: Invocation) -> None:
    """One screen: the trusted branch, memories by status, what cannot be checked, what waits for a person."""
    from gitmem.report.status import status_document, status_lines
    from gitmem.usecases.status import load_state

    state = load_state(invocation.repository(), today=today())
    if invocation.json:
        invocation.emit_json(status_document(state))
    else:
        invocation.emit_text(status_lines(state, invocation.look()))
