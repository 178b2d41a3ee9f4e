from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.wire.canonical import MAX_DEPTH, canonical_json

ANY_TEXT = st.text(st.characters(exclude_categories=()))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(), below, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"b": 1, "a": [True, None, 1.5, "x"]}, b'{"a":[true,null,1.5,"x"],"b":1}'),
        ({}, b"{}"),
        ([], b"[]"),
        ((1, 2), b"[1,2]"),
        ("한글 日本 é", '"한글 日本 é"'.encode()),
        ('"\\/', b'"\\"\\\\/"'),
        ("\0\x1f\n\t\r\b\f", b'"\\u0000\\u001f\\n\\t\\r\\b\\f"'),
        ("\x7f\x85\x9f\xa0", b'"\\u007f\\u0085\\u009f\xc2\xa0"'),
        ("\u2028", b'"\xe2\x80\xa8"'),
        ("\ud800 \udfff", b'"\\ud800 \\udfff"'),
        ("\ud83d\ude00", '"😀"'.encode()),
        (-0.0, b"-0.0"),
        (1e16, b"1e+16"),
        (2**80, b"1208925819614629174706176"),
        ({"é": 1, "z": 2, "a": 3, "😀": 4}, '{"a":3,"z":2,"é":1,"😀":4}'.encode()),
    ],
)
def test_written_as(value: object, written: bytes) -> None:
    assert canonical_json(value) == written


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [math.nan], {"\ud83d\ude00": 1, "😀": 2}])
def test_values_that_json_cannot_hold_are_refused(value: object) -> None:
    with pytest.raises(ValueError):
        canonical_json(value)


@pytest.mark.parametrize("value", [b"x", {1: "x"}, {None: 1}, {1, 2}, object()])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_json(value)


def test_hostile_depth_is_refused() -> None:
    value: Any = []
    for _ in range(MAX_DEPTH - 1):
        value = [value]
    assert canonical_json(value) == b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    with pytest.raises(ValueError, match="nested"):
        canonical_json([value])


@given(VALUES)
def test_what_is_read_back_writes_the_same_bytes(value: Any) -> None:
    written = canonical_json(value)
    assert canonical_json(json.loads(written)) == written


@given(VALUES)
def test_no_control_character_and_no_broken_utf8_comes_out(value: Any) -> None:
    text = canonical_json(value).decode("utf-8")
    assert not any(character < " " or "\x7f" <= character <= "\x9f" for character in text)


@given(st.dictionaries(st.text(), st.integers()))
def test_the_order_of_keys_given_does_not_matter(value: dict[str, int]) -> None:
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)
