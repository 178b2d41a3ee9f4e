"""A task's words as weighted terms."""

from __future__ import annotations

import pytest

from gitmem.recall.query import query_terms


def weights(text: str) -> dict[str, float]:
    return {term[1:]: weight for term, weight in query_terms(text, grams=False).items() if term[0] == "w"}


def test_the_type_of_a_conventional_commit_goes_and_its_scope_counts_double() -> None:
    told = weights("fix(checkout)!: retry a call")
    assert told == {"checkout": 2.0, "retry": 1.0, "a": 1.0, "call": 1.0}


@pytest.mark.parametrize("title", ["fixing: a thing", "note: fix it", "fix a thing", "fix:nospace"])
def test_what_is_no_prefix_stays(title: str) -> None:
    assert sum(weights(title).values()) >= len(title.replace(":", " ").split())


def test_words_of_the_body_count_less_and_are_capped() -> None:
    told = weights("task\n" + "retry " * 4 + "gateway " * 100)
    assert told["task"] == 1.0
    assert told["retry"] == pytest.approx(0.7 * 2)
    assert told["gateway"] == 2.0


def test_words_ask_for_scope_paths_too() -> None:
    asked = query_terms("checkout", grams=True)
    assert asked["wcheckout"] == asked["pcheckout"] == 1.0
    assert asked["g ch"] == pytest.approx(0.2)


def test_a_query_of_100_kilobytes_asks_for_a_bounded_number_of_terms() -> None:
    text = " ".join(f"word{number}{number * 7919 % 1000:03d}x" for number in range(20_000))
    assert len(text) > 100_000
    assert len(query_terms(text)) <= 4 * 1_000


@pytest.mark.parametrize("text", ["", "   \n\t", "!!! ---", "\x00\x1b[ \u202e"])
def test_a_text_without_words_asks_for_nothing(text: str) -> None:
    assert query_terms(text) == {}
