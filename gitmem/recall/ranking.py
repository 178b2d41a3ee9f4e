"""The order of an answer: similarity times the factors, ties by name, so that the same question is answered alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from gitmem.recall.factors import Factors, Profile
from gitmem.recall.similarity import Name, Similarity, with_kept_place

BUDGET = 1_500
"""Most tokens of an answer where the policy's ``budgets`` name none for ``recall``."""


class Score(NamedTuple):
    """Score of one document with its parts; the score is exactly their product."""

    similarity: Similarity
    factors: Factors

    @property
    def value(self) -> float:
        parts = self.factors
        return self.similarity.total * parts.kind * parts.freshness * parts.usage * parts.drift


def ranked(
    similar: Mapping[Name, Similarity],
    factors_of: Callable[[Name], Factors],
    tie_of: Callable[[Name], str],
    profile: Profile,
    semantic: Mapping[Name, float] | None = None,
) -> list[tuple[Name, Score]]:
    """Documents with a score above nothing, best first.

    Args:
        similar: Their similarities.
        factors_of: Factors of a document.
        tie_of: What orders those with equal scores.
        profile: The constants.
        semantic: Cosines where a provider answered.
    """
    scored = {name: Score(one, factors_of(name)) for name, one in similar.items()}
    values = {name: score.value for name, score in scored.items()}
    ordered = sorted(
        (name for name in scored if values[name] > 0), key=lambda name: (-values[name], tie_of(name))
    )
    if semantic and profile.stretched:
        ordered = with_kept_place(ordered, semantic)
    return [(name, scored[name]) for name in ordered]


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
