"""The known statements nearest to one, among thousands.

Comparing costs a fraction of a millisecond, so what shares too few letters is left out first: of two texts with
token-sort ratio .70 or Dice .65 a good part of the 3-grams of either stands in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from gitmem.promotion.closeness import grams
from gitmem.promotion.similarity import TOPIC_COSINE, Band, Likeness, compare
from gitmem.promotion.statement import Statement, bare

_SAMPLE: Final = 12
_ENOUGH: Final = 0.3
_CLOSEST: Final = 40
"""At most so many are compared letter by letter."""
_RANK: Final = {Band.SAME: 0, Band.CONFLICT: 1, Band.SAME_MAYBE: 2, Band.CLOSE: 3}


_NONE: Final[Mapping[str, float]] = MappingProxyType({})


Cosines = Callable[[str, Iterable[str]], Mapping[str, float]]
"""How alike the vectors of one summary and of others are, by these, as far as a provider has them."""


def no_cosines(_summary: str, _others: Iterable[str]) -> Mapping[str, float]:
    """Without a provider words alone count."""
    return _NONE


class Near(NamedTuple):
    """A known statement on the same topic.

    Args:
        statement: The known one.
        likeness: How the new one stands to it; slots have the new one's side first.
    """

    statement: Statement
    likeness: Likeness


class Neighbourhood:
    """Known statements, folded once, to be asked many times."""

    def __init__(self, known: Iterable[Statement]) -> None:
        self.known: list[Statement] = list(known)
        self._folded = [_fold(one.summary) for one in self.known]
        self._answers: dict[Statement, tuple[Near, ...]] = {}

    def add(self, statement: Statement) -> None:
        """Know one more."""
        self._answers.clear()
        self.known.append(statement)
        self._folded.append(_fold(statement.summary))

    def nearest(self, statement: Statement, cosines: Mapping[str, float] = _NONE) -> tuple[Near, ...]:
        """Those on the same topic: the same fact first, then conflicts, then by similarity. Itself, by id, is none.

        Args:
            statement: The new one.
            cosines: Of its vector and those of known ones, by their summaries, as far as a provider has them.
        """
        if not cosines and statement in self._answers:
            return self._answers[statement]
        chosen = self._candidates(statement, cosines)
        found = (Near(one, compare(statement, one, cosines.get(one.summary))) for one in chosen)
        near = [one for one in found if one.likeness.band is not Band.DIFFERENT]
        ordered = tuple(sorted(near, key=lambda one: (_RANK[one.likeness.band], -one.likeness.similarity)))
        if not cosines:
            self._answers[statement] = ordered
        return ordered

    def _candidates(self, statement: Statement, cosines: Mapping[str, float]) -> list[Statement]:
        sample = _sample(bare(statement.summary))
        least = max(1, round(len(sample) * _ENOUGH))
        scored = [
            (shared, at)
            for at, text in enumerate(self._folded)
            if (shared := sum([gram in text for gram in sample])) >= least
        ]
        scored.sort(key=lambda one: (-one[0], one[1]))
        alike = [self.known[at] for _, at in scored[:_CLOSEST]]
        told = [one for one in self.known if cosines.get(one.summary, 0.0) >= TOPIC_COSINE] if cosines else []
        chosen = {id(one): one for one in (*alike, *told) if not one.id or one.id != statement.id}
        return list(chosen.values())


def nearest(
    statement: Statement, others: Iterable[Statement], cosines: Mapping[str, float] = _NONE
) -> tuple[Near, ...]:
    """The statements on the same topic as one (`Neighbourhood.nearest`); keep a `Neighbourhood` to ask more than once."""
    return Neighbourhood(others).nearest(statement, cosines)


def _fold(text: str) -> str:
    """A cheap form of `bare`: enough to find letters in."""
    return f" {text[:600].casefold()} "


def _sample(text: str) -> list[str]:
    """3-grams spread evenly over a text."""
    every = list(dict.fromkeys(grams(text)))
    if len(every) <= _SAMPLE:
        return every
    return [every[at * len(every) // _SAMPLE] for at in range(_SAMPLE)]
