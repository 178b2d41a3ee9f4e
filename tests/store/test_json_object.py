from __future__ import annotations

import pytest

from gitmem.errors import InvalidDataError
from gitmem.store.json_reading import read_json_object


def test_an_object_is_read_as_it_is() -> None:
    text = '{"가": [1, 2.5, null, true], "b": {"c": "\\ud800"}}'.encode()
    assert read_json_object("x", text, largest=100) == {"가": [1, 2.5, None, True], "b": {"c": "\ud800"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"a": 1,\n b}', r"p:2:2: not readable as JSON"),
        (b"", r"p:1:1: not readable as JSON"),
        (b"{}{}", r"p:1:3: not readable"),
        (b"[]", "p: a list, not an object"),
        (b'"a"', "p: a text, not an object"),
        (b"null", "p: null, not an object"),
        (b"true", "p: a truth value, not an object"),
        (b"7", "p: a number, not an object"),
        (b'{"a": 1, "a": 2}', "'a' is given twice"),
        (b'{"b": {"a": 1, "a": 2}}', "'a' is given twice"),
        (b'{"a": NaN}', "NaN is no number that JSON readers agree on"),
        (b'{"a": -Infinity}', "-Infinity is no number"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
        (b'{"a":' + b"[" * 100_000, "nested too deeply"),
        (b'{"a":' + b"9" * 5000 + b"}", r"9999… \(5000 digits\) is no number"),
        (b" " * 200_001, "200001 bytes, over the limit"),
    ],
)
def test_what_is_no_object_is_told_with_its_place(text: bytes, message: str) -> None:
    with pytest.raises(InvalidDataError, match=message):
        read_json_object("p", text, largest=200_000)


def test_line_and_column_are_data_too() -> None:
    with pytest.raises(InvalidDataError) as caught:
        read_json_object("p", b'{\n"a" 1}', largest=100)
    assert (caught.value.line, caught.value.column) == (2, 5)


def test_a_million_keys_are_looked_at_once() -> None:
    text = b'{"x": 1, ' + b",".join(b'"k%d": 1' % number for number in range(100_000)) + b', "x": 2}'
    with pytest.raises(InvalidDataError, match="'x' is given twice"):
        read_json_object("p", text, largest=1 << 24)
