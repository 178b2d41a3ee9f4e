"""`gitmem list` and `gitmem show`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today
from gitmem.cli.written_path import repository_path

if TYPE_CHECKING:
    from gitmem.usecases.knowledge import Knowledge
    from gitmem.usecases.listing import Listed, Listing
    from gitmem.usecases.taken_away import TakenAway

_STATUSES = ("active", "challenged", "proposed", "candidate", "deprecated", "archived", "denied")
_KINDS = ("pitfall", "convention", "note", "session_outcome")


@command(
    "list",
    examples=[
        "gitmem list",
        "gitmem list --path src/checkout/api.ts",
        "gitmem list --status proposed --json",
    ],
)
@click.option("--all", "retired", is_flag=True, help="Also what is denied, deprecated or archived.")
@click.option("--status", type=click.Choice(_STATUSES), help="Only this status.")
@click.option("--kind", type=click.Choice(_KINDS), help="Only this kind.")
@click.option("--path", metavar="P", help="Only what is delivered at this path.")
@click.option("--element", metavar="E", help="Only what names this element.")
@click.option("--remote", is_flag=True, help="Ask the server whether its default branch says the same.")
def list_(
    invocation: Invocation,
    *,
    retired: bool,
    status: str | None,
    kind: str | None,
    path: str | None,
    element: str | None,
    remote: bool,
) -> None:
    """List memories: what is approved, what is doubtful, what is only proposed.

    Approved is what the trusted branch holds, whatever a file says about itself. An edit that is not merged stands
    behind the memory it would change.
    """
    from gitmem.report.listing import listing_document, listing_lines, tally, trusted_sentence
    from gitmem.usecases.listing import Wanted, select

    _, everything = _load(invocation, remote=remote)
    if path is not None:
        path = repository_path(invocation.repository(), path)
    listing = select(everything, Wanted(retired, status, kind, path, element))
    if invocation.json:
        invocation.emit_json(listing_document(listing))
    else:
        invocation.emit_text(listing_lines(listing, invocation.look()))
    _warn_of_problems(invocation, listing)
    hidden = len(everything.memories) - len(listing.memories)
    invocation.note(
        f"{tally(listing)}{f' ({hidden} more not shown)' if hidden else ''}; {trusted_sentence(listing)}"
    )


@command("show", examples=["gitmem show m-021", "gitmem show m-021 --history"])
@click.argument("memory_id", metavar="ID")
@click.option("--history", "with_history", is_flag=True, help="Also the commits and validations behind it.")
@click.option("--remote", is_flag=True, help="Ask the server whether its default branch says the same.")
def show(invocation: Invocation, memory_id: str, *, with_history: bool, remote: bool) -> None:
    """Show one memory in full: the rule, its scope and evidence, who approved it, what stands against it."""
    from gitmem.report.listing import (
        listing_document,
        memory_lines,
        standing_fields,
        trusted_sentence,
    )
    from gitmem.report.taken_away import taken_document, taken_words
    from gitmem.usecases.listing import find, validation_of

    knowledge, everything = _load(invocation, remote=remote)
    listing = find(everything, memory_id)
    histories = [_history(invocation, knowledge, one) for one in listing.memories] if with_history else []
    if invocation.json:
        document = listing_document(listing)
        for shown, listed in zip(document["memories"], listing.memories, strict=True):
            shown.update(standing_fields(validation_of(knowledge, listed.memory)))
            shown["validation_taken_away"] = taken_document(_taken(invocation, knowledge, listed))
        for one, (told, _) in zip(document["memories"], histories, strict=False):
            one.update(told)
        invocation.emit_json(document)
    else:
        for number, one in enumerate(listing.memories):
            validation = validation_of(knowledge, one.memory)
            taken = taken_words(_taken(invocation, knowledge, one))
            own = memory_lines(one, invocation.look(), validation=validation, taken=taken)
            lines = [*([""] if number else []), *own]
            invocation.emit_text([*lines, *(histories[number][1] if histories else [])])
    _warn_of_problems(invocation, listing)
    invocation.note(trusted_sentence(listing))


def _taken(invocation: Invocation, knowledge: Knowledge, one: Listed) -> TakenAway | None:
    from gitmem.usecases.taken_away import last_taken_away

    left = (known.validation for known in knowledge.validations_of(one.memory.id))
    tip = knowledge.trusted.commit if one.known.merged else None
    return last_taken_away(invocation.repository(), tip, one.memory.id, left)


def _load(invocation: Invocation, *, remote: bool) -> tuple[Knowledge, Listing]:
    from gitmem.usecases.listing import load_listing
    from gitmem.usecases.proposals import with_proposals

    repository = invocation.repository()
    loaded = load_listing(repository, today=today(), remote=remote)
    if loaded.remark:
        say = invocation.note if loaded.knowledge.trusted.verified else invocation.warn
        say(loaded.remark)
    return loaded.knowledge, with_proposals(repository, loaded)


def _history(
    invocation: Invocation, knowledge: Knowledge, one: Listed
) -> tuple[dict[str, object], list[str]]:
    from gitmem.report.listing import history_document, history_lines
    from gitmem.usecases.listing import History, history, validations_of

    tip = knowledge.trusted.commit if one.known.merged else knowledge.judged
    tip = one.where.commit if one.where is not None else tip
    touched = history(invocation.repository(), one.known, tip) if tip else History(())
    validations = validations_of(knowledge, one.memory.id)
    return (
        dict(history_document(touched, validations)),
        list(history_lines(touched, validations, invocation.look())),
    )


_CLAIMED = frozenset({"approved_by", "approved_at", "validated_by"})
"""What a file says of who approved it or found it true: where history does not bear it out, a reader of the file would be misled."""


def _warn_of_problems(invocation: Invocation, listing: Listing) -> None:
    from gitmem.report.problems import problem_line, unreadable

    claims = [one for one in listing.problems if one.field in _CLAIMED and one.severity != "error"]
    invocation.warn(*(problem_line(one) for one in [*unreadable(listing.problems), *claims]))
