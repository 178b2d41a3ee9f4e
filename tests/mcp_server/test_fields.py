from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import UsageError
from gitmem.mcp_server.fields import Field, read_arguments, schema_of, spellings

FIELDS = (
    Field("content", says="the rule", required=True, most=20),
    Field("kind", choices=("pitfall", "note")),
    Field("used_memories", "texts"),
    Field("session"),
    Field("limit", "number", most=50),
    Field("write", "flag"),
    Field("payload", "record"),
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def test_the_schema_says_what_is_taken() -> None:
    schema = schema_of(FIELDS)
    assert schema["required"] == ["content"]
    assert schema["properties"]["content"] == {"type": "string", "description": "the rule"}
    assert schema["properties"]["kind"] == {"type": "string", "enum": ["pitfall", "note"]}
    assert schema["properties"]["used_memories"] == {"type": "array", "items": {"type": "string"}}
    assert {schema["properties"][name]["type"] for name in ("limit", "write", "payload")} == {
        "integer",
        "boolean",
        "object",
    }


def test_what_is_left_out_or_null_is_empty() -> None:
    assert read_arguments(FIELDS, {"content": "a", "kind": None, "usedMemories": None}) == {
        "content": "a",
        "kind": "",
        "used_memories": (),
        "session": "",
        "limit": 0,
        "write": False,
        "payload": {},
    }


@pytest.mark.parametrize("name", ["used_memories", "usedMemories", "UsedMemories"])
def test_a_list_is_taken_under_both_spellings(name: str) -> None:
    assert read_arguments(FIELDS, {"content": "a", name: ["m-1", " "]})["used_memories"] == ("m-1",)


def test_one_text_stands_for_a_list_of_one() -> None:
    assert read_arguments(FIELDS, {"content": "a", "used_memories": "m-1"})["used_memories"] == ("m-1",)


@pytest.mark.parametrize("name", ["sessionId", "session_id", "session"])
def test_a_session_is_taken_by_the_names_that_hosts_give_it(name: str) -> None:
    assert read_arguments(FIELDS, {"content": "a", name: "s-1"})["session"] == "s-1"


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        ({}, "content is missing or empty", "a text"),
        ({"content": "  "}, "content is missing or empty", "a text"),
        ({"content": 3}, "content is 3", "a text"),
        ({"content": "a" * 21}, "content has 21 characters", "20 at most"),
        ({"content": "a", "kind": "rule"}, "kind is 'rule'", "pitfall, note"),
        ({"content": "a", "limit": 0}, "limit is 0", "from 1 to 50"),
        ({"content": "a", "limit": 51}, "limit is 51", "from 1 to 50"),
        ({"content": "a", "limit": True}, "limit is True", "a whole number"),
        ({"content": "a", "limit": 1.5}, "limit is 1.5", "a whole number"),
        ({"content": "a", "write": "yes"}, "write is 'yes'", "true or false"),
        ({"content": "a", "payload": []}, "payload is a list", "an object"),
        ({"content": "a", "used_memories": [1]}, "used_memories is a list", "a list of texts"),
        ({"content": "a", "used_memories": {}}, "used_memories is a dict", "a list of texts"),
        ({"content": "a", "used_memories": ["x"] * 201}, "used_memories has 201 texts", "200 at most"),
        ({"content": "a", "usedMemories": 3}, "usedMemories is 3", "a list of texts"),
        ({"text": "a" * 21}, "text has 21 characters", "20 at most"),
        ({"text": " "}, "text is missing or empty", "a text"),
        ({"content": "a", "sessionId": 3}, "sessionId is 3", "a text"),
        ({"content": "a", "Kind": "rule"}, "Kind is 'rule'", "pitfall, note"),
        ({"content": "a", "text": "b"}, "content and text are one argument", "content once"),
        ({"content": "a", "sesion": "x"}, "no such argument: 'sesion'", "session"),
        ({"content": "a", "path": "/etc"}, "no such argument: 'path'", "it takes content"),
    ],
)
def test_what_does_not_fit_is_named_with_its_cure(given: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_arguments(FIELDS, given)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from([one.name for one in FIELDS]) | st.text(), ANYTHING))
def test_anything_at_all_is_read_or_refused(given: dict[str, Any]) -> None:
    try:
        values = read_arguments(FIELDS, given)
    except UsageError:
        return
    assert set(values) == {one.name for one in FIELDS}
    assert values["content"].strip()


def test_an_argument_said_twice_alike_is_one() -> None:
    given = {"content": "a", "session": "s", "sessionId": "s", "no such": 1}
    assert read_arguments(FIELDS, {k: v for k, v in given.items() if k != "no such"})["session"] == "s"
    assert spellings(FIELDS, given)["session"] == "sessionId"
    assert spellings(FIELDS, given)["kind"] == "kind"
