"""`gitmem sync`."""

from __future__ import annotations

from datetime import datetime

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

_REFUSED = 4


@command(examples=["gitmem sync", "gitmem sync backup --since 2026-07-01", "gitmem sync --artifacts"])
@click.argument("remote", metavar="[REMOTE]", required=False)
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Fetch no runs of earlier days that are not here.",
)
@click.option("--artifacts", is_flag=True, help="Also artifacts over 1 MiB, which else stay in their clone.")
def sync(invocation: Invocation, *, remote: str | None, since: datetime | None, artifacts: bool) -> int:
    """Fetch what others wrote to the ledger and push what this clone wrote.

    Never forced, never pruned, and no refspec is written to the configuration. The remote is `gitmem.syncRemote`, the
    branch's, origin or the only one. Offline is no error: what waits is sent the next time. A server that says nothing
    for two minutes counts as offline.
    """
    from gitmem.report.sync import sync_document, sync_lines
    from gitmem.usecases.runs.syncing import sync as sync_runs

    done = sync_runs(
        invocation.ledger(),
        remote,
        since=since.date() if since else None,
        artifacts=artifacts,
        before_first=lambda told: invocation.warn(f"note: {told}"),
    )
    if invocation.json:
        invocation.emit_json(sync_document(done))
    else:
        invocation.emit_text(sync_lines(done))
    return _REFUSED if done.rejected or (done.waiting and not done.offline) else 0
