"""`gitmem import`."""

from __future__ import annotations

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import now
from gitmem.cli.written_path import repository_path


@command(
    "import",
    examples=["gitmem import", "gitmem import AGENTS.md docs/adr", "gitmem import .cursor/rules --json"],
)
@click.argument("sources", metavar="[SOURCE]...", nargs=-1)
@event_options
def import_(
    invocation: Invocation, *, sources: tuple[str, ...], run: str | None, session: str | None, actor: str
) -> None:
    """Take rules that are written down already as candidates, one fact each.

    SOURCE is a file or folder: AGENTS.md, CLAUDE.md, .cursor/rules, .github/instructions, decision records, Markdown notes.
    Without one, every rules file of the work tree is read but plain Markdown. A candidate holds where its file says; what is
    known, waiting or denied is left out, so importing again adds only what is new. Nothing becomes knowledge by this.
    """
    from gitmem.report.importing import (
        imported_document,
        imported_lines,
        short_line,
        skipped_lines,
        summary_line,
    )
    from gitmem.usecases.importing_rules import import_rules
    from gitmem.usecases.runs.inbox import memory_run
    from gitmem.usecases.runs.recording import Teller

    ledger = invocation.ledger()
    wanted = [repository_path(ledger.repository, one) for one in sources]
    where = memory_run(ledger, run)
    imported = import_rules(ledger, where, wanted, Teller(actor, session), now())
    if invocation.json:
        invocation.emit_json(imported_document(imported))
    else:
        invocation.emit_text(imported_lines(imported, invocation.look()))
    if invocation.verbose:
        invocation.note(*skipped_lines(imported.skipped))
    invocation.note(*short_line(imported), summary_line(imported))
