"""`gitmem run verify`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


@command(examples=["gitmem run verify", "gitmem run verify run-20260713-k3x9q"])
@click.argument("run", metavar="[RUN]", required=False)
def verify(invocation: Invocation, *, run: str | None) -> int:
    """Check every commit, event, artifact, the order and the fold; all runs when none is named.

    Reads only. Exits with 1 when something is wrong.
    """
    from gitmem.report.counts import count_of
    from gitmem.report.sanitise import prose
    from gitmem.usecases.runs.verifying import verify as verify_runs

    found = verify_runs(invocation.ledger(), run)
    if invocation.json:
        problems = [one._asdict() for one in found.problems]
        invocation.emit_json({"ok": not problems, "checked": found.checked, "problems": problems})
    else:
        invocation.emit_text(f"{one.kind}  {prose(one.message)}" for one in found.problems)
        count = len(found.problems)
        told = count_of(count, "problem") if count else "nothing wrong"
        invocation.emit_text(
            [f"{count_of(found.checked, 'event')} in {count_of(len(found.runs), 'run')} checked: {told}"]
        )
    return 1 if found.problems else 0
