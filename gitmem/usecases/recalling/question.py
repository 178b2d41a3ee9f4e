"""A question to recall, and the ground on which it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from gitmem.recall.factors import Usage
from gitmem.store.term_index import TermIndex
from gitmem.usecases.recalling.cards import Heads


class Asked(NamedTuple):
    """A question.

    Args:
        query: Words of the task.
        paths: What it touches.
        elements: Elements that it is about.
        domain: The task domain whose memories alone are read; None for all.
        most: How many hits an answer has at most; what they link to stands behind them.
        budget: Most tokens of an answer; the policy's when None.
        as_of: A revision to look back from; None for the present.
        host: Agent that asks (`gitmem.recall.loading`): what repeats a file that it loads by itself is left out; empty
            while it is unknown, and then every rules file counts.
    """

    query: str = ""
    paths: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    domain: str | None = None
    most: int = 5
    budget: int | None = None
    as_of: str | None = None
    host: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.query.strip() or self.paths or self.elements or self.domain)


class Ground(NamedTuple):
    """What is searched, and what ranks besides words.

    Args:
        documents: Their index.
        heads: Of them.
        head: Commit that history is read from; None without one.
        today: The day.
        warnings: What is said against memories, by id.
        usage: What sessions said of memories, by id.
    """

    documents: TermIndex
    heads: Heads
    head: str | None
    today: date
    warnings: Mapping[str, str]
    usage: Mapping[str, Usage]
