"""`gitmem deny` and `gitmem retire`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.standard_input import said
from gitmem.cli.today import now

if TYPE_CHECKING:
    from gitmem.usecases.marking import Move

_reason = click.option("--reason", metavar="TEXT", required=True, help="Why, one sentence.")


@command(examples=['gitmem deny candidate-20261130-7k2mq --reason "true of the old gateway alone"'])
@click.argument("candidate", metavar="CANDIDATE")
@_reason
@event_options
def deny(
    invocation: Invocation, *, candidate: str, reason: str, run: str | None, session: str | None, actor: str
) -> None:
    """Deny a candidate: it does not become a memory.

    The ledger keeps who denied it, when and why, and what is nearly the same is not taken up again.
    """
    from gitmem.usecases.candidates import load_candidates
    from gitmem.usecases.deny import deny as deny_candidate
    from gitmem.usecases.runs.inbox import memory_run
    from gitmem.usecases.runs.recording import Teller
    from gitmem.usecases.whereabouts import left_branches

    ledger = invocation.ledger()
    teller = Teller(actor, session)
    move = deny_candidate(ledger, memory_run(ledger, run), teller, candidate, said(reason))
    _tell(invocation, move)
    held = load_candidates(ledger).by_id.get(move.id)
    for branch in left_branches(ledger.repository, held) if held else ():
        invocation.warn(
            f"its proposal still stands on {branch}, and merging it would approve it: git branch -D {branch}"
        )


@command(
    examples=[
        'gitmem retire m-021 --reason "the gateway is gone"',
        'gitmem retire m-021 --by m-040 --reason "m-040 says it for both gateways"',
        'gitmem retire m-021 --archive --reason "nobody asks any more"',
    ]
)
@click.argument("memory_id", metavar="ID")
@click.option("--by", "heir", metavar="NEW", help="The memory that takes its place.")
@click.option("--archive", is_flag=True, help="Put away what is deprecated or denied already.")
@_reason
@event_options
def retire(
    invocation: Invocation,
    *,
    memory_id: str,
    heir: str | None,
    archive: bool,
    reason: str,
    run: str | None,
    session: str | None,
    actor: str,
) -> None:
    """Retire a memory: it is not recalled any more, and stays in history.

    Writes the status, the day and the reason into the memory's file in the work tree; commit it. An approved memory is
    retired when that is merged. A candidate is withdrawn instead.
    """
    from gitmem.usecases.retire import RetireRequest
    from gitmem.usecases.retire import retire as retire_memory
    from gitmem.usecases.runs.inbox import memory_run
    from gitmem.usecases.runs.recording import Teller

    ledger = invocation.ledger()
    request = RetireRequest(memory_id, said(reason), now(), heir, archive)
    _tell(invocation, retire_memory(ledger, memory_run(ledger, run), Teller(actor, session), request))


def _tell(invocation: Invocation, move: Move) -> None:
    from gitmem.report.sanitise import visible

    if invocation.json:
        invocation.emit_json(
            {"id": move.id, "from": move.old.value, "to": move.new.value, "reason": move.reason}
        )
        return
    step = f"is {move.new} already" if move.old is move.new else f"{move.old} → {move.new}"
    invocation.emit_text([f"{visible(move.id)}: {step}  {visible(move.file)}"])
