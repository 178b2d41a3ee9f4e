"""What sessions said, as values; apart from how it is folded, since every recall loads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gitmem.recall.factors import Usage


class Outcome(NamedTuple):
    """What came of one session.

    Args:
        session: Its name.
        run: The run that it ended in.
        summary: Its own words.
        at: RFC 3339.
        actor: Who told it.
        paths: What its events changed, in order.
        commit: Of the event.
    """

    session: str
    run: str
    summary: str
    at: str
    actor: str
    paths: tuple[str, ...]
    commit: str


class Testimony(NamedTuple):
    """What all runs say.

    Args:
        usage: By memory id, of those that sessions said something of.
        repeated: How often each memory was said again.
        outcomes: Of the newest sessions, newest first.
    """

    usage: Mapping[str, Usage]
    repeated: Mapping[str, int]
    outcomes: tuple[Outcome, ...]
