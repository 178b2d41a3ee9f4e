"""`gitmem run start`."""

from __future__ import annotations

import click

from gitmem.cli.command import command, new_run_options
from gitmem.cli.invocation import Invocation


@command(examples=['gitmem run start checkout-duplicate-submit --goal "An order is sent once"'])
@click.argument("task", metavar="TASK")
@click.option("--goal", metavar="TEXT", help="What shall be true in the end, one sentence.")
@click.option(
    "--allow", "allowed", metavar="GLOB", multiple=True, help="Files that may be edited; may be repeated."
)
@new_run_options
def start(
    invocation: Invocation,
    *,
    task: str,
    goal: str | None,
    allowed: tuple[str, ...],
    run: str | None,
    session: str | None,
    actor: str,
) -> None:
    """Begin a run and make it the current one of this work tree; prints its id."""
    from gitmem.usecases.runs.starting import start_run

    ledger = invocation.ledger()
    made, event = start_run(
        ledger, task, actor=actor, goal=goal, allowed_files=allowed, run=run, session=session
    )
    if invocation.json:
        invocation.emit_json({"run": made.id, "ref": made.ref(), "task": task})
    else:
        invocation.emit_text([made.id])
    invocation.note_masked(event)
