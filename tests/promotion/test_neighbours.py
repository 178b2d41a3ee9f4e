"""The nearest known statements among many."""

from __future__ import annotations

from gitmem.promotion.neighbours import Neighbourhood, nearest
from gitmem.promotion.similarity import Band
from gitmem.promotion.statement import Statement

NOISE = tuple(
    Statement(f"The {noun} of module {at} is described in chapter {at}", f"n-{at}")
    for at, noun in enumerate(["layout", "startup", "shutdown", "packaging", "colour"] * 40)
)
RETRY = Statement("Retry a failed upload 3 times", "m-retry")
TOKENS = Statement("운영에서는 토큰을 로그에 남기지 않는다", "m-tokens")


def test_a_fact_is_found_among_others_the_strongest_first() -> None:
    again, against = (
        Statement("retry a failed upload three times", "x"),
        Statement("Retry a failed upload 9 times", "y"),
    )
    found = nearest(RETRY, (*NOISE, against, again))
    assert [(near.statement.id, near.likeness.band) for near in found] == [
        ("x", Band.SAME),
        ("y", Band.CONFLICT),
    ]


def test_a_statement_is_not_near_itself() -> None:
    assert nearest(RETRY, (*NOISE, RETRY)) == ()


def test_korean_is_found_by_its_letters() -> None:
    (near,) = Neighbourhood((*NOISE, TOKENS)).nearest(Statement("운영에서는 토큰을 로그에 남긴다"))
    assert near.likeness.band is Band.CONFLICT


def test_a_cosine_brings_in_what_letters_do_not_see() -> None:
    throttling = Statement("Throttling starts above a hundred calls", "m-throttle")
    question = Statement("Rate limits begin at 100 requests")
    assert nearest(question, (throttling,)) == ()
    (near,) = nearest(question, (throttling,), {throttling.summary: 0.9})
    assert near.statement is throttling
    assert near.likeness.band is Band.CLOSE
