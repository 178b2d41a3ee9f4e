"""How similar a document is to what was asked: its text, its vector where there is one, and where it belongs.

``0.55 × semantic + 0.45 × lexical`` where a vector is known, lexical alone otherwise (domain.md section 5). Cosines are
min–max scaled for each query, since models differ in what they call far apart (recall.md, "Vectors").
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

SEMANTIC_SHARE, LEXICAL_SHARE = 0.55, 0.45
KEPT_PLACES = 5
NOISE = 0.2
"""Cosine on the common scale of models (`gitmem.embedding.calibration`) below which a likeness alone says nothing."""
_FAR, _ENOUGH = 2.5, 8
"""Standard deviations above the mean of a question's cosines, and how many of these make one: what stands out so is
alike on a model that finds two languages further apart than two subjects."""


class Similarity(NamedTuple):
    """Parts of one similarity.

    Args:
        lexical: From 0 to 1, where 1 is the best text of this query.
        semantic: From 0 to 1; None without a vector.
        place: What the path prior adds.
    """

    lexical: float
    semantic: float | None
    place: float

    @property
    def total(self) -> float:
        if self.semantic is None:
            return self.lexical + self.place
        return SEMANTIC_SHARE * self.semantic + LEXICAL_SHARE * self.lexical + self.place


class Similarities:
    """The similarity of everything that text, place or vector speaks for.

    Args:
        text: Text scores.
        places: What the path prior adds.
        semantic: Cosines of those that have a vector; None when no provider answered.
        stretched: Whether cosines are min–max scaled.
    """

    def __init__(
        self,
        text: Mapping[int, float],
        places: Mapping[int, float],
        semantic: Mapping[int, float] | None = None,
        *,
        stretched: bool = True,
    ) -> None:
        self._text = text
        self._best = max(text.values(), default=0.0) or 1.0
        self._places = places
        self._vectors = _stretched(semantic) if semantic and stretched else dict(semantic or {})

    def of(self, name: int) -> Similarity:
        """Of one, in parts."""
        lexical = self._text.get(name, 0.0) / self._best
        return Similarity(lexical, self._vectors.get(name), self._places.get(name, 0.0))

    def totals(self) -> dict[int, float]:
        """Of all, as `Similarity.total` has them; there may be ten thousand."""
        if self._vectors:
            return {name: self.of(name).total for name in {**self._text, **self._places, **self._vectors}}
        best, places = self._best, self._places
        found = {name: score / best + places.get(name, 0.0) for name, score in self._text.items()}
        found.update({name: place for name, place in places.items() if name not in found})
        return found


def _stretched(cosines: Mapping[int, float]) -> dict[int, float]:
    low, high = min(cosines.values()), max(cosines.values())
    if high <= low:
        return dict.fromkeys(cosines, 1.0)
    return {name: (cosine - low) / (high - low) for name, cosine in cosines.items()}


def without_noise(cosines: Mapping[int, float], found: Container[int]) -> dict[int, float]:
    """The cosines that say something.

    Args:
        cosines: Of one question.
        found: What words or places speak for; it keeps its cosine, however low.
    """
    least = NOISE
    if len(cosines) >= _ENOUGH:
        mean = sum(cosines.values()) / len(cosines)
        spread = sqrt(sum((one - mean) ** 2 for one in cosines.values()) / len(cosines))
        least = min(NOISE, max(0.0, mean + _FAR * spread))
    best = _standing_out(cosines)
    return {name: one for name, one in cosines.items() if one >= least or name == best or name in found}


def _standing_out(cosines: Mapping[int, float]) -> int | None:
    """The best of all, where it is further from the second than cosines are from their mean, or alike by itself.

    Models differ in their bands: one finds a note on throttling at .12 of the common scale for "rate limiting", and all
    else below 0. `tests.benchmarks.recall_unanswered` measures it on two models: of 72 questions without an answer 42 to 76 %
    bring nothing. Of the higher bounds tried there each loses answers: .2 for `_ALIKE_ALONE` one of 72 in two of four cases.
    """
    if not cosines:
        return None
    (name, best), *others = sorted(cosines.items(), key=lambda one: -one[1])
    if best >= _ALIKE_ALONE:
        return name
    if len(cosines) < _FEW or best < _LEAST_BEST:
        return None
    mean = sum(cosines.values()) / len(cosines)
    spread = sqrt(sum((one - mean) ** 2 for one in cosines.values()) / len(cosines))
    return name if best - others[0][1] >= spread else None


_ALIKE_ALONE, _LEAST_BEST = 0.15, 0.05
"""On the common scale: the best is told from here on by itself, and at least so much it must be."""
_FEW = 4
"""Of fewer cosines the best is far from the second by chance."""


def with_kept_place(ranked: Sequence[int], semantic: Mapping[int, float]) -> list[int]:
    """One of the first five places for the best purely semantic hit, where text alone would not have shown it.

    Args:
        ranked: Best first.
        semantic: Cosines.
    """
    known = [name for name in ranked if name in semantic]
    if not known:
        return list(ranked)
    best = max(known, key=semantic.__getitem__)  # the first of those that are equal
    if best in ranked[:KEPT_PLACES]:
        return list(ranked)
    others: list[int] = [name for name in ranked if name != best]
    others.insert(KEPT_PLACES - 1, best)
    return others
