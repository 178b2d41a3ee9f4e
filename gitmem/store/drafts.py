"""An event before it is written, and what it must be to be one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gitmem.errors import UsageError
from gitmem.model.event import EVENT_ID, EVENT_TYPE, Event, check_payload
from gitmem.model.ids import is_object_id
from gitmem.store.artifacts import check_names
from gitmem.store.plain_values import check_plain, has_whole_characters, is_one_line
from gitmem.wire.canonical import canonical_json

NO_CODE = ""
"""What stands for `Draft.code` when there is no commit that the event belongs to."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it is written.

    Args:
        type: Event type, known or not.
        actor: Who did it.
        payload: What the type says about it.
        id: Made by the caller, so that a retried append is recognised; random when empty.
        session: Agent session.
        code: Commit that HEAD names; looked up when None, and none at all when `NO_CODE`.
        at: RFC 3339 with offset; now when empty.
        artifacts: Content by name.
        files: New content of files at the top of the run's tree.
        dirty: Of an event from elsewhere: whether the work tree there differed from its HEAD.
        not_saved: Names of artifacts whose content nobody has.
        exact: Whether an event with the same id and other content is refused; else it is given back as it is.
        elsewhere: Whether it did not happen in this clone, whose HEAD and work tree say nothing of it then.
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
    dirty: bool | None = None
    not_saved: tuple[str, ...] = ()
    elsewhere: bool = False
    exact: bool = False


def check_draft(draft: Draft) -> None:
    """Refuse what no event can be; callers from outside may hand over values of any type.

    Raises:
        UsageError: Naming what is wrong, with the cure.
    """
    if not _is_text(draft.type) or EVENT_TYPE.fullmatch(draft.type) is None:
        raise UsageError(f"not an event type: {draft.type!r:.80}", hint="lower-case words joined by _")
    if not _is_text(draft.id) or (draft.id and EVENT_ID.fullmatch(draft.id) is None):
        raise UsageError(
            f"not an event id: {draft.id!r:.80}", hint="up to 100 letters, digits and . _ : -, or none"
        )
    if not _is_name(draft.actor):
        raise UsageError(
            f"not an actor: {draft.actor!r:.80}", hint="one line of text, such as human, codex or test-runner"
        )
    if draft.session is not None and not (_is_text(draft.session) and has_whole_characters(draft.session)):
        raise UsageError(
            f"not a session: {draft.session!r:.80}", hint="a text, or None outside of any session"
        )
    _check_place(draft)
    check_plain(draft.type, draft.payload)
    check_payload(draft.type, draft.payload)
    _check_contents("artifacts", draft.artifacts)
    _check_contents("files", draft.files)
    check_names(draft.artifacts, draft.files)


def another_has_it(event: Event) -> UsageError:
    """The error for an id that an event has which says something else."""
    return UsageError(
        f"#{event.seq} {event.type} has the id {event.id} already and says something else",
        hint="give the new event an id of its own, or none; gitmem run log -v shows the other",
    )


def payload_json(draft: Draft) -> bytes:
    try:
        return canonical_json(draft.payload)
    except (ValueError, TypeError) as error:
        raise UsageError(
            f"{draft.type}: payload is no JSON: {error}", hint="texts, numbers, lists and mappings of them"
        ) from None


def payload_name(event_id: str) -> str:
    """The artifact that a payload becomes when it is too long for the commit's message."""
    return f"payload-{event_id.replace(':', '_')}.json"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value.strip()) > 0 and len(value) <= 200 and is_one_line(value)


def _check_place(draft: Draft) -> None:
    if draft.code not in {None, NO_CODE} and not (_is_text(draft.code) and is_object_id(str(draft.code))):
        raise UsageError(
            f"not a whole commit id: {draft.code!r:.80}", hint="git rev-parse gives it; leave it out for HEAD"
        )
    if draft.at:
        _moment(draft.at)


def _check_contents(what: str, contents: object) -> None:
    if not isinstance(contents, Mapping):
        raise UsageError(
            f"{what} is no mapping but {type(contents).__name__}", hint='bytes by name: {"plan.json": b"…"}'
        )
    for name, content in contents.items():
        if not isinstance(name, str):
            raise UsageError(f"{what}: not a name: {name!r:.80}", hint="a plain file name, without folders")
        if not isinstance(content, bytes):
            raise UsageError(
                f"{what}: {name[:80]!r} is no bytes but {type(content).__name__}",
                hint="encode text: content.encode()",
            )


def _moment(at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(at)
    except (ValueError, TypeError):
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageError(
            f"not an RFC 3339 time with offset: {at!r:.60}", hint="such as 2026-07-13T09:28:00+09:00"
        )
    return moment


def commit_time(at: str) -> str | None:
    """The event's time for the commit; None (now) for one that git cannot hold."""
    return at if 0 < _moment(at).timestamp() < 1 << 40 else None
