"""Events as commit messages and back.

Format 1 (`gitmem.wire.event` writes it): a subject line, an empty line, one line of canonical JSON that begins with
``{"$format":1,``. The version is read before anything else is decoded; a greater one is refused by name, and so is
what is no event. Fields: ``id``, ``run``, ``writer``, ``seq``, ``type``, ``at``, ``actor``, ``payload``, and where
they say something ``session``, ``code``, ``dirty``, ``artifacts`` (names below ``artifacts/`` in the commit's tree)
and ``payload_artifact`` (the one that holds the whole payload as JSON; ``payload`` is left out then); ``masked`` (how many
secrets of each kind), ``not_saved`` (names of artifacts that an imported event had without content) and ``carried_from``
(the commit that it was first, under another id of its writer: `gitmem.store.carrying`). Fields and types
that are not known are kept. ``artifact`` beside ``payload`` is read as ``payload.artifact``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from gitmem.errors import InvalidDataError
from gitmem.model.event import Event
from gitmem.model.ids import is_object_id, is_run_id
from gitmem.wire.event import FORMAT, body_of, encode_message, format_of

LARGEST_BODY = 1 << 20
HIGHEST_SEQ = 1 << 53
NEWER_FORMAT = "newer_format"
UNREADABLE = "unreadable"

PAYLOAD_ARTIFACT = "payload_artifact"
_KNOWN = frozenset(
    (
        "$format",
        "id",
        "run",
        "writer",
        "seq",
        "type",
        "at",
        "actor",
        "payload",
        "session",
        "code",
        "dirty",
        "artifacts",
        "artifact",
    )
)
_TEXTS = itemgetter("id", "run", "writer", "type", "at", "actor")
_USUAL_HEAD = b'{"$format":%d,' % FORMAT
_NOTHING: Mapping[str, Any] = {}
_MOST_RUNS = 1000
_runs_seen: set[str] = set()
"""Run ids that were looked at: a run has thousands of events and one id."""


class UndecodableError(InvalidDataError):
    """A message that holds no event which this version can read.

    Args:
        reason: `NEWER_FORMAT` or `UNREADABLE`.
        message: What is wrong.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message, hint="a newer gitmem reads it" if reason == NEWER_FORMAT else "")
        self.reason = reason


def encode(event: Event) -> bytes:
    """The commit message of an event; `decode` gives the event back.

    Raises:
        ValueError, TypeError: When its payload is none that JSON has.
    """
    fields: dict[str, object] = {
        **event.extra,
        "id": event.id,
        "run": event.run,
        "writer": event.writer,
        "seq": event.seq,
        "type": event.type,
        "at": event.at,
        "actor": event.actor,
    }
    optional = {"session": event.session, "code": event.code, "dirty": event.dirty}
    fields |= {name: value for name, value in optional.items() if value is not None}
    if event.artifacts:
        fields["artifacts"] = list(event.artifacts)
    if PAYLOAD_ARTIFACT not in event.extra:
        fields["payload"] = dict(event.payload)
    return encode_message(fields)


def decode(commit: str, message: bytes) -> Event:
    """The event of a commit's message.

    Raises:
        UndecodableError: Newer format, no event at all, or a field of a wrong type.
    """
    body = body_of(message)
    version = FORMAT if body.startswith(_USUAL_HEAD) else format_of(body)
    if version is None:
        raise UndecodableError(UNREADABLE, f"commit {commit} holds no event")
    if version > FORMAT:
        raise UndecodableError(
            NEWER_FORMAT, f"commit {commit} is of format {version}; this gitmem reads up to {FORMAT}"
        )
    if len(body) > LARGEST_BODY:
        raise UndecodableError(UNREADABLE, f"commit {commit}: event of {len(body)} bytes")
    try:
        text = body.decode("utf-8")
        fields, end = _SCAN(text, 0)
        return _event(commit, _whole(fields, end, text))
    except (ValueError, KeyError, TypeError, RecursionError, StopIteration) as error:
        raise UndecodableError(UNREADABLE, f"commit {commit}: event is not readable: {error}") from None


def decode_payload(data: bytes) -> dict[str, Any] | None:
    """A payload that was put into the tree; None when the bytes are none."""
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _event(commit: str, fields: dict[str, Any]) -> Event:
    name, run, writer, event_type, at, actor = _TEXTS(fields)
    if not (type(name) is type(run) is type(writer) is type(event_type) is type(at) is type(actor) is str):
        raise TypeError("a field is no text")
    seq = fields["seq"]
    if type(seq) is not int or not 0 < seq < HIGHEST_SEQ:
        raise ValueError(f"seq is {seq!r:.40}")
    if run not in _runs_seen:
        _check_run(run)
    payload = fields.get("payload")
    if payload is None:
        payload = {}
    elif type(payload) is not dict:
        raise TypeError("payload is no mapping")
    if "artifact" in fields:
        payload.setdefault("artifact", fields["artifact"])
    # By position, since this is done for each of 100,000 events.
    return Event(
        commit,
        seq,
        writer,
        name,
        run,
        event_type,
        at,
        actor,
        payload,
        _text(fields, "session") if "session" in fields else None,
        _code(fields) if "code" in fields else None,
        _flag(fields) if "dirty" in fields else None,
        _artifacts(fields["artifacts"]) if "artifacts" in fields else (),
        _NOTHING if fields.keys() <= _KNOWN else {key: fields[key] for key in fields if key not in _KNOWN},
    )


def _whole(fields: dict[str, Any], end: int, text: str) -> dict[str, Any]:
    if end != len(text):
        raise ValueError("something stands behind the event")
    return fields


def _check_run(run: str) -> None:
    if not is_run_id(run):
        raise ValueError(f"run is {run!r:.80}")
    if len(_runs_seen) < _MOST_RUNS:
        _runs_seen.add(run)


def _flag(fields: Mapping[str, Any]) -> bool | None:
    value = fields["dirty"]
    return value if isinstance(value, bool) else None


def _text(fields: Mapping[str, Any], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) and value else None


def _code(fields: Mapping[str, Any]) -> str | None:
    value = fields.get("code")
    return value if isinstance(value, str) and is_object_id(value) else None


def _artifacts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(item for item in value if isinstance(item, str) and is_artifact_name(item))


def is_artifact_name(name: str) -> bool:
    """Whether a name may stand below ``artifacts/``: no way out of it, nothing that git or a file system mistakes."""
    parts = name.split("/")
    return len(name) <= 200 and 1 <= len(parts) <= 4 and all(map(_is_plain, parts))


def _is_plain(part: str) -> bool:
    return (
        part not in {"", ".", ".."}
        and len(part) <= 120
        and part[0] not in "-~"
        and part[-1] not in ". "
        and part.isprintable()
        and not any(character in '\\:*?"<>|' for character in part)
        and part.casefold() not in {".git", "git~1"}
    )


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
# Without the search for white space around the value, which canonical JSON has none of.
_SCAN = _DECODER.scan_once  # type: ignore[attr-defined]  # typeshed leaves it out
