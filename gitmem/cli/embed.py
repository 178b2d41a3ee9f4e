"""`gitmem embed`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

_REMOTE = 4


@command(
    examples=[
        "git config gitmem.embed.model offline && gitmem embed",
        "git config gitmem.embed.url http://localhost:11434 && git config gitmem.embed.model bge-m3 && gitmem embed",
    ],
)
@click.option("--renew", is_flag=True, help="Make all of them anew.")
def embed(invocation: Invocation, *, renew: bool) -> int:
    """Make the vectors of memories, candidates and elements that have none yet.

    The provider is the user's alone: git config gitmem.embed.url with an OpenAI-compatible endpoint or Ollama and
    gitmem.embed.model, or the model "offline" of the extra gitmem-ledger[vectors]; the key is GITMEM_EMBED_KEY. Texts
    are sent there without secrets. What is made is kept under the git directory. `gitmem mcp` does the same meanwhile.
    """
    from gitmem.report.embed import filled_document, filled_lines
    from gitmem.usecases.embedding.filling import fill

    filled = fill(invocation.ledger(), progress=_progress(invocation), renew=renew)
    if invocation.json:
        invocation.emit_json(filled_document(filled))
    else:
        invocation.emit_text(filled_lines(filled))
    if filled.problem:
        invocation.warn(f"gitmem: {filled.problem}")
    return _REMOTE if filled.problem and filled.settings else 3 if filled.settings is None else 0


def _progress(invocation: Invocation) -> Callable[[int, int], None]:
    """A line that is written over, on a terminal and after a second only."""
    begun = time.monotonic()
    shown = sys.stderr.isatty() and not invocation.quiet

    def tell(done: int, of: int) -> None:
        if shown and time.monotonic() - begun > 1:
            end = "\n" if done == of else ""
            sys.stderr.write(f"\r{done} of {of} vectors{end}")
            sys.stderr.flush()

    return tell
