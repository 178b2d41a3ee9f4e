"""`gitmem run archive`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


@command(examples=["gitmem run archive", "gitmem run archive --older-than 90d"])
@click.option(
    "--older-than",
    "age",
    metavar="AGE",
    help="Only runs whose last event is older: 90d, 12h, 4w; all by default.",
)
def archive(invocation: Invocation, *, age: str | None) -> None:
    """Let ended runs leave the list of refs. They stay readable: `run show`, `run log`, `run list --all`.

    This clone's refs of them move to refs/ai/archive/<writer>; writing to such a run brings its ref back.
    """
    from gitmem.usecases.runs.archiving import archive_runs, parse_age

    done = archive_runs(invocation.ledger(), older_than=parse_age(age) if age else None)
    if invocation.json:
        kept = [{"run": one.run, "reason": one.reason} for one in done.kept]
        invocation.emit_json({"archived": list(done.archived), "kept": kept})
    else:
        invocation.emit_text(done.archived)
    invocation.note(*(f"not archived: {one.run}: {one.reason}" for one in done.kept))
    if not done.archived and not done.kept:
        invocation.note("no ended run to archive")
