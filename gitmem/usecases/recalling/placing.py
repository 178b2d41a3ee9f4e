"""What the places that a task touches add: those that it names, else those that history guesses (recall.md, "Priors")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from gitmem.recall.documents import TOUCHES, element_touch, touches
from gitmem.recall.floor import telling_words
from gitmem.recall.touching import (
    GUESSED_SHARE,
    KNOWN_SHARE,
    confidence,
    guessed_rarity,
    place_scores,
    relative_rarity,
    scaled,
    touched,
)
from gitmem.store.term_index import DAMAGE, TermIndex

if TYPE_CHECKING:
    from gitmem.git.interface import Repository
    from gitmem.usecases.recalling.question import Asked, Ground

ELEMENT = "element:"
"""What stands before the name of an element."""


def places_of(
    repo: Repository, asked: Asked, ground: Ground, weights: Mapping[str, float]
) -> dict[int, float]:
    """What the path prior adds by number: of the paths asked for, else of those that history guesses.

    Args:
        repo: Where history lies.
        asked: The question.
        ground: What is searched.
        weights: Of the question's terms.
    """
    if asked.paths or asked.elements:
        return _known_places(asked, ground)
    words = {term: weights[term] for term in telling_words(weights)}
    if ground.head is None or not words:
        return {}
    from gitmem.usecases.recalling.commits import commit_index

    commits = commit_index(repo, ground.head)
    try:
        return _guessed_places(ground, words, commits)
    except DAMAGE:  # what is kept is damaged; what fails on a new one as well is no damage
        return _guessed_places(ground, words, commit_index(repo, ground.head, anew=True))


def _guessed_places(
    ground: Ground, words: Mapping[str, float], commits: TermIndex | None
) -> dict[int, float]:
    """What the places add that commits with such words touched."""
    if commits is None:
        return {}
    from gitmem.usecases.recalling.commits import guessed_by, place_rarity

    with closing(commits):
        paths = guessed_by(commits, words)
        if not paths:
            return {}
        terms = touched(paths)
        postings = _postings(ground.documents, terms)
        by_commits, sure = place_rarity(commits, postings), confidence(commits.count)
    having = {term: len(numbers) for term, numbers in postings.items()}
    rare = guessed_rarity(by_commits, ground.documents.count, having)
    scores = scaled(place_scores(paths, terms, postings, rare.__getitem__))
    return {number: GUESSED_SHARE * sure * score for number, score in scores.items() if score > _LEAST_GUESS}


_LEAST_GUESS = 0.05
"""Of the best guess; what is below says nothing, and there may be thousands."""


def _known_places(asked: Asked, ground: Ground) -> dict[int, float]:
    paths = dict.fromkeys(asked.paths, 1.0)
    terms = touched(paths)
    for name in asked.elements:
        _, globs = ground.heads.elements.get(name, ("", ()))
        for glob in globs or ("",):
            place = f"{ELEMENT}{name} {glob}"
            paths[place] = 1.0
            terms[place] = tuple(f"{TOUCHES}{one}" for one in (*touches([glob]), element_touch(name)))
    postings = _postings(ground.documents, terms)
    count = ground.documents.count
    rare = {term: relative_rarity(count, len(numbers)) for term, numbers in postings.items()}
    scores = place_scores(paths, terms, postings, rare.__getitem__)
    return {number: KNOWN_SHARE * score for number, score in scores.items()}


def _postings(index: TermIndex, terms: Mapping[str, Sequence[str]]) -> dict[str, Sequence[int]]:
    wanted = {term for some in terms.values() for term in some}
    return {term: found.documents for term, found in index.postings(wanted)}
