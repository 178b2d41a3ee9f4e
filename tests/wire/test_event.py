from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.wire.event import (
    FORMAT,
    LONGEST_SUBJECT,
    body_of,
    encode_message,
    format_of,
    gist,
    seq_of,
    subject,
)

ANY_TEXT = st.text(st.characters(codec=None))


def test_message_is_a_line_for_people_and_a_line_of_json() -> None:
    event: dict[str, object] = {
        "seq": 4,
        "type": "test_failed",
        "payload": {"failing": ["CheckoutTests.testRetry"]},
    }

    assert encode_message(event) == (
        b"#4 test_failed: CheckoutTests.testRetry\n\n"
        b'{"$format":1,"payload":{"failing":["CheckoutTests.testRetry"]},"seq":4,"type":"test_failed"}\n'
    )


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"task": "checkout", "goal": "no doubles"}, "checkout"),
        ({"command": "pytest", "failing": ["a", "b"]}, "a"),
        ({"command": "pytest", "failing": []}, "pytest"),
        ({"summary": "  중복 제출을 막았다 "}, "중복 제출을 막았다"),
        ({"finding": ""}, ""),
        ({"finding": 3}, ""),
        (None, ""),
        (["task"], ""),
    ],
)
def test_gist_is_the_most_telling_text_of_a_payload(payload: object, said: str) -> None:
    assert gist(payload) == said


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a\x1b[2Kb", "a\\x1b[2Kb"),
        ("line\nbreak\ttab\r", "line\\nbreak\\ttab"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("c1\x9b", "c1\\x9b"),
        ("tag\U000e0041", "tag\\ue0041"),
        ("lone\ud800", "lone\\ud800"),
    ],
)
def test_what_could_move_a_cursor_is_made_visible(said: str, shown: str) -> None:
    assert subject(1, "finding_noted", {"finding": said}) == f"#1 finding_noted: {shown}"


@settings(deadline=None)
@given(ANY_TEXT, st.integers(1, 10**9))
def test_subject_has_1_to_100_visible_characters_on_one_line(said: str, seq: int) -> None:
    line = subject(seq, "finding_noted", {"finding": said})

    assert 1 <= len(line) <= LONGEST_SUBJECT
    assert len(line.encode("utf-8").split(b"\n")) == 1
    assert line.startswith(f"#{seq} finding_noted")


@settings(deadline=None)
@given(st.dictionaries(ANY_TEXT, st.none() | st.booleans() | st.integers() | ANY_TEXT, max_size=4))
def test_json_of_a_message_reads_back_as_the_event(payload: dict[str, object]) -> None:
    try:
        message = encode_message({"seq": 7, "type": "x", "payload": payload})
    except ValueError:  # two keys that are the same text once surrogates are paired
        return

    body = body_of(message)
    assert format_of(body) == FORMAT
    paired = json.loads(json.dumps(payload))
    assert json.loads(body) == {"$format": 1, "seq": 7, "type": "x", "payload": paired}
    assert seq_of(message) == 7


@pytest.mark.parametrize(
    ("body", "version"),
    [
        (b'{"$format":1,"a":1}', 1),
        (b'{"$format":2}', 2),
        (b'{"$format":12,"later":[', 12),
        (b'{"a":1,"$format":1}', None),
        (b'{"$format":"1"}', None),
        (b'{"$format":-1,', None),
        (b'{"$format":', None),
        (b'{"$format":1', None),
        (b'{"$format":12345678901234,', None),
        (b"", None),
    ],
)
def test_format_is_read_without_decoding_the_rest(body: bytes, version: int | None) -> None:
    assert format_of(body) == version


def test_seq_is_that_of_the_event_whatever_payload_and_subject_say() -> None:
    payload = {"seq": 900, "text": ',"seq":901', "task": "#902"}
    message = encode_message(
        {"seq": 5, "type": "x", "payload": payload, "session": ',"seq":903', "writer": "w"}
    )

    assert seq_of(message) == 5
    assert seq_of(b"#902 forged\n\nno event") == 0
    assert seq_of(b'#902 forged\n\n{"$format":1,"seq":x}') == 0
