"""What every reader of configuration gives besides dicts, lists and scalars, and when it gives up."""

from __future__ import annotations

MAX_NODES = 200_000


class UnreadableError(ValueError):
    """The content does not parse as its language; the message says why, in one line."""


class Plain(str):
    """A YAML scalar that was written without quotes and is not a string."""

    __slots__ = ()
