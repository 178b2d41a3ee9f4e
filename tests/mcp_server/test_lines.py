from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.mcp_server.lines import whole_characters

WHOLE = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (r'{"a": "\ud83d"}', {"a": "\ufffd"}),
        (r'{"a": "\ude00 \ud83d\ude00"}', {"a": "\ufffd 😀"}),
        (r'{"\uD800": 1}', {"\ufffd": 1}),
        (r'{"a": "\\\\ud83d"}', {"a": r"\\ud83d"}),
    ],
)
def test_halves_of_characters_are_replaced(sent: str, read: object) -> None:
    assert json.loads(whole_characters(f"{sent}\n").encode()) == read


@pytest.mark.parametrize("line", ["", "not json \\ud83d\n", "[" * 5_000 + "\\ud83d\n"])
def test_what_is_no_message_stays_as_it_is(line: str) -> None:
    assert whole_characters(line) == line


@settings(max_examples=40)
@given(st.dictionaries(WHOLE, WHOLE))
def test_whole_characters_are_kept(value: dict[str, str]) -> None:
    assert json.loads(whole_characters(json.dumps(value) + "\n")) == value
