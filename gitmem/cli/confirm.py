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


@command(
    examples=[
        "gitmem confirm m-021",
        "gitmem confirm m-021 --worktree",
        "gitmem confirm m-021 --seen 3f9c01ab42",
    ]
)
@click.argument("ids", metavar="ID...", nargs=-1, required=True)
@click.option("--seen", metavar="TOKEN", help="Confirm exactly the evidence that this token names.")
@click.option("--worktree", is_flag=True, help="Take the content as it is now, uncommitted edits included.")
@click.option(
    "--apply", "apply", is_flag=True, help="Also write the scope patch of a relocation into the file."
)
@click.option("--actor", metavar="NAME", envvar="GITMEM_ACTOR", help="Who looked; the committer by default.")
def confirm(
    invocation: Invocation,
    *,
    ids: tuple[str, ...],
    seen: str | None,
    worktree: bool,
    apply: bool,
    actor: str | None,
) -> int:
    """Record that somebody looked and the memory still holds.

    Writes one new file below .ai/validations/ for each memory; commit it with the code. A memory that is challenged is
    shown with what changed under it first, and confirmed on a yes, or without a terminal by the token of what was shown.
    """
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
