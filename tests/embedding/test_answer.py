"""What an endpoint answers is doubted."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.embedding.answer import parse_answer
from gitmem.embedding.provider import Failure


def answered(told: object, count: int = 2) -> object:
    found = parse_answer(json.dumps(told).encode(), count)
    return found.reason if isinstance(found, Failure) else [list(one) for one in found]


def row(place: int, embedding: object) -> dict[str, object]:
    return {"index": place, "embedding": embedding}


def test_both_forms_are_read_by_index_and_scaled_to_length_one() -> None:
    assert answered({"data": [row(1, [0, 2]), row(0, [3, 0])]}) == [[1, 0], [0, 1]]
    assert answered({"data": [{"embedding": [3, 0]}, {"embedding": [0, 2]}]}) == [[1, 0], [0, 1]]
    assert answered({"model": "m", "embeddings": [[3, 0], [0, 2]]}) == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"data": [row(0, [1, 0])]}, "1 vectors for 2 texts"),
        ({"data": [row(0, [1, 0]), row(0, [0, 1])]}, "1 vectors for 2 texts"),
        ({"data": [row(0, [1, 0]), row(7, [0, 1])]}, "1 vectors for 2 texts"),
        ({"data": [row(0, [1, 0]), row(1, [0, 1, 0])]}, "different lengths"),
        ({"data": [row(0, [1, 0]), row(1, ["a", "b"])]}, "no number"),
        ({"data": [row(0, [1, 0]), row(1, [0, 0])]}, "without a direction"),
        ({"data": [row(0, [1, 0]), row(1, [float("nan"), 0])]}, "without a direction"),
        ({"data": [row(0, [1, 0]), row(1, [1e300, 0])]}, "without a direction"),
        ({"data": [row(0, [1, 0]), row(1, [])]}, "a vector of 0 numbers"),
        ({"data": [row(0, [1, 0]), row(1, "AACAPwAAAAA=")]}, "a vector of 0 numbers"),
        ({"data": [row(0, [1, 0]), row(1, [0] * 9_000)]}, "a vector of 9000 numbers"),
        ({"data": "none"}, "without embeddings"),
        ({"error": {"message": "model not found"}}, "without embeddings: model not found"),
        ({"error": "no such model"}, "without embeddings: no such model"),
        ([1, 2], "without embeddings"),
        (None, "without embeddings"),
    ],
)
def test_what_is_wrong_is_told(told: object, says: str) -> None:
    assert says in str(answered(told))


def test_a_page_and_noise_are_told_apart() -> None:
    assert "a page of HTML" in str(parse_answer(b"  <!doctype html><p>Sign in", 1))
    assert "no JSON" in str(parse_answer(b"\xff\xfe", 1))
    assert "no JSON" in str(parse_answer(b"[" * 100_000, 1))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "embeddings", "index", "embedding", "error"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@given(values, st.integers(1, 3))
def test_nothing_that_is_answered_raises(told: object, count: int) -> None:
    found = parse_answer(json.dumps(told).encode(), count)
    assert isinstance(found, Failure) or len(found) == count
