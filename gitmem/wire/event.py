r"""One event as a commit message: a line for people, then the event for machines.

    #4 test_failed: CheckoutViewModelTests.testRetry

    {"$format":1,"actor":"test-runner","at":"2026-07-13T09:28:00+09:00",…,"seq":4,"type":"test_failed","writer":"…"}

The body is one line of canonical JSON. ``$`` sorts before every letter, so the format's version stands first and is
read before anything else is decoded. A reader refuses a greater number; fields may be added without raising it.
"""

from __future__ import annotations

from gitmem.wire.canonical import canonical_json

FORMAT = 1
LONGEST_SUBJECT = 100

_HEAD = b'{"$format":'
_ENDS = frozenset({"completed", "abandoned"})
_DIGITS = frozenset(b"0123456789")
_TELLING = (
    "failing",
    "task",
    "subject",
    "approach",
    "decision",
    "finding",
    "risk",
    "question",
    "answer",
    "next_step",
    "summary",
    "memory",
    "command",
    "path",
    "outcome",
    "reason",
    "artifact",
    "commit",
    "session",
)
_LESSON = ("summary", "proposed_memory", "content")
_INVISIBLE = (
    *range(0x20),
    *range(0x7F, 0xA0),
    0xAD,
    0x61C,
    0x180E,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)
_VISIBLE = {code: f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}" for code in _INVISIBLE}
_VISIBLE |= {9: "\\t", 10: "\\n", 13: "\\r"}


def encode_message(event: dict[str, object]) -> bytes:
    """The whole commit message of an event, which must have ``seq`` and ``type``.

    Raises:
        ValueError, TypeError: When the event holds what JSON does not; see `canonical_json`.
    """
    line = subject(event["seq"], event["type"], event.get("payload"))
    body = canonical_json({"$format": FORMAT, **event})
    return b"%b\n\n%b\n" % (line.encode("utf-8"), body)


def subject(seq: object, event_type: object, payload: object) -> str:
    """The line for people: 1 to 100 visible characters, none of them able to move a cursor or turn a line around."""
    said = gist(payload)
    line = f"#{seq} {event_type}: {said}" if said else f"#{seq} {event_type}"
    shown = (
        line[: 2 * LONGEST_SUBJECT].translate(_VISIBLE).encode("utf-8", "backslashreplace").decode("utf-8")
    )
    return shown if len(shown) <= LONGEST_SUBJECT else f"{shown[: LONGEST_SUBJECT - 1]}…"


def gist(payload: object) -> str:
    """What a payload is about, for the subject line; empty when nothing says it."""
    if not isinstance(payload, dict):
        return ""
    candidate, decision = payload.get("candidate"), payload.get("decision")
    if isinstance(candidate, dict):
        return next((said for name in _LESSON if (said := gist({"summary": candidate.get(name)}))), "")
    if isinstance(candidate, str) and isinstance(decision, str):
        return f"{decision} {candidate}".strip()
    for name in _TELLING:
        value = payload.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def body_of(message: bytes) -> bytes:
    """The JSON line of a message; empty when there is none."""
    return message.partition(b"\n\n")[2].strip(b"\n")


def format_of(body: bytes) -> int | None:
    """The format's version, read without decoding anything; None when the text is no event of any version."""
    if not body.startswith(_HEAD):
        return None
    digits = body[len(_HEAD) : len(_HEAD) + 9]
    end = next((place for place, byte in enumerate(digits) if byte not in _DIGITS), len(digits))
    follows = body[len(_HEAD) + end : len(_HEAD) + end + 1]
    return int(digits[:end]) if end and follows in {b",", b"}"} else None


def seq_of(message: bytes) -> int:
    """The seq in a message's JSON, for paths that must not decode it; 0 when there is none.

    The last one counts: a payload may have a field of that name, and stands before. Within text the quotes would be
    escaped.
    """
    _, found, rest = message.rpartition(b',"seq":')
    if not found or format_of(body_of(message)) is None:
        return 0
    digits = rest[:16]
    end = next((place for place, byte in enumerate(digits) if byte not in _DIGITS), len(digits))
    return int(digits[:end] or b"0")


def type_of(message: bytes) -> str:
    """The type in a message's JSON, for paths that must not decode it; empty when there is none. See `seq_of`."""
    _, found, rest = message.rpartition(b',"type":"')
    if not found or format_of(body_of(message)) is None:
        return ""
    return rest.partition(b'"')[0].decode("utf-8", "replace")


def ends_run(message: bytes) -> bool:
    """Whether an event ended its run: its end itself, or the last handoff, which tells the outcome."""
    kind = type_of(message)
    return kind in _ENDS or (kind == "handoff_written" and b'"outcome":"' in message)
