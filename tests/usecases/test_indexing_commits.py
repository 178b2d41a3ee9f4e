"""Many commits indexed in one go get the terms that each gets by itself."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.recall.tokens import pieces_of, words_of
from gitmem.usecases.recalling.indexing_commits import index_commit, postings_of

SUBJECTS = st.text(st.sampled_from("aBz09 -./:_#é결제를가かナ漢字\u0301\u200b"), max_size=40)
PATHS = st.lists(st.sampled_from(["a", "b/c.py", "b/d/c.py", "경로/é.md", "b/e"]), max_size=4)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(SUBJECTS, PATHS), max_size=6))
def test_terms_made_in_one_go_are_those_of_each(commits: list[tuple[str, list[str]]]) -> None:
    alone = {number: index_commit(*commit) for number, commit in enumerate(commits)}
    together = postings_of({number: one.card for number, one in alone.items()})
    told = {(number, term): count for number, one in alone.items() for term, count in one.terms.items()}
    assert told == {
        (number, term): count
        for term, found in together.items()
        for number, count in zip(*found, strict=True)
    }


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_the_words_of_a_text_are_those_of_its_pieces(text: str) -> None:
    assert [word for piece in pieces_of(text) for word in words_of(piece)] == list(words_of(text))


def test_a_commit_that_changed_very_many_paths_tells_of_none() -> None:
    few, many = (index_commit("Move all", [f"a/{number}" for number in range(most)]) for most in (100, 101))
    assert len(few.card[1]) == 100
    assert many.card == ("Move all", ())
    assert set(many.terms) == {"wmove", "wall"}
