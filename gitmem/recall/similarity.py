"""How similar a document is to what was asked: its text, its vector where there is one, and where it belongs.

``0.55 × semantic + 0.45 × lexical`` where a vector is known, lexical alone otherwise (domain.md section 5). Cosines are
min–max scaled for each query, since models differ in what they call far apart (recall.md, "Vectors").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

SEMANTIC_SHARE, LEXICAL_SHARE = 0.55, 0.45
KEPT_PLACES = 5

Name = TypeVar("Name", int, str)


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


def similarities(
    text: Mapping[Name, float],
    places: Mapping[Name, float],
    semantic: Mapping[Name, float] | None = None,
    *,
    stretched: bool = True,
) -> dict[Name, Similarity]:
    """The similarity of everything that text, place or vector speaks for.

    Args:
        text: Text scores.
        places: What the path prior adds.
        semantic: Cosines of those that have a vector; None when no provider answered.
        stretched: Whether cosines are min–max scaled.
    """
    best = max(text.values(), default=0.0)
    vectors = _stretched(semantic) if semantic and stretched else dict(semantic or {})
    names = {**text, **places, **vectors}
    return {
        name: Similarity(
            text.get(name, 0.0) / best if best > 0 else 0.0, vectors.get(name), places.get(name, 0.0)
        )
        for name in names
    }


def _stretched(cosines: Mapping[Name, float]) -> dict[Name, float]:
    low, high = min(cosines.values()), max(cosines.values())
    if high <= low:
        return dict.fromkeys(cosines, 1.0)
    return {name: (cosine - low) / (high - low) for name, cosine in cosines.items()}


def with_kept_place(ranked: Sequence[Name], semantic: Mapping[Name, float]) -> list[Name]:
    """One of the first five places for the best purely semantic hit, where text alone would not have shown it.

    Args:
        ranked: Best first.
        semantic: Cosines.
    """
    known = [name for name in ranked if name in semantic]
    if not known:
        return list(ranked)
    best = max(known, key=lambda name: (semantic[name], -ranked.index(name)))
    if best in ranked[:KEPT_PLACES]:
        return list(ranked)
    others: list[Name] = [name for name in ranked if name != best]
    others.insert(KEPT_PLACES - 1, best)
    return others
