"""BM25 over the channels of an index, added up (recall.md, "The text score")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

K1, B = 1.2, 0.75


class Channel(NamedTuple):
    """One channel of an index.

    Args:
        lengths: Of each document by number, 0 for those that have nothing there.
        documents: How many documents the index has.
    """

    lengths: Sequence[int]
    documents: int

    def norms(self) -> list[float]:
        """For each document what BM25 adds to a term's count."""
        total = sum(self.lengths)
        share = K1 * B * self.documents / total if total else 0.0
        floor = K1 * (1 - B)
        return [floor + share * length for length in self.lengths]


def rarity(documents: int, having: int) -> float:
    """BM25's inverse document frequency, never negative."""
    return log(1 + (documents - having + 0.5) / (having + 0.5))


def text_scores(
    weights: Mapping[str, float],
    postings: Iterable[tuple[str, tuple[Sequence[int], Sequence[int]]]],
    channels: Mapping[str, Channel],
) -> dict[int, float]:
    """Score of each document that has one of the terms.

    Args:
        weights: Of the query's terms.
        postings: Of those terms that occur: numbers of the documents, and how often each has the term.
        channels: By the first letter of a term.
    """
    scores: dict[int, float] = {}
    norms: dict[str, list[float]] = {}
    everywhere = []
    for term, (documents, counts) in postings:
        rare = rarity(channels[term[0]].documents, len(documents))
        if rare < _NEXT_TO_NOTHING:
            everywhere.append((term, (documents, counts)))
            continue
        if term[0] not in norms:
            norms[term[0]] = channels[term[0]].norms()
        _add(scores, weights[term] * (K1 + 1) * rare, documents, counts, norms[term[0]])
    if scores or not everywhere:
        return scores
    for term, (documents, counts) in everywhere:
        channel = channels[term[0]]
        weight = weights[term] * (K1 + 1) * rarity(channel.documents, len(documents))
        _add(scores, weight, documents, counts, channel.norms())
    return scores


_NEXT_TO_NOTHING = 0.05
"""Rarity of a term that 95 % of all documents have: it tells nothing apart and costs the most."""


def _add(
    scores: dict[int, float],
    weight: float,
    documents: Sequence[int],
    counts: Sequence[int],
    norm: Sequence[float],
) -> None:
    held = scores.get
    for number, count in zip(documents, counts, strict=True):
        scores[number] = held(number, 0.0) + weight * count / (count + norm[number])
