"""What to say of a path that a statement names and the tree does not have."""

from __future__ import annotations

from gitmem.drift.places import Places
from gitmem.drift.said_outputs import is_made
from gitmem.drift.unresolved import Unresolved
from gitmem.drift.words import Token


def missing_path(text: str, token: Token, places: Places) -> Unresolved | None:
    """The path as one that was born false, with the nearest that is there; None where nothing says that it should be there.

    Args:
        text: The statement. A path that something is said to write need be in no tree.
        token: The path in it.
        places: Looks paths up.
    """
    is_plausible = places.is_plausible(token.text)
    if not (token.ticked or is_plausible) or is_made(text, token.start, token.end):
        return None
    nearest = places.nearest(token.text)
    is_path = "." in token.text or "/" in token.text.strip("/")
    certain = token.ticked and is_path and is_plausible
    if not (nearest or certain):
        return None
    return Unresolved(token.text, nearest, "born_false" if certain else "weak")
