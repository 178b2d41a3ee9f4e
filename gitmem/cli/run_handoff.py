"""`gitmem run handoff`."""

from __future__ import annotations

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation


@command(examples=["gitmem run handoff", "gitmem run handoff --write --actor claude-code"])
@click.argument("word", metavar="[RUN]", required=False)
@click.option("--write", is_flag=True, help="Also record it: handoff.md, decisions.md, latest-failure.json.")
@event_options
def handoff(
    invocation: Invocation, *, word: str | None, write: bool, run: str | None, session: str | None, actor: str
) -> int:
    """What the next agent has to know: goal, phase, findings, failure, next action, what not to repeat.

    Exits with 3 when something of the run cannot be read; what is known of it is told all the same.
    """
    from gitmem.report.sanitise import visible_block
    from gitmem.usecases.runs.finding import find_run
    from gitmem.usecases.runs.handing_off import show_handoff, write_handoff

    ledger = invocation.ledger()
    found = find_run(ledger, word or run)
    event = write_handoff(ledger, found, actor=actor, session=session) if write else None
    shown = show_handoff(ledger, found)
    if invocation.json:
        invocation.emit_json({"run": found.id, "text": shown.text, "problems": list(shown.problems)})
    else:
        invocation.emit_text(visible_block(shown.text).rstrip("\n").split("\n"))
    invocation.warn(*shown.problems)
    if event is not None:
        invocation.note(f"recorded #{event.seq} {event.id}")
        invocation.note_masked(event)
    return 3 if shown.unread else 0
