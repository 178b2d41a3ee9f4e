"""Events as commit messages and back.

Format 1 (`gitmem.wire.event` writes it): a subject line, an empty line, one line of canonical JSON that begins with
``{"$format":1,``. The version is read before anything else is decoded; a greater one is refused by name, and so is
what is no event. Fields: ``id``, ``run``, ``writer``, ``seq``, ``type``, ``at``, ``actor``, ``payload``, and where
they say something ``session``, ``code``, ``dirty``, ``artifacts`` (names below ``artifacts/`` in the commit's tree)
and ``payload_artifact`` (the one that holds the whole payload as JSON; ``payload`` is left out then). Fields and types
that are not known are kept. ``artifact`` beside ``payload`` is read as ``payload.artifact``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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
_TEXTS = ("id", "run", "writer", "type", "at", "actor")


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
    version = format_of(body)
    if version is None:
        raise UndecodableError(UNREADABLE, f"commit {commit} holds no event")
    if version > FORMAT:
        raise UndecodableError(
            NEWER_FORMAT, f"commit {commit} is of format {version}; this gitmem reads up to {FORMAT}"
        )
    if len(body) > LARGEST_BODY:
        raise UndecodableError(UNREADABLE, f"commit {commit}: event of {len(body)} bytes")
    try:
        fields = _DECODER.decode(body.decode("utf-8"))
        return _event(commit, fields)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise UndecodableError(UNREADABLE, f"commit {commit}: event is not readable: {error}") from None


def decode_payload(data: bytes) -> dict[str, Any] | None:
    """A payload that was put into the tree; None when the bytes are none."""
    try:
        value = _DECODER.decode(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _event(commit: str, fields: dict[str, Any]) -> Event:
    name, run, writer, event_type, at, actor = texts = [fields[field] for field in _TEXTS]
    if not all(type(text) is str for text in texts):
        raise TypeError("a field is no text")
    seq = fields["seq"]
    if type(seq) is not int or not 0 < seq < HIGHEST_SEQ:
        raise ValueError(f"seq is {seq!r:.40}")
    if not is_run_id(run):
        raise ValueError(f"run is {run!r:.80}")
    payload = fields.get("payload", {})
    if type(payload) is not dict:
        raise TypeError("payload is no mapping")
    if "artifact" in fields and "artifact" not in payload:
        payload["artifact"] = fields["artifact"]
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
        _text(fields, "session"),
        _code(fields),
        fields.get("dirty") if isinstance(fields.get("dirty"), bool) else None,
        _artifacts(fields.get("artifacts")),
        {} if fields.keys() <= _KNOWN else {key: fields[key] for key in fields if key not in _KNOWN},
    )


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
