"""`gitmem gate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today
from gitmem.cli.written_path import repository_path

if TYPE_CHECKING:
    from gitmem.usecases.gate import Gate
    from gitmem.usecases.gating.asked import GateAnswer
    from gitmem.usecases.runs.recording import Teller

_NOT_ACCEPTED = 1


@command(
    examples=[
        "gitmem gate",
        "gitmem gate candidate-20260713-7k2mq -v",
        "gitmem gate .ai/memory/orders-are-sent-once.yaml --base origin/main --record",
    ]
)
@click.argument("subjects", metavar="[CANDIDATE|FILE]...", nargs=-1)
@click.option(
    "--base",
    metavar="REV",
    help="What a change is to be merged into: its policy and memories count; the trusted branch by default.",
)
@click.option("--record", is_flag=True, help="Write the decision with its scorecard into the ledger.")
@click.option(
    "--fail-on",
    type=click.Choice(["refuse", "hold", "needs_human"]),
    default="needs_human",
    help="The mildest decision that exits 1: all but accept by default.",
)
@click.option("--remote", is_flag=True, help="Ask the server whether the trusted branch stands there too.")
@event_options
def gate(
    invocation: Invocation,
    *,
    subjects: tuple[str, ...],
    base: str | None,
    record: bool,
    fail_on: str,
    remote: bool,
    run: str | None,
    session: str | None,
    actor: str,
) -> int:
    """Run the promotion gate: may these lessons become memory, and what is lacking?

    Judges candidates and memory files; without any, all open candidates and every file that this branch proposes. Every
    rule is told with its reason and its cure. A file that is approved as it stands has nothing left to decide. Refuse
    beats hold beats needs_human; exits 1 when not all are accepted, or by --fail-on. The policy is read from the trusted
    branch, or from --base: what a branch changes in it does not count for itself.
    """
    from gitmem.report.gate import gate_document, gate_lines
    from gitmem.usecases.gate import Gate
    from gitmem.usecases.gating.asked import ask_gate
    from gitmem.usecases.gating.files import names_file
    from gitmem.usecases.runs.recording import Teller

    ledger = invocation.ledger()
    opened = Gate(ledger, base=base, today=today(), worktree=True)
    words = [repository_path(ledger.repository, one) if names_file(one) else one for one in subjects]
    answer = ask_gate(opened, words, remote=remote)
    if invocation.json:
        invocation.emit_json(gate_document(opened, answer, is_single=len(subjects) == 1))
    else:
        invocation.emit_text(gate_lines(answer, invocation.look(), verbose=invocation.verbose))
    _remark(invocation, answer)
    if record:
        _record(invocation, opened, answer, run, Teller(actor, session))
    return _NOT_ACCEPTED if answer.has(fail_on) else 0


def _remark(invocation: Invocation, answer: GateAnswer) -> None:
    from gitmem.model.problem import Problem
    from gitmem.report.problems import problem_line

    invocation.warn(*answer.remarks)
    for one in answer.problems:
        invocation.warn(problem_line(one) if isinstance(one, Problem) else f"{one.run}: {one.message}")
    if not answer.gated:
        invocation.note(
            "there is no open candidate and no proposed memory here: gitmem remember TEXT makes one"
        )


def _record(invocation: Invocation, gate: Gate, answer: GateAnswer, run: str | None, teller: Teller) -> None:
    from gitmem.usecases.gating.asked import record_gated, run_to_record
    from gitmem.usecases.runs.inbox import find_run_to_write, inbox

    ledger = invocation.ledger()
    where = find_run_to_write(ledger, run) if run else run_to_record(ledger.current(), inbox(ledger))
    events = [record_gated(gate, where, one, teller) for one in answer.gated]
    written = [one for one in events if one is not None]
    invocation.note_masked(*written)
    invocation.note(
        f"{len(written)} of {len(events)} recorded in {where.id}; what stands there already is not repeated"
    )
