"""`gitmem confirm`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import now
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.usecases.confirm import Asking, ConfirmResult
    from gitmem.usecases.replay import ReplaySubject


@command(
    examples=[
        "gitmem confirm m-021",
        "gitmem confirm m-021 --worktree",
        "gitmem confirm m-021 --seen 3f9c01ab42",
        "gitmem confirm m-021 --replay",
    ]
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--seen", metavar="TOKEN", help="Confirm exactly the evidence that this token names.")
@click.option("--worktree", is_flag=True, help="Take the content as it is now, uncommitted edits included.")
@click.option(
    "--apply", "apply", is_flag=True, help="Also write the scope patch of a relocation into the file."
)
@click.option("--replay", is_flag=True, help="Run the probe in a clean checkout instead of asking.")
@click.option(
    "--timeout",
    metavar="SECONDS",
    type=click.FloatRange(min=0.1, max=86_400),
    help="With --replay: how long one run may take; 300 unless the policy's budgets say replay_seconds.",
)
@click.option("--actor", metavar="NAME", envvar="GITMEM_ACTOR", help="Who looked; the committer by default.")
@click.option(
    "--run", metavar="RUN", envvar="GITMEM_RUN", help="With --replay: the run that it is recorded in."
)
@click.option(
    "--session", metavar="SESSION", envvar="GITMEM_SESSION", help="With --replay: the agent session."
)
def confirm(
    invocation: Invocation,
    *,
    ids: tuple[str, ...],
    seen: str | None,
    worktree: bool,
    apply: bool,
    replay: bool,
    timeout: float | None,
    actor: str | None,
    run: str | None,
    session: str | None,
) -> int:
    """Record that somebody looked and the memory still holds.

    Writes one new file below .ai/validations/ for each memory; commit it with the code. A memory that is challenged is
    shown with what changed under it first, and confirmed on a yes, or without a terminal by the token of what was shown.

    With --replay the memory's probe decides, run in a clean checkout of HEAD; when a fixing commit is named also before
    and after it. Passed confirms; failed challenges the memory, or deprecates one that is challenged already, in its file,
    for a person to merge; what cannot run changes nothing. A candidate's id is taken too. Exit 1: failed; 3: unknown.
    """
    if replay:
        if seen is not None or worktree or apply:
            raise UsageError(
                "--replay goes with none of --seen, --worktree and --apply",
                hint="the probe decides, on what is committed",
            )
        return _replay(invocation, ids, timeout=timeout, actor=actor, run=run, session=session)
    if timeout is not None:
        raise UsageError("--timeout goes with --replay alone", hint="leave it out, or add --replay")
    from gitmem.git.formatting import FALLBACK
    from gitmem.report.confirm import confirm_document, confirm_lines
    from gitmem.usecases.confirm import ConfirmRequest
    from gitmem.usecases.confirm import confirm as confirm_memories

    if seen is not None and not seen.strip():
        raise UsageError(
            "--seen names no token", hint="gitmem confirm ID without it shows the evidence and its token"
        )
    repository = invocation.repository()
    identity = repository.identity()
    by = actor or identity.name
    request = ConfirmRequest(ids, by, now(), seen, worktree, apply)
    result = confirm_memories(repository, request, _asker(invocation) if seen is None else None)
    if invocation.json:
        invocation.emit_json(confirm_document(result))
    else:
        invocation.emit_text(confirm_lines(result, invocation.look(), quiet=invocation.quiet))
    _remark(invocation, result, nameless=not actor and identity == FALLBACK)
    return 1 if result.asks else 0


def _replay(
    invocation: Invocation,
    ids: tuple[str, ...],
    *,
    timeout: float | None,
    actor: str | None,
    run: str | None,
    session: str | None,
) -> int:
    from gitmem.report.replay import begin_line, replay_document, replay_lines
    from gitmem.usecases.replay import ReplayRequest, Watcher, exit_code
    from gitmem.usecases.replay import replay as replay_probes
    from gitmem.usecases.runs.recording import Teller

    repository = invocation.repository()
    by = actor or repository.identity().name
    request = ReplayRequest(ids, by, Teller(actor or "human", session), now(), timeout, run)
    watcher = Watcher(_permission(invocation), lambda *told: invocation.note(begin_line(*told)))
    replays = replay_probes(repository, invocation.ledger(), request, watcher)
    if invocation.json:
        invocation.emit_json(replay_document(replays))
    else:
        invocation.emit_text(replay_lines(replays, invocation.look(), quiet=invocation.quiet))
    invocation.note_masked(*(one.event for one in replays if one.event is not None))
    return exit_code(replays)


def _permission(invocation: Invocation) -> Callable[[ReplaySubject], bool] | None:
    """Asks the person at the terminal whether an unmerged probe may run; None when nobody sits there."""
    if invocation.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None

    def ask(subject: ReplaySubject) -> bool:
        from gitmem.report.replay import edited_lines

        invocation.emit_text(edited_lines(subject))
        return click.confirm("run it?", default=False)

    return ask


def _remark(invocation: Invocation, result: ConfirmResult, *, nameless: bool) -> None:
    if result.passed_over:
        ids = ", ".join(result.passed_over)
        invocation.note(f"the token names no evidence here and was passed over: {ids} needs no look")
    if nameless and result.confirmed:
        invocation.note(
            "hint: git knows no name here, so the validation says `by: gitmem`: set git config user.name, or say --actor NAME"
        )


def _asker(invocation: Invocation) -> Callable[[Asking], bool] | None:
    """Asks the person at the terminal; None when nobody sits there."""
    if invocation.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None

    def ask(asking: Asking) -> bool:
        from gitmem.report.confirm import asking_lines

        invocation.emit_text(asking_lines(asking, invocation.look(), token=False))
        return click.confirm("does it still hold?", default=False)

    return ask
