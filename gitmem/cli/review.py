"""`gitmem review`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypedDict

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.standard_input import said
from gitmem.cli.today import today
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from typing import Unpack

    from gitmem.usecases.reviewing.resolving import Resolution

_KINDS = {
    "claimed": "claimed",
    "challenged": "challenged",
    "review": "review",
    "ignored": "ignored",
    "proposed": "proposed",
    "candidates": "candidate",
    "conflicts": "conflict",
    "expired": "expired",
    "unchecked": "unchecked",
}
_RESOLUTIONS = ("kept_existing", "superseded", "both_hold")


class Told(TypedDict):
    """What `event_options` gives."""

    run: str | None
    session: str | None
    actor: str


@command(
    examples=[
        "gitmem review",
        "gitmem review --only candidates --mine",
        'gitmem review --resolve candidate-20261130-7k2mq --as both_hold --reason "one for each gateway"',
    ]
)
@click.option("--only", type=click.Choice(tuple(_KINDS)), multiple=True, help="Only this kind.")
@click.option("--mine", is_flag=True, help="Only what you proposed, wrote or told.")
@click.option("--list", "listed", is_flag=True, help="List, even at a terminal.")
@click.option("--resolve", metavar="ID", help="Answer the contradictions of this candidate.")
@click.option(
    "--as",
    "resolution",
    type=click.Choice(_RESOLUTIONS),
    help="Keep what is known, replace it, or keep both.",
)
@click.option("--reason", metavar="TEXT", help="Why, for --resolve.")
@event_options
def review(
    invocation: Invocation,
    *,
    only: tuple[str, ...],
    mine: bool,
    listed: bool,
    resolve: str | None,
    resolution: Resolution | None,
    reason: str | None,
    **told: Unpack[Told],
) -> None:
    """What waits for a person: doubtful memories, proposals, candidates with what each lacks, contradictions.

    At a terminal it goes through them one by one, the oldest of each kind first: a accept, d deny, c confirm, r retire,
    e edit, n not for: none (it holds everywhere in its scope), s skip, q quit. In a pipe, with --json or --list it only lists. Proposals are judged against today's code.
    """
    if resolve is not None:
        _resolve(invocation, resolve, resolution, reason, told)
        return
    if resolution is not None or reason is not None:
        raise UsageError("--as and --reason belong to --resolve ID", hint="gitmem review --help")
    from dataclasses import replace

    from gitmem.report.review import review_document, review_lines
    from gitmem.usecases.reviewing.loading import load_queue
    from gitmem.usecases.reviewing.loading import mine as of_mine

    ledger = invocation.ledger()
    queue = load_queue(ledger, today=today())
    kinds = {_KINDS[one] for one in only}
    chosen = of_mine(ledger, queue) if mine else queue.items
    queue = replace(queue, items=tuple(one for one in chosen if not kinds or one.reason in kinds))
    if invocation.json:
        invocation.emit_json(review_document(queue))
    elif listed or not _at_a_terminal() or not queue.items:
        invocation.emit_text(review_lines(queue, invocation.look()))
    else:
        from gitmem.cli.review_session import ReviewSession
        from gitmem.usecases.runs.inbox import memory_run
        from gitmem.usecases.runs.recording import Teller

        teller = Teller(told["actor"], told["session"])
        ReviewSession(invocation, ledger, memory_run(ledger, told["run"]), teller).work_through(queue.items)
    _warn(invocation, queue.remarks, len(queue.problems))


def _at_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _warn(invocation: Invocation, remarks: tuple[str, ...], problems: int) -> None:
    invocation.warn(*remarks)
    if problems:
        noun = "file or run has" if problems == 1 else "files or runs have"
        invocation.note(f"{problems} {noun} problems: gitmem lint, gitmem run verify")


def _resolve(
    invocation: Invocation, word: str, resolution: Resolution | None, reason: str | None, told: Told
) -> None:
    from gitmem.report.review import resolved_document, resolved_lines
    from gitmem.usecases.reviewing.resolving import resolve
    from gitmem.usecases.runs.inbox import memory_run
    from gitmem.usecases.runs.recording import Teller

    if resolution is None or reason is None or not (text := said(reason)).strip():
        raise UsageError(
            "--resolve needs --as and --reason", hint=f"--as {'|'.join(_RESOLUTIONS)} --reason TEXT"
        )
    ledger = invocation.ledger()
    teller = Teller(told["actor"], told["session"])
    run = memory_run(ledger, told["run"])
    resolved = resolve(ledger, run, teller, word, resolution=resolution, reason=text)
    if invocation.json:
        invocation.emit_json(resolved_document(resolved))
    else:
        invocation.emit_text(resolved_lines(resolved, invocation.look()))
