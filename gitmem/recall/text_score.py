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

    def norm(self) -> tuple[float, float]:
        """What BM25 adds to a term's count: a floor, and a share of the document's length."""
        total = sum(self.lengths)
        return K1 * (1 - B), K1 * B * self.documents / total if total else 0.0


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
    norms = {letter: channel.norm() for letter, channel in channels.items()}
    everywhere = []

    def add(term: str, rare: float, documents: Sequence[int], counts: Sequence[int]) -> None:
        held, lengths = scores.get, channels[term[0]].lengths
        (floor, share), most = norms[term[0]], weights[term] * rare * (K1 + 1)
        for number, count in zip(documents, counts, strict=True):
            scores[number] = held(number, 0.0) + most * count / (count + floor + share * lengths[number])

    for term, (documents, counts) in postings:
        rare = rarity(channels[term[0]].documents, len(documents))
        if rare < _NEXT_TO_NOTHING:
            everywhere.append((term, rare, documents, counts))
        else:
            add(term, rare, documents, counts)
    if not scores:
        for one in everywhere:
            add(*one)
    return scores


_NEXT_TO_NOTHING = 0.05
"""Rarity of a term that 95 % of all documents have: it tells nothing apart and costs the most."""
