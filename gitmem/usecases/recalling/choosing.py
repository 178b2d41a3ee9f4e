"""The hits of an answer: the first of a ranking that are not left out and not too little to be told."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from gitmem.recall.documents import touches
from gitmem.recall.floor import LEAST_PLACE, LEAST_SIMILARITY, STRONG
from gitmem.recall.ranking import Ranking
from gitmem.store.term_index import TermIndex
from gitmem.usecases.recalling.cards import Card, card_of


class Floor(NamedTuple):
    """What a document must have to be told at all.

    Args:
        found: Documents that words or vectors find.
        paths: What is touched; a scope that holds one of them is told for it.
        elements: Elements that are asked for.
        globs: Of each element.
    """

    found: Container[int]
    paths: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    globs: Mapping[str, Sequence[str]] = MappingProxyType({})

    def lets(self, number: int, card: Card, order: Ranking) -> bool:
        """Whether a document is told."""
        similarity = order.score_of(number).similarity
        if number in self.found and similarity.total >= LEAST_SIMILARITY:
            return True
        if self.paths or self.elements:  # a folder that both lie in says nothing of what was named
            return self.is_asked_for(number, card)
        return similarity.place >= LEAST_PLACE

    def is_asked_for(self, number: int, card: Card) -> bool:
        """Whether the question itself names it: by words, by a path in its scope, or by an element."""
        return number in self.found or self.holds(card)

    def holds(self, card: Card) -> bool:
        """Whether its scope names an element or holds a path that is asked for."""
        if set(card.elements) & set(self.elements):
            return True
        scope = (*card.paths, *(glob for name in card.elements for glob in self.globs.get(name, ())))
        return any(_holds(scope, card.exclude, path) for path in self.paths) if scope else False


def _holds(scope: Sequence[str], exclude: Sequence[str], path: str) -> bool:
    """Whether a scope holds a path, or lies in a folder that is named."""
    from gitmem.recall.routing import is_within

    folder = f"{path.rstrip('/')}/"
    if any(literal.startswith(folder) for glob in scope for literal in list(touches([glob]))[-1:]):
        return True
    names = (path, f"{folder}_") if path.endswith("/") else (path,)
    return any(is_within(name, scope) and not is_within(name, exclude) for name in names)


class Chosen(NamedTuple):
    """The hits, best first, and whether the best of all is left out since a rules file says the same."""

    hits: tuple[tuple[int, Card], ...]
    is_in_rules: bool = False


def choose(
    documents: TermIndex,
    order: Ranking,
    among: Container[int] | None,
    *,
    most: int,
    is_left_out: Callable[[Card], bool],
    floor: Floor,
    repeats: Container[str],
) -> Chosen:
    """Choose the hits; what is weak beside a better one that a rules file says already is not told in its place.

    Args:
        documents: Their index.
        order: The ranking.
        among: Numbers that count; all when None.
        most: Most hits.
        is_left_out: Whether a memory is left out.
        floor: What each must have.
        repeats: Ids of what a rules file says.
    """
    hits: list[tuple[int, Card]] = []
    least, is_in_rules = 0.0, False
    cards = _cards(documents, order.best(among), most)
    for number, card in cards:
        value = order.score_of(number).value
        if is_left_out(card):
            if not hits and card.id in repeats and floor.lets(number, card, order):
                least, is_in_rules = max(least, STRONG * value), True
        elif value >= least and floor.lets(number, card, order):
            hits.append((number, card))
            if len(hits) == most:
                break
    if len(hits) == most and floor.paths and not any(floor.holds(card) for _, card in hits):
        rest = (one for one in islice(cards, _FURTHER) if not is_left_out(one[1]) and floor.holds(one[1]))
        hits[-1:] = [next(rest, hits[-1])]
    return Chosen(tuple(hits), is_in_rules)


_FURTHER = 200
"""Documents behind the hits among which one is looked for whose scope holds a touched path: common words drown it."""


def _cards(documents: TermIndex, order: Iterable[int], most: int) -> Iterator[tuple[int, Card]]:
    """Read a few at a time: most callers stop soon."""
    numbers_left = iter(order)
    while numbers := list(islice(numbers_left, 2 * most)):
        held = {number: card_of(plain) for number, plain in documents.cards(numbers)}
        yield from ((number, held[number]) for number in numbers)
