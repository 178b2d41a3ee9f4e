from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model.event import Event
from gitmem.store.codec import (
    NEWER_FORMAT,
    UNREADABLE,
    UndecodableError,
    decode,
    decode_payload,
    encode,
    is_artifact_name,
)

EVENT = Event(
    commit="c" * 40,
    seq=4,
    writer="w1",
    id="e-1",
    run="run-1",
    type="test_failed",
    at="2026-07-13T09:28:00+09:00",
    actor="test-runner",
    payload={"command": "pytest"},
)

TEXT = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=10,
)


def message(**fields: object) -> bytes:
    """A message with some fields changed, added or (None) taken away."""
    body = json.loads(encode(EVENT).partition(b"\n\n")[2])
    changed = {name: value for name, value in {**body, **fields}.items() if value is not None}
    return (
        b"#4 test_failed\n\n" + json.dumps(changed).replace('"$format": ', '"$format":', 1).encode() + b"\n"
    )


@settings(deadline=None)
@given(
    st.integers(1, 2**53 - 1),
    st.dictionaries(TEXT, JSON, max_size=5),
    st.none() | TEXT.filter(bool),
    st.none() | st.booleans(),
    st.lists(st.from_regex(r"[a-z]{1,8}\.txt", fullmatch=True), max_size=3),
)
def test_an_event_reads_back_as_it_was_written(
    seq: int, payload: dict[str, object], session: str | None, dirty: bool | None, artifacts: list[str]
) -> None:
    event = EVENT._replace(
        seq=seq, payload=payload, session=session, dirty=dirty, artifacts=tuple(artifacts), code="a" * 40,
        extra={"x": [1]},
    )  # fmt: skip

    assert decode(event.commit, encode(event)) == event


def test_unknown_types_and_fields_are_kept() -> None:
    event = decode("c" * 40, message(type="someday", later={"a": 1}))

    assert (event.type, event.extra) == ("someday", {"later": {"a": 1}})
    assert decode("c" * 40, encode(event)) == event


def test_an_artifact_beside_the_payload_is_read_as_one_of_the_payload() -> None:
    assert decode("c" * 40, message(artifact="plan.json")).payload == {
        "command": "pytest",
        "artifact": "plan.json",
    }
    both = message(artifact="plan.json", payload={"artifact": "own.json"})
    assert decode("c" * 40, both).payload == {"artifact": "own.json"}


def test_a_newer_format_is_named_before_anything_else_is_decoded() -> None:
    with pytest.raises(UndecodableError, match=r"c{40}.*format 2") as caught:
        decode("c" * 40, b'#1 x\n\n{"$format":2,not even json')

    assert caught.value.reason == NEWER_FORMAT


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"Merge branch 'x'\n",
        b"#1 x\n\n{}\n",
        b'#1 x\n\n{"$format":1,\n',
        b'#1 x\n\n{"$format":1}\n',
        b'#1 x\n\n{"$format":1,"a":"\xff"}\n',
        b'#1 x\n\n{"$format":1,"a":' + b"[" * 100_000,
        message(seq="4"),
        message(seq=0),
        message(seq=-1),
        message(seq=True),
        message(seq=4.0),
        message(seq=2**53),
        message(id=None),
        message(type=7),
        message(run="../x"),
        message(payload=[1]),
        message(payload=float("nan")),
        message(payload={"x": float("inf")}),
        message(payload={"x": "y" * (1 << 20)}),
    ],
)
def test_what_is_no_event_is_refused_with_its_commit(broken: bytes) -> None:
    with pytest.raises(UndecodableError, match="c" * 40) as caught:
        decode("c" * 40, broken)

    assert caught.value.reason == UNREADABLE


def test_optional_fields_of_a_wrong_type_are_as_good_as_absent() -> None:
    event = decode("c" * 40, message(session=3, code="main", dirty="yes", artifacts=["../x", 3, "ok.txt"]))

    assert (event.session, event.code, event.dirty, event.artifacts) == (None, None, None, ("ok.txt",))


@pytest.mark.parametrize("name", ["plan.json", "more-3/build.log", "빌드 기록.txt", "a.b-c_d", ".hidden"])
def test_artifact_names(name: str) -> None:
    assert is_artifact_name(name)


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "a/../b", "/a", "a/", "a//b", ".git", ".GIT/x", "git~1", "-rf", "a\\b", "C:x", "a\nb", "a\x1b", "x" * 121,
     "a/b/c/d/e", "x\u202ey", "a*", "dot.", "space ", "\udcff"],
)  # fmt: skip
def test_names_that_lead_astray_are_none(name: str) -> None:
    assert not is_artifact_name(name)


def test_a_payload_that_lay_in_the_tree() -> None:
    assert decode_payload(b'{"a":1}') == {"a": 1}
    assert decode_payload(b"[1]") is None
    assert decode_payload(b"\xff") is None
    assert decode_payload(b"[" * 100_000) is None
