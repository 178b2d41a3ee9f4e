"""Which documents speak of the places that a task touches: the path prior (recall.md, "Priors").

Never a filter: where scopes are broad, "scope matches first" halved the ranking's quality. A place counts by how rare
what it matched is, squared, so that a folder that every scope names says next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.recall.documents import TOUCHES, touch_terms
from gitmem.recall.text_score import rarity

KNOWN_SHARE = 0.5
"""Of the prior when the touched paths are known. recall.md has 0.3 of a share scaled to the best match; this one is not
scaled, so that a vague match stays small."""
GUESSED_SHARE = 0.35
"""Of the prior when the paths are guessed from history."""
_MOST_PATHS = 150


def touched(paths: Mapping[str, float]) -> dict[str, tuple[str, ...]]:
    """Terms of the heaviest paths, each from the widest to the narrowest.

    Args:
        paths: Weight of each path.
    """
    chosen = sorted(paths, key=lambda path: (-paths[path], path))[:_MOST_PATHS]
    return {path: tuple(dict.fromkeys(f"{TOUCHES}{one}" for one in touch_terms(path))) for path in chosen}


def place_scores(
    paths: Mapping[str, float],
    terms: Mapping[str, Sequence[str]],
    postings: Mapping[str, Iterable[int]],
    rarity_of: Callable[[str], float],
) -> dict[int, float]:
    """How well each document's scope fits the paths, from 0 to about 1: for each path, how rare the narrowest place is
    that both name.

    Args:
        paths: Weight of each path.
        terms: Of those paths that count.
        postings: Documents of each term that one of them has.
        rarity_of: Of a term, from 0 to 1.
    """
    total = sum(paths[path] for path in terms)
    steps: dict[str, float] = {}
    rare = {term: rarity_of(term) ** 2 for term in postings}
    for path, some in terms.items():
        weight, wider = paths[path] / total, 0.0
        # What names a place names all that is wider too, so that each term only adds what it is rarer.
        for term in some:
            step = rare.get(term, 0.0) - wider
            if step > 0:
                steps[term] = steps.get(term, 0.0) + weight * step
                wider += step
    scores: dict[int, float] = {}
    held = scores.get
    least = _LEAST_STEP * max(steps.values(), default=0.0)
    for term, step in steps.items():
        for number in postings[term] if step >= least else ():
            scores[number] = held(number, 0.0) + step
    return scores


_LEAST_STEP = 0.02
"""Share of the largest step: a wide folder holds thousands of documents and tells none apart."""


def relative_rarity(documents: int, having: int) -> float:
    """`rarity` from 0 to 1, where 1 is what one document of them has."""
    most = rarity(documents, 1)
    return min(1.0, rarity(documents, having) / most) if most > 0 else 1.0


def guessed_rarity(
    by_commits: Mapping[str, float], documents: int, having: Mapping[str, int]
) -> dict[str, float]:
    """How rare each place is both to commits and to scopes: in a young repository all places are equally rare to
    commits, and a folder that every scope names is not.

    Args:
        by_commits: How rarely commits touch each place, from 0 to 1.
        documents: How many there are.
        having: How many of them name each place.
    """
    return {place: by_commits[place] * relative_rarity(documents, count) for place, count in having.items()}


def confidence(commits: int) -> float:
    """What a guess from so many commits is worth, from 0 to 1: the most similar of two is similar by chance."""
    return commits / (commits + _HALF_SURE)


_HALF_SURE = 20


def scaled(scores: Mapping[int, float]) -> dict[int, float]:
    """With the best at 1, but for a best that is next to nothing."""
    best = max(scores.values(), default=0.0)
    by = max(best, _LEAST_BEST)
    return {number: score / by for number, score in scores.items()} if best > 0 else {}


_LEAST_BEST = 0.005
"""Of the best place: a top folder that nearly every commit touches says no more than that both are code."""


def guessed_paths(similar: Iterable[tuple[float, Sequence[str]]]) -> dict[str, float]:
    """Weight of the paths of similar commits: each commit shares out how similar it is.

    Args:
        similar: Similarity and paths of each.
    """
    weights: dict[str, float] = {}
    for similarity, paths in similar:
        for path in paths:
            weights[path] = weights.get(path, 0.0) + similarity / len(paths)
    return weights
