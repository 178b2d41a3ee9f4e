"""``ledger.json``: what it says is read again, and what is wrong is named with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import InvalidDataError
from gitmem.model.event import Event
from gitmem.store.run_files import format_ledger, parse_ledger

AT = "2026-07-13T09:28:00+09:00"
TEXT = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(
    payloads=st.lists(st.dictionaries(TEXT, JSON, max_size=4), max_size=4),
    actor=st.text(min_size=1, max_size=9),
    session=st.none() | st.text(min_size=1, max_size=9),
)
def test_events_are_read_as_they_were_written(
    payloads: list[dict[str, Any]], actor: str, session: str | None
) -> None:
    events = [
        Event(
            f"{seq:040x}",
            seq,
            "w1",
            f"id-{seq}",
            "run-1",
            "finding_noted",
            AT,
            actor,
            payload,
            session,
            None,
            True,
            ("a/b.txt",),
        )
        for seq, payload in enumerate(payloads, 1)
    ]
    refs = {"refs/ai/runs/run-1/w1": "a" * 40}
    told = parse_ledger("ledger.json", format_ledger("run-1", "task", refs, events))
    assert (told.run, told.task, told.refs) == ("run-1", "task", refs)
    for one, event in zip(told.events, events, strict=True):
        assert (one.id, one.type, one.at, one.actor, one.commit) == (
            event.id,
            event.type,
            AT,
            actor,
            event.commit,
        )
        assert (one.session, one.artifacts) == (session, event.artifacts)
        assert _utf8(one.payload) == _utf8(event.payload)


def _utf8(value: Any) -> Any:
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def seed(*events: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"version": 1, "events": list(events), **more}).encode()


ONE = {"seq": 1, "type": "plan_approved", "at": AT, "actor": "human", "artifact": "plan.json"}


def test_the_ledger_of_another_tool_gets_the_same_ids_each_time() -> None:
    first, again = (parse_ledger("ledger.json", seed(ONE, {**ONE, "seq": 2})) for _ in range(2))
    assert first == again
    assert first.run.startswith("run-20260713-")
    assert first.events[0].payload == {"artifact": "plan.json"}
    assert first.events[0].id != first.events[1].id
    assert parse_ledger("x", seed({**ONE, "actor": "codex"})).run != first.run


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "1:1: not readable as JSON"),
        (b'{"version": 1,\n "events": [}', "2:13: not readable as JSON"),
        (b"\xff\xfe", "not readable as JSON"),
        (b"[1]", "must be a mapping"),
        (b'{"version": 1, "version": 1, "events": []}', "'version' is given twice"),
        (seed(version=2), "version is 2"),
        (seed(version=True), "version is True"),
        (b'{"version": 1}', "events must be a list"),
        (seed(), "no events and no run id"),
        (seed({**ONE, "type": "two words"}), r"events\[0\].type is no event type: 'two words'"),
        (seed({**ONE, "at": "2026-07-13T09:28:00"}), r"events\[0\].at is no RFC 3339"),
        (seed({**ONE, "payload": [1]}), r"events\[0\].payload must be a mapping"),
        (seed({**ONE, "actor": 3}), r"events\[0\].actor must be a text"),
        (seed({**ONE, "id": "a b"}), r"events\[0\].id is no event id"),
        (seed({**ONE, "seq": 2}, ONE), r"events\[1\].seq is 1 after 2"),
        (seed({**ONE, "seq": -1}), r"events\[0\].seq is no number from 1 on: -1"),
        (seed({**ONE, "seq": 0}), r"events\[0\].seq is no number from 1 on: 0"),
        (seed({**ONE, "seq": "x"}), r"events\[0\].seq is no number from 1 on: 'x'"),
        (seed({**ONE, "seq": True}), r"events\[0\].seq is no number from 1 on: True"),
        (seed({**ONE, "seq": 99999999999999999999}), r"events\[0\].seq is no number from 1 on: 9999"),
        (seed(ONE, ONE), r"events\[1\].seq is 1 again"),
        (seed({**ONE, "writer": "a"}, {**ONE, "writer": "a"}), r"events\[1\].seq is 1 again"),
        (
            seed({**ONE, "id": "a"}, {**ONE, "seq": 2, "id": "a"}),
            r"events\[1\].id is that of events\[0\]: 'a'",
        ),
        (seed(ONE, task="../../x"), r"task is no task: '../../x'"),
        (seed(ONE, task="/etc/x"), "task is no task"),
        (seed(ONE, task=["x"]), "task is no task"),
        (
            seed({**ONE, "type": "task_created", "payload": {"task": "a/../../x"}}),
            r"events\[0\].payload.task is no task",
        ),
        (seed({**ONE, "artifacts": [3]}), r"events\[0\].artifacts must be a list of names"),
        (b'{"version": 1, "events": [], "x": NaN}', "NaN is no JSON"),
        (b'{"version": 1, "events": [], "x": ' + b"1" * 5000 + b"}", "not readable as JSON"),
        (seed("x"), r"events\[0\] must be a mapping"),  # type: ignore[arg-type]  # hostile on purpose
        (seed(ONE, run="../up"), "run is no run id"),
        (seed(ONE, refs={"refs/heads/main": "x"}), "refs must be"),
        (b"[" * 100_000, "not readable as JSON"),
    ],
)
def test_what_is_wrong_is_named(data: bytes, said: str) -> None:
    with pytest.raises(InvalidDataError, match=said) as caught:
        parse_ledger("ledger.json", data)
    assert caught.value.path == "ledger.json"
