"""A task's words as weighted terms (recall.md, "The text score": the query).

The first line is the task; what follows is its body and counts less. A conventional-commit prefix loses its type, and
its scope counts double.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from gitmem.recall.tokens import GRAMS, PAIRS, PLACES, WORDS, grams_of, pairs_of, words_of

WEIGHTS: Mapping[str, float] = {WORDS: 1.0, PAIRS: 0.5, GRAMS: 0.2, PLACES: 1.0}
"""Of the channels. recall.md has 0.8 for the words of scope paths; 1.0 ranks better on each corpus with scopes."""

_LONGEST = 16_384
"""Characters of a query that are read: more tells nothing new and may be hostile."""
_MOST_TERMS = 1_000
"""Terms of a channel, the heaviest; numbers last, of which a pasted log has many."""
_BODY_SHARE, _BODY_MOST = 0.7, 2.0
_SCOPE = 2.0
_TYPES = frozenset(
    ("feat", "fix", "chore", "docs", "refactor", "perf", "test", "tests", "build", "ci", "style", "revert")
)


def query_terms(text: str, *, grams: bool = True) -> dict[str, float]:
    """Weight of each term, the weight of its channel included; empty for a text without words.

    Args:
        text: As a person or an agent wrote it.
        grams: Whether Latin 3-grams are asked for.
    """
    told = text[:_LONGEST].strip()
    title, _, body = told.partition("\n")
    words = _shaped(title, body, words_of)
    channels = {WORDS: words, PLACES: words, PAIRS: _shaped(title, body, pairs_of)}
    if grams:
        channels[GRAMS] = _shaped(title, body, grams_of)
    return {
        f"{channel}{term}": WEIGHTS[channel] * weight
        for channel, terms in channels.items()
        for term, weight in _heaviest(terms).items()
    }


def _shaped(title: str, body: str, split: Callable[[str], Iterator[str]]) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    scope, task = _without_prefix(title)
    for term in split(scope):
        weights[term] = weights.get(term, 0.0) + _SCOPE
    for term in split(task):
        weights[term] = weights.get(term, 0.0) + 1.0
    for term, count in Counter(split(body)).items():
        weights[term] = weights.get(term, 0.0) + min(_BODY_MOST, _BODY_SHARE * count**0.5)
    return weights


def _without_prefix(title: str) -> tuple[str, str]:
    """Scope of a conventional-commit prefix, and the title without it; no scope where there is none."""
    prefix, colon, task = title.partition(": ")
    kind, _, scope = prefix.rstrip("!").partition("(")
    if colon and kind.casefold() in _TYPES and (not scope or scope.endswith(")")):
        return scope.rstrip(")"), task
    return "", title


def _heaviest(weights: Mapping[str, float]) -> Mapping[str, float]:
    if len(weights) <= _MOST_TERMS:
        return weights
    chosen = sorted(weights.items(), key=lambda one: (-one[1], one[0][0].isdigit(), one[0]))[:_MOST_TERMS]
    return dict(chosen)
