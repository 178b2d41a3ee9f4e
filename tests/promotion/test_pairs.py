"""The labelled pairs of `tests.benchmarks.similarity` as tests: the goals on the held-out half, and no fact lost in either."""

from __future__ import annotations

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


def test_a_fact_said_again_in_the_same_words_is_known(answers: list[Judged]) -> None:
    again = [one.likeness.band for one in answers if one.pair.kind == "same"]
    assert again.count(Band.SAME) >= 0.95 * len(again)


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
