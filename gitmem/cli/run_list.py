"""`gitmem run list`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.errors import UsageError


@command("list", examples=["gitmem run list", "gitmem run list --all --json", "gitmem run list --failures"])
@click.option("--all", "everything", is_flag=True, help="Also ended runs and the inbox.")
@click.option("--failures", is_flag=True, help="Failures that came back in several runs, ended ones too.")
def list_(invocation: Invocation, *, everything: bool, failures: bool) -> None:
    """List runs, newest first: id, task, phase, events, last event, writers; * marks the current one.

    With --failures: failures with the same command, failing tests and class in more than one run, whatever numbers,
    folders and object ids they name. A fault that comes back is where the next memory should come from.
    """
    if failures and everything:
        raise UsageError("--failures looks at all runs already", hint="leave out --all")
    if failures:
        _failures(invocation)
    else:
        _runs(invocation, everything=everything)


def _runs(invocation: Invocation, *, everything: bool) -> None:
    from datetime import UTC, datetime

    from gitmem.report.runs.run_list import problem_lines, run_list_document, run_list_lines
    from gitmem.usecases.runs.listing import list_runs

    listing = list_runs(invocation.ledger(), everything=everything)
    if invocation.json:
        invocation.emit_json(run_list_document(listing))
    else:
        invocation.emit_text(run_list_lines(listing, datetime.now(UTC), invocation.look()))
    invocation.warn(*problem_lines(listing.problems))
    if listing.ended:
        invocation.note(
            f"{listing.ended} ended not shown: --all shows {'it' if listing.ended == 1 else 'them'}"
        )
    elif not listing.rows:
        invocation.note("no runs here: gitmem run start TASK begins one")


def _failures(invocation: Invocation) -> None:
    from datetime import UTC, datetime

    from gitmem.report.runs.run_list import failure_lines, failures_document, problem_lines
    from gitmem.usecases.runs.recurring import list_failures

    listing = list_failures(invocation.ledger())
    if invocation.json:
        invocation.emit_json(failures_document(listing))
    else:
        invocation.emit_text(failure_lines(listing, datetime.now(UTC), invocation.look()))
    invocation.warn(*problem_lines(listing.problems))
    if not listing.failures:
        invocation.note("no failure came back in another run")
