"""An event before it is written, and what it must be to be one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gitmem.errors import UsageError
from gitmem.model.event import EVENT_ID, EVENT_TYPE, check_payload
from gitmem.model.ids import is_object_id
from gitmem.store.artifacts import check_names
from gitmem.wire.canonical import canonical_json


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it is written.

    Args:
        type: Event type, known or not.
        actor: Who did it.
        payload: What the type says about it.
        id: Made by the caller, so that a retried append is recognised; random when empty.
        session: Agent session.
        code: Commit that HEAD names; looked up when None.
        at: RFC 3339 with offset; now when empty.
        artifacts: Content by name.
        files: New content of files at the top of the run's tree.
    """

    type: str
    actor: str
    payload: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    session: str | None = None
    code: str | None = None
    at: str = ""
    artifacts: Mapping[str, bytes] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)


def check_draft(draft: Draft) -> None:
    if EVENT_TYPE.fullmatch(draft.type) is None:
        raise UsageError(f"not an event type: {draft.type[:80]!r}", hint="lower-case words joined by _")
    if draft.id and EVENT_ID.fullmatch(draft.id) is None:
        raise UsageError(f"not an event id: {draft.id[:80]!r}")
    if not draft.actor.strip() or len(draft.actor) > 200:
        raise UsageError(f"not an actor: {draft.actor[:80]!r}")
    if draft.code is not None and not is_object_id(draft.code):
        raise UsageError(f"not a whole commit id: {draft.code[:80]!r}")
    if draft.at:
        _moment(draft.at)
    check_payload(draft.type, draft.payload)
    check_names(draft.artifacts, draft.files)


def payload_json(draft: Draft) -> bytes:
    try:
        return canonical_json(draft.payload)
    except (ValueError, TypeError) as error:
        raise UsageError(f"{draft.type}: payload is no JSON: {error}") from None


def _moment(at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageError(f"not an RFC 3339 time with offset: {at[:60]!r}")
    return moment


def commit_time(at: str) -> str | None:
    """The event's time for the commit; None (now) for one that git cannot hold."""
    return at if 0 < _moment(at).timestamp() < 1 << 40 else None
