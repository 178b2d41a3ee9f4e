"""`gitmem challenge`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import now


@command(examples=['gitmem challenge m-021 --reason "the retry moved to the gateway"'])
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--reason", metavar="TEXT", required=True, help="Why it is doubtful, one sentence.")
def challenge(invocation: Invocation, *, ids: tuple[str, ...], reason: str) -> None:
    """Mark a memory as doubtful: it is delivered with a warning until somebody confirms it.

    Writes the status, the day and the reason into the memory's file in the work tree; commit it.
    """
    from gitmem.report.sanitise import visible
    from gitmem.usecases.marking import challenge as challenge_memories

    moves = challenge_memories(invocation.repository(), ids, reason, now())
    if invocation.json:
        rows = [
            {"id": one.id, "from": one.old.value, "to": one.new.value, "reason": one.reason} for one in moves
        ]
        invocation.emit_json(rows[0] if len(rows) == 1 else {"moves": rows})
    else:
        invocation.emit_text(
            f"{visible(one.id)}: {one.old} → {one.new}  {visible(one.file)}" for one in moves
        )
