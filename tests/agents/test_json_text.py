"""JSON edited in place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.agents.json_text import parse, put_item, put_member, without
from gitmem.agents.parts import is_own
from gitmem.errors import InvalidDataError

OWN = {"type": "command", "command": "gitmem hook agent claude-code"}
keys = st.text(max_size=6)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=12,
)
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
layouts = st.sampled_from([None, 1, 2, 4, "\t"])


@unhurried
@given(values, layouts)
def test_reading_tells_what_json_tells(value: Any, indent: Any) -> None:
    assert parse(json.dumps(value, indent=indent), "x.json").value == value


@unhurried
@given(st.dictionaries(keys, values, max_size=4), layouts, st.booleans())
def test_a_member_put_in_changes_nothing_else(held: dict[str, Any], indent: Any, crlf: bool) -> None:
    text = json.dumps(held, indent=indent, ensure_ascii=False) + "\n"
    text = text.replace("\n", "\r\n") if crlf else text
    key = "gitmem, 한글"
    new = put_member(text, parse(text, "x.json"), key, {"hooks": [OWN]})
    assert json.loads(new) == {**held, key: {"hooks": [OWN]}}
    assert ("\r\n" in new) == crlf or "\n" not in new
    assert "\n" not in new.replace("\r\n", "") or not crlf


@unhurried
@given(st.dictionaries(keys, values, min_size=1, max_size=4), layouts)
def test_what_was_put_in_comes_out_byte_for_byte(held: dict[str, Any], indent: Any) -> None:
    text = json.dumps({**held, "list": [1]}, indent=indent) + "\n"
    once = put_member(text, parse(text, "x"), "longer than any key", OWN)
    node = parse(once, "x").at("list")
    assert node is not None
    both = put_item(once, node, {"matcher": "Bash", "hooks": [OWN]})
    assert without(both, parse(both, "x"), is_own) == text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"hooks": {"A": [{"hooks": [OWN]}]}, "x": 1}', '{"x": 1}'),
        ('{"x": 1, "hooks": {"A": [{"matcher": "*", "hooks": [OWN]}]}}', '{"x": 1}'),
        ('{"hooks": {"A": [{"hooks": [THEIRS, OWN]}]}}', '{"hooks": {"A": [{"hooks": [THEIRS]}]}}'),
        ('{"hooks": {"A": [{"hooks": [OWN, THEIRS]}]}}', '{"hooks": {"A": [{"hooks": [THEIRS]}]}}'),
        ('{"hooks": {"A": [{"hooks": [OWN]}], "B": [THEIRS]}}', '{"hooks": {"B": [THEIRS]}}'),
        ('{"a": [OWN, THEIRS, OWN, OWN]}', '{"a": [THEIRS]}'),
        ('{"hooks": {"A": [OWN]}}\n', "{}\n"),
        ('{"a": [], "b": {}}', '{"a": [], "b": {}}'),
    ],
)
def test_only_own_entries_and_what_they_leave_empty_go(text: str, rest: str) -> None:
    own, theirs = json.dumps(OWN), '{"command": "husky"}'
    text, rest = (one.replace("OWN", own).replace("THEIRS", theirs) for one in (text, rest))
    assert without(text, parse(text, "x"), is_own) == rest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  // note\n  "a": 1}', "x.json:2:3: a comment"),
        ('{"a": 1,}', "a comma stands before the end"),
        ('{"a": 1, "a": 2}', "given twice"),
        ('{"a" 1}', "a colon is missing"),
        ('{"a": }', "a value is missing"),
        ("{'a': 1}", "double quotes"),
        ('{"a": 1} x', "more behind the end"),
        ('{"a": "b', "no JSON"),
        ('{"a', "no end"),
        ("", "a value is missing"),
        ("[" * 100_000, "nested too deep"),
        ('{"a": 1 /* c */}', "a comment"),
    ],
)
def test_what_is_no_plain_json_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InvalidDataError, match=message):
        parse(text, "x.json")
