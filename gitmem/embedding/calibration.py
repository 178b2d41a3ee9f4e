"""How alike a model finds texts that have nothing to do with each other.

Models differ: of unrelated lessons one says .1 and another one .82, so a raw cosine says little. Measured on labelled pairs,
``(cosine - unrelated) / (1 - unrelated)`` puts two such models on one scale, where 0 is unrelated and 1 the same; the bands
of recall.md ("Same fact, close fact, contradiction") are read on it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations

from gitmem.embedding.vector import cosines

UNRELATED: tuple[tuple[str, ...], ...] = (
    (
        "The mail worker gives up after six attempts.",
        "Dates in reports are written in the reader's time zone.",
        "Run the linter before you open a pull request.",
        "The search index is rebuilt every night.",
        "Icons are drawn on a grid of 24 pixels.",
        "Only the billing service may talk to the bank.",
    ),
    (
        "메일 워커는 여섯 번 시도한 뒤 포기한다.",
        "보고서의 날짜는 읽는 사람의 시간대로 적는다.",
        "풀 리퀘스트를 열기 전에 린터를 돌린다.",
        "검색 색인은 매일 밤 다시 만든다.",
        "아이콘은 24픽셀 격자에 그린다.",
        "결제 서비스만 은행과 통신할 수 있다.",
    ),
)
"""Sentences that have nothing to do with the others of their language."""


def probes() -> list[str]:
    """The sentences in one list."""
    return [sentence for language in UNRELATED for sentence in language]


def unrelated_likeness(vectors: Sequence[array[float]]) -> float:
    """How alike the vectors of `probes` are, within each language."""
    told: list[float] = []
    first = 0
    for language in UNRELATED:
        own = vectors[first : first + len(language)]
        told += [cosines(one, [other.tobytes()])[0] for one, other in combinations(own, 2)]
        first += len(language)
    return min(0.99, max(0.0, sum(told) / len(told)))


def on_common_scale(cosine: float, unrelated: float) -> float:
    """A cosine where 0 is unrelated and 1 the same.

    Args:
        cosine: As the model has it.
        unrelated: What `unrelated_likeness` says of the model.
    """
    return max(-1.0, min(1.0, (cosine - unrelated) / (1 - unrelated)))
