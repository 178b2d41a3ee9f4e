"""What a statement's concrete words rest on beyond names of code: each was found in one place of the scope, and is watched there.

Imports, quantities, words and commands that code has as text, lists of names, products with their versions, a tool's tables.
**None of these tells the whole of a sentence**, so that they stand beside the watches of its names and, in a narrow
scope, beside its whole files; none takes the place of another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from gitmem.drift.places import Places
from gitmem.drift.ranking import Ranked
from gitmem.drift.said_arguments import said_arguments
from gitmem.drift.said_defaults import said_defaults
from gitmem.drift.said_heirs import said_heirs
from gitmem.drift.said_imports import said_imports
from gitmem.drift.said_lists import said_lists
from gitmem.drift.said_outputs import said_outputs
from gitmem.drift.said_packages import said_packages
from gitmem.drift.said_products import said_products
from gitmem.drift.said_quantities import said_quantities
from gitmem.drift.said_words import said_words
from gitmem.drift.tools import Tools
from gitmem.drift.view import TreeView
from gitmem.drift.words import Token
from gitmem.model.watch import Watch


class Ground(NamedTuple):
    """Where a statement's words are looked up.

    Args:
        view: The tree.
        files: The files that the memory's scope matches.
        places: Looks paths up.
        tools: Looks dependencies and scripts up.
        banned: The prohibited names of the text.
    """

    view: TreeView
    files: Sequence[str]
    places: Places
    tools: Tools
    banned: Collection[Token]


def ground(text: str, ranked: Ranked, at: Ground) -> frozenset[Watch]:
    """Add what is concrete in a statement to the watches of its names; those that are new."""
    found = dict.fromkeys(_found(text, ranked, at)) if at.files else {}
    new = [watch for watch in found if watch not in ranked and not ranked.has_key_of(watch)]
    for watch in new:
        ranked.add(watch)
    return frozenset(new)


def _found(text: str, ranked: Ranked, at: Ground) -> Iterator[Watch]:
    banned = [token.start for token in at.banned]
    yield from said_imports(text, at.view, at.files, at.places, banned)
    yield from said_arguments(text, at.view, at.files, banned)
    yield from said_defaults(text, at.view, at.files, banned)
    yield from said_outputs(text, at.view, at.files, banned)
    yield from said_quantities(text, at.view, at.files)
    yield from said_words(text, at.view, at.files, ranked.names, banned)
    yield from said_lists(text, at.view, at.files, banned, cited=ranked.files, known=ranked.names)
    yield from said_heirs(text, at.view, at.files, banned)
    yield from said_products(text, at.view, at.files, at.tools, banned)
    yield from said_packages(text, at.view, at.files, at.tools, banned)
