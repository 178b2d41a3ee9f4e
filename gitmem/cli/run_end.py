"""`gitmem run end`."""

from __future__ import annotations

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation


@command(
    "end", examples=["gitmem run end", "gitmem run end --outcome abandoned", "gitmem run end --used m-021"]
)
@click.option(
    "--outcome",
    type=click.Choice(["completed", "abandoned"]),
    default="completed",
    help="How it ended; completed by default.",
)
@click.option("--used", metavar="ID", multiple=True, help="A memory that helped; may be repeated.")
@event_options
def end(
    invocation: Invocation,
    *,
    outcome: str,
    used: tuple[str, ...],
    run: str | None,
    session: str | None,
    actor: str,
) -> None:
    """End a run: write its last handoff, and record what it teaches as candidates.

    Candidates come from its own events: a failing test that passes after a change, an approach rejected after a failure or
    by a person, a decision with its reason. They are no knowledge before a person has merged them. The run stays readable, as
    AI_RUN too; `run resume` opens it again.
    """
    from gitmem.report.remember import extracted_document, extracted_lines
    from gitmem.usecases.runs.ending import end_run
    from gitmem.usecases.runs.finding import find_run
    from gitmem.usecases.runs.recording import Teller

    ledger = invocation.ledger()
    ended = end_run(ledger, find_run(ledger, run), Teller(actor, session), outcome=outcome, used=used)
    if invocation.json:
        candidates = [extracted_document(one.stored) for one in ended.remembered if one.stored]
        invocation.emit_json({"run": ended.run.id, "outcome": outcome, "memory_candidates": candidates})
    else:
        lines = extracted_lines(ended.remembered, invocation.look())
        invocation.emit_text([f"{ended.run.id} {outcome}", *lines])
    if any(one.stored for one in ended.remembered):
        invocation.note(
            "gitmem gate ID tells what a candidate lacks; a person who merges its proposal approves it"
        )
    invocation.note_masked(*ended.events)
    if ended.no_candidates:
        invocation.warn(f"no candidates were looked for: {ended.no_candidates}")
    if ended.no_handoff:
        invocation.warn(f"its last handoff was not written: {ended.no_handoff}")
    if ended.exchange.synced is not None:
        from gitmem.report.sync import first_lines, sync_lines

        invocation.warn(*first_lines(ended.exchange.synced))
        invocation.note(*sync_lines(ended.exchange.synced))
    if ended.exchange.failed:
        invocation.warn(f"not synced: {ended.exchange.failed}")
