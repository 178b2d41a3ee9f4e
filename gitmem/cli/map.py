"""`gitmem map`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


@command("map", examples=["gitmem map --draft"])
@click.option(
    "--draft", "drafts", is_flag=True, help="Write .ai/elements.yaml from the repository's structure."
)
def map_(invocation: Invocation, *, drafts: bool) -> None:  # noqa: ARG001 - the map itself comes next
    """Show what is known of each element of the architecture, and which ones nobody has written a word about.

    --draft writes .ai/elements.yaml from packages, owners and folders; a file that somebody edited is kept and the
    draft is printed.
    """
    _draft(invocation)


def _draft(invocation: Invocation) -> None:
    from gitmem.report.map_draft import draft_document, draft_sentence
    from gitmem.usecases.drafting import write_draft

    drafted = write_draft(invocation.repository())
    if invocation.json:
        invocation.emit_json(draft_document(drafted))
    elif drafted.outcome in {"kept", "bare"}:
        invocation.emit_text(drafted.text.splitlines())
    invocation.note(draft_sentence(drafted))
