from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.mcp_server.lines import shallow, whole_characters

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


@pytest.mark.parametrize("levels", [200, 3_000, 100_000])
def test_arguments_that_are_nested_too_deeply_become_one_that_says_so(levels: int) -> None:
    deep = f'{{"a": "[[{{\\"", "b": {"[" * levels}{"]" * levels}, "c": 1}}'
    line = f'{{"id": 7, "method": "tools/call", "params": {{"name": "recall", "arguments": {deep}}}}}\n'
    message = json.loads(shallow(line))
    assert (message["id"], message["params"]["name"]) == (7, "recall")
    assert message["params"]["arguments"] == {"nested deeper than 190 levels": None}


@pytest.mark.parametrize(
    "line",
    [
        "[" * 5_000,
        f"{'[' * 300}{']' * 300}",
        json.dumps({"id": 1, "params": {"arguments": {"a": [[]] * 500, "b": "[" * 500}}}),
        '{"id": 1, "params": ' + '{"a":' * 400,
        "[" * 300 + '"' + '\\"' * 200_000 + "\\",
    ],
    ids=["open", "no object", "wide", "broken", "a text without an end"],
)
def test_what_is_shallow_or_no_message_stays_as_it_is(line: str) -> None:
    assert shallow(line) == line
