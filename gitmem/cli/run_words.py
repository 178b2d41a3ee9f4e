"""The short forms of common events: `gitmem run note`, `reject`, `next`, …

TEXT is ``-`` for what stands on standard input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.run_event import tell_recorded
from gitmem.cli.standard_input import said

if TYPE_CHECKING:
    from typing import Unpack

    from gitmem.store.ledger import Run

_reason = click.option("--reason", metavar="TEXT", help="Why.")
_text = click.argument("text", metavar="TEXT")


class Where(TypedDict):
    """What `event_options` gives."""

    run: str | None
    session: str | None
    actor: str


@command(
    examples=['gitmem run note "the gateway drops the header on retries"', "make 2>&1 | gitmem run note -"]
)
@_text
@event_options
def note(invocation: Invocation, *, text: str, **where: Unpack[Where]) -> None:
    """Note a finding."""
    _record(invocation, "finding_noted", {"finding": said(text)}, where)


@command(examples=['gitmem run adopt "an idempotency key" --reason "the server knows it already"'])
@_text
@_reason
@event_options
def adopt(invocation: Invocation, *, text: str, reason: str | None, **where: Unpack[Where]) -> None:
    """Say which approach is in use from now on."""
    _record(invocation, "approach_adopted", {"approach": said(text), "reason": reason}, where)


@command(examples=['gitmem run reject "disable the button" --reason "a second tap comes before the redraw"'])
@_text
@_reason
@event_options
def reject(invocation: Invocation, *, text: str, reason: str | None, **where: Unpack[Where]) -> None:
    """Say which approach must not be tried again; every handoff repeats it."""
    _record(invocation, "approach_rejected", {"approach": said(text), "reason": reason}, where)


@command(examples=['gitmem run decide "retries stay in the client" --reason "the gateway has none"'])
@_text
@_reason
@event_options
def decide(invocation: Invocation, *, text: str, reason: str | None, **where: Unpack[Where]) -> None:
    """Record a decision."""
    _record(invocation, "decision_recorded", {"decision": said(text), "reason": reason}, where)


@command(
    examples=[
        'gitmem run risk "orders placed during the deploy are not covered"',
        'gitmem run risk --clear "orders placed"',
    ]
)
@_text
@click.option("--clear", is_flag=True, help="It is none any more; the beginning of its text is enough.")
@event_options
def risk(invocation: Invocation, *, text: str, clear: bool, **where: Unpack[Where]) -> None:
    """Note a risk that remains, or clear one."""
    from gitmem.usecases.runs.recording import Teller, clear_risk

    if clear:
        run = _run(invocation, where)
        tell_recorded(invocation, clear_risk(run, said(text), Teller(where["actor"], where["session"])))
    else:
        _record(invocation, "risk_noted", {"risk": said(text)}, where)


@command("next", examples=['gitmem run next "send the key with the retry too"'])
@_text
@event_options
def next_(invocation: Invocation, *, text: str, **where: Unpack[Where]) -> None:
    """Say what is to be done next."""
    _record(invocation, "next_step_set", {"next_step": said(text)}, where)


@command(examples=['gitmem run pause "waiting for the test server"'])
@_text
@event_options
def pause(invocation: Invocation, *, text: str, **where: Unpack[Where]) -> None:
    """Stop for now, and say why."""
    _record(invocation, "run_paused", {"reason": said(text)}, where)


@command(examples=["gitmem run resume", 'gitmem run resume "the test server is back"'])
@click.argument("text", metavar="[TEXT]", required=False)
@event_options
def resume(invocation: Invocation, *, text: str | None, **where: Unpack[Where]) -> None:
    """Go on with a run that was paused, or open an ended one again."""
    _record(invocation, "run_resumed", {"reason": None if text is None else said(text)}, where)


@command(examples=['gitmem run ask "may the schema change?"'])
@_text
@event_options
def ask(invocation: Invocation, *, text: str, **where: Unpack[Where]) -> None:
    """Ask a person; the run waits until somebody answers."""
    _record(invocation, "waiting_human", {"question": said(text)}, where)


@command(examples=['gitmem run answer "yes, with a migration"'])
@_text
@event_options
def answer(invocation: Invocation, *, text: str, **where: Unpack[Where]) -> None:
    """Answer what was asked; the run goes on in the phase before."""
    _record(invocation, "human_answered", {"answer": said(text)}, where)


def _record(invocation: Invocation, event_type: str, payload: dict[str, str | None], where: Where) -> None:
    from gitmem.usecases.runs.recording import Teller, record

    told = {name: text for name, text in payload.items() if text}
    teller = Teller(where["actor"], where["session"])
    tell_recorded(invocation, record(_run(invocation, where), event_type, told, teller))


def _run(invocation: Invocation, where: Where) -> Run:
    from gitmem.usecases.runs.inbox import find_run_to_write

    return find_run_to_write(invocation.ledger(), where["run"])
