"""`gitmem map`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today

if TYPE_CHECKING:
    from gitmem.git.interface import Repository
    from gitmem.usecases.map import Mapped


@command(
    "map",
    examples=[
        "gitmem map",
        "gitmem map --html map.html",
        'gitmem map --find "retry at checkout"',
        "gitmem map --draft",
    ],
)
@click.option(
    "--draft", "drafts", is_flag=True, help="Write .ai/elements.yaml from the repository's structure."
)
@click.option("--html", "page", metavar="FILE", help="Write the map as one page that needs no network.")
@click.option("--find", "task", metavar="TEXT", help="Which elements a task is about, and why.")
def map_(invocation: Invocation, *, drafts: bool, page: str | None, task: str | None) -> None:
    """Show what is known of each element of the architecture, and which ones nobody has written a word about.

    Elements are named in .ai/elements.yaml; without it those that the repository's structure suggests are shown.
    Counted are approved memories whose scope names the element or lies inside its paths, and the commits that touched
    it in the 90 days before the newest one. -v shows every gap.

    --html writes a page with the elements as areas by size, coloured by freshness, the gaps hatched.

    --find ranks the elements that a task is about, by the words of their names, files and memories.

    --draft writes .ai/elements.yaml from packages, owners and folders; a file that somebody edited is kept and the
    draft is printed.
    """
    _refuse_several({"--draft": drafts, "--html": page is not None, "--find": task is not None})
    if drafts:
        _draft(invocation)
        return
    if task is not None:
        _find(invocation, task)
        return
    from gitmem.report.map_text import map_document, map_lines, map_notes, map_problems
    from gitmem.usecases.map import load_map

    repository = invocation.repository()
    mapped = load_map(repository, today=today())
    if page is not None:
        _write(invocation, repository, page, mapped)
    if invocation.json:
        invocation.emit_json(map_document(mapped))
    elif page is None:
        invocation.emit_text(map_lines(mapped, invocation.look(), whole=invocation.verbose))
    invocation.warn(*map_problems(mapped))
    invocation.note(*map_notes(mapped))


def _refuse_several(given: Mapping[str, bool]) -> None:
    """Each of them asks for an answer of its own, so two at once would leave one out without a word."""
    named = [name for name, is_given in given.items() if is_given]
    if len(named) > 1:
        raise click.UsageError(f"{' and '.join(named)} are answered one at a time")


def _write(invocation: Invocation, repository: Repository, page: str, mapped: Mapped) -> None:
    from gitmem.report.map_page import render_page
    from gitmem.usecases.work_files import write_page

    if page == "-":
        raise click.UsageError("--html names a file, and - is none: gitmem map --html map.html")
    write_page(repository.layout, page, render_page(mapped, today=today()))
    invocation.note(f"wrote {page}")


def _draft(invocation: Invocation) -> None:
    from gitmem.report.map_draft import draft_document, draft_sentence
    from gitmem.usecases.drafting import write_draft

    drafted = write_draft(invocation.repository())
    if invocation.json:
        invocation.emit_json(draft_document(drafted))
    elif drafted.outcome in {"kept", "bare"}:
        invocation.emit_text(drafted.text.splitlines())
    invocation.note(draft_sentence(drafted))


def _find(invocation: Invocation, task: str) -> None:
    from gitmem.report.map_text import found_document, found_lines, found_notes, map_problems
    from gitmem.usecases.map import find_in_map

    found = find_in_map(invocation.repository(), task, today=today())
    whole = invocation.verbose
    if invocation.json:
        invocation.emit_json(found_document(found, task))
    else:
        invocation.emit_text(found_lines(found, invocation.look(), whole=whole))
    invocation.warn(*map_problems(found), *filter(None, [found.unasked]))
    invocation.note(*found_notes(found, whole=whole))
