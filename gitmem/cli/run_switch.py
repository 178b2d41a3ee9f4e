"""`gitmem run switch` and `gitmem run fork`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

if TYPE_CHECKING:
    from gitmem.usecases.runs.switching import Resumable


@command("switch", examples=["gitmem run switch run-20260713-7k3fa"])
@click.argument("run", metavar="RUN")
def switch(invocation: Invocation, *, run: str) -> None:
    """Make a run the current one of this work tree; says where to go on. Code and branch stay as they are.

    RUN is an id or the beginning of one.
    """
    from gitmem.usecases.runs.switching import switch_run

    _tell(invocation, switch_run(invocation.ledger(), run))


@command("fork", examples=["gitmem run fork run-20260713-7k3fa --at 4"])
@click.argument("run", metavar="RUN")
@click.option("--at", metavar="SEQ", type=int, required=True, help="The event that the new run begins with.")
def fork(invocation: Invocation, *, run: str, at: int) -> None:
    """Begin a new run from an event of an old one and make it the current one; says where to go on.

    The new run knows all that was known then and nothing that came later; the old one stays as it is.
    """
    from gitmem.usecases.runs.switching import fork_run

    _tell(invocation, fork_run(invocation.ledger(), run, at=at))


def _tell(invocation: Invocation, one: Resumable) -> None:
    from gitmem.report.runs.run_state import resumable_document, resumable_lines
    from gitmem.usecases.runs.listing import ENDED

    if invocation.json:
        invocation.emit_json(resumable_document(one))
    else:
        invocation.emit_text(resumable_lines(one, invocation.look()))
    if one.snapshot.phase in ENDED:
        invocation.note(f"it has ended ({one.snapshot.phase}): gitmem run resume opens it again")
