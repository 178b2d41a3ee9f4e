"""The labelled pairs of `tests.benchmarks.similarity` as tests: the goals on the held-out half, and no fact lost in either."""

from __future__ import annotations

import re

import pytest

from gitmem.promotion.similarity import Band
from tests.benchmarks.similarity import (
    GOALS,
    Judged,
    Pair,
    conflict_score,
    judged,
    load_pairs,
    merged,
    topic_score,
)

LANGUAGES = sorted(GOALS)


@pytest.fixture(scope="module", params=LANGUAGES)
def answers(request: pytest.FixtureRequest) -> list[Judged]:
    return judged(load_pairs(request.param))


def test_two_facts_are_never_merged(answers: list[Judged]) -> None:
    assert [one.pair for one in merged(answers)] == []


def test_a_fact_said_again_in_the_same_words_and_marks_is_known(answers: list[Judged]) -> None:
    again = [one for one in answers if one.pair.kind == "same"]
    assert {one.likeness.band for one in again} <= {Band.SAME, Band.SAME_MAYBE}
    marked_alike = [one.likeness.band for one in again if marks(one.pair.one) == marks(one.pair.other)]
    assert len(marked_alike) >= 0.5 * len(again)
    assert marked_alike.count(Band.SAME) >= 0.95 * len(marked_alike)


def marks(text: str) -> list[str]:
    """The marks within a sentence, in order."""
    return re.findall(r"[,;:—()](?= |$)|(?<= )[-(]", text.rstrip(".!"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_contradictions_are_found_on_pairs_that_nothing_was_tuned_on(language: str) -> None:
    precision, recall, topic = GOALS[language]
    held_out = judged(load_pairs(language, "held-out"))
    assert len(load_pairs(language)) >= 200
    assert conflict_score(held_out).precision >= precision
    assert conflict_score(held_out).recall >= recall
    assert topic_score(held_out).f1 >= topic


def test_a_merge_would_be_seen() -> None:
    same = judged([Pair("flip", "Use tabs.", "use tabs")])
    assert merged(same) == same
