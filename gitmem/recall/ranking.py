"""The order of an answer: similarity times the factors, ties by name, so that the same question is answered alike."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gitmem.recall.factors import Factors
from gitmem.recall.similarity import Similarities, Similarity, with_kept_place

BUDGET = 1_500
"""Most tokens of an answer where the policy's ``budgets`` name none for ``recall``."""


class Score(NamedTuple):
    """Score of one document with its parts; the score is exactly their product."""

    similarity: Similarity
    factors: Factors

    @property
    def value(self) -> float:
        return self.similarity.total * self.factors.product


class Ranking:
    """Documents with a score above nothing, best first.

    Args:
        similar: Their similarities.
        factors_of: Factors of a document.
        products: The products of the factors by number: there may be ten thousand.
        names: By number; they order those with equal scores.
        semantic: Cosines where a provider answered and one of the first places is kept for the best of them.
    """

    def __init__(
        self,
        similar: Similarities,
        factors_of: Callable[[int], Factors],
        products: Sequence[float],
        names: Sequence[str],
        semantic: Mapping[int, float] | None = None,
    ) -> None:
        self._similar = similar
        self._factors_of = factors_of
        self._products = products
        self._names = names
        self._semantic = semantic

    def score_of(self, number: int) -> Score:
        """Its score with all parts."""
        return Score(self._similar.of(number), self._factors_of(number))

    def best(self, among: Container[int] | None = None) -> Iterator[int]:
        """All of them in order, or those alone that are in a set; most callers stop soon."""
        products, names = self._products, self._names
        values = {
            number: total * products[number]
            for number, total in self._similar.totals().items()
            if total > 0 and (among is None or number in among)
        }

        def place(number: int) -> tuple[float, str]:
            return -values[number], names[number]

        if self._semantic:
            yield from with_kept_place(sorted(values, key=place), self._semantic)
            return
        least = sorted(values.values(), reverse=True)[_SOON] if len(values) > _SOON else 0.0
        yield from sorted((number for number, value in values.items() if value >= least), key=place)
        yield from sorted((number for number, value in values.items() if value < least), key=place)


_SOON = 50


def within_budget(costs: Iterable[int], budget: int) -> int:
    """How many of some items fit, one after the other; the first always does.

    Args:
        costs: Of each, in tokens.
        budget: Most tokens.
    """
    spent = count = 0
    for cost in costs:
        spent += cost
        if count and spent > budget:
            break
        count += 1
    return count


def estimated_tokens(text: str) -> int:
    """About how many tokens a model sees: four ASCII characters for one, one for each other character."""
    plain = len(text.encode("ascii", "ignore"))
    return -(-plain // 4) + len(text) - plain
