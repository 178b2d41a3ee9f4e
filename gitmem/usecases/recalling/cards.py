"""What recall keeps of each document beside its terms, as plain values for `gitmem.store.term_index`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

OUTCOME = "outcome:"
"""What the id of a session's outcome begins with."""


class Card(NamedTuple):
    """What an answer says of a document.

    Args:
        id: Of the memory, or ``outcome:<session>``.
        title: Its title.
        summary: The rule itself.
        kind: As in its file; ``session_outcome`` for what came of a session.
        label: What a line about it starts with.
        elements: Of its scope.
        paths: Globs of its scope, as written.
        exclude: Globs taken out of them.
        applies_to: Task domains.
        does_not_apply_to: Task domains where it must not be used.
        probe: A command that must pass.
        contract_version: What it was verified against.
        created_by: Who wrote it.
        file: Where it lies; empty for what is no file.
        project: Whether it is delivered everywhere.
    """

    id: str
    title: str | None
    summary: str
    kind: str
    label: str
    elements: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    does_not_apply_to: tuple[str, ...] = ()
    probe: str | None = None
    contract_version: str | None = None
    created_by: str | None = None
    file: str = ""
    project: bool = False


class Heads(NamedTuple):
    """What ranking needs of all documents at once; the first three by number, with gaps where none stands.

    Args:
        ids: Of each document.
        kinds: Of each document.
        validated: When each was last known true, as its file or validation says it; empty when nothing does.
        days: The same as days since year 1; 0 when nothing says so.
        links: Targets of each memory's links as plain pairs (`gitmem.recall.linking`), by id.
        confirmations: Validations of each memory that has some, by id.
        elements: Description and globs by name.
        adr: Folders of decision records.
        routes: Entries of each domain.
        profile: Name of the policy's profile.
        budget: Most tokens of an answer.
        problems: What of the settings could not be read, in words.
    """

    ids: Sequence[str]
    kinds: Sequence[str]
    validated: Sequence[str]
    days: Sequence[int]
    links: Mapping[str, Sequence[tuple[str, str]]]
    confirmations: Mapping[str, int]
    elements: Mapping[str, tuple[str, tuple[str, ...]]]
    adr: Sequence[str]
    routes: Mapping[str, tuple[str, ...]]
    profile: str
    budget: int
    problems: Sequence[str]


def card_of(plain: Any) -> Card:
    """The card that a plain tuple was made of."""
    return Card._make(plain)
