"""A run as plain files: what `gitmem run export` writes and `gitmem run import` reads.

    .ai/runs/<task>/
      ledger.json           the events, for people and other tools
      history.bundle        the same events as git commits, byte for byte (a git bundle of the run's refs)
      handoff.md            as last written
      latest-failure.json   as last written
      decisions.md          as last written
      artifacts/…           the newest content of each artifact

``ledger.json`` is ``{"version": 1, "run", "task", "refs": {ref: commit}, "events": […]}``; an event has seq, type, at,
actor, payload, and id, writer, commit, session, code, dirty, artifacts where it has them. With the bundle an import gives
the same commits under the same refs. Without it – the file alone, or a ledger of another tool with nothing but
``{"version": 1, "events": [{seq, type, at, actor, artifact | payload}]}`` – the events are appended as new ones under ids made
from their content, so importing twice doubles nothing. ``artifact`` beside ``payload`` is read as ``payload.artifact``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gitmem.errors import InvalidDataError
from gitmem.model.event import EVENT_ID, EVENT_TYPE, Event
from gitmem.model.ids import CROCKFORD, is_object_id, is_run_id
from gitmem.wire.canonical import canonical_json

VERSION = 1
LEDGER, BUNDLE = "ledger.json", "history.bundle"
LARGEST_LEDGER = 256 * 1024 * 1024

_OPTIONAL = ("session", "code", "dirty")


@dataclass(frozen=True, slots=True)
class FileEvent:
    """One event as a ``ledger.json`` tells it.

    Args:
        type: Event type.
        at: RFC 3339 with offset.
        actor: Who did it.
        payload: What the type says about it.
        id: Its id; one made from its content where the file has none.
        session: Agent session.
        code: Commit of the code.
        artifacts: Names below ``artifacts/``.
        commit: The commit that carried it; None in another tool's file.
    """

    type: str
    at: str
    actor: str
    payload: Mapping[str, Any]
    id: str
    session: str | None = None
    code: str | None = None
    artifacts: tuple[str, ...] = ()
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """A whole ``ledger.json``.

    Args:
        run: Run id; made from the first event where the file has none.
        task: Task; None where nothing says it.
        refs: Commit by full ref name; empty in another tool's file.
        events: In order.
    """

    run: str
    task: str | None
    refs: Mapping[str, str]
    events: tuple[FileEvent, ...]


def format_ledger(run: str, task: str | None, refs: Mapping[str, str], events: Sequence[Event]) -> bytes:
    """The ``ledger.json`` of a run."""
    document = {
        "version": VERSION,
        "run": run,
        "task": task,
        "refs": dict(sorted(refs.items())),
        "events": [_plain(event) for event in events],
    }
    # Escaped where UTF-8 cannot hold it: paths may be any bytes.
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"


def parse_ledger(path: str, data: bytes) -> LedgerFile:
    """Read a ``ledger.json``.

    Args:
        path: Its name, for messages.
        data: Its content.

    Raises:
        InvalidDataError: No JSON, another version, or a field of the wrong kind, named with its place.
    """
    held = _load(path, data)
    version = held.get("version")
    if version != VERSION or isinstance(version, bool):
        raise InvalidDataError(
            f"{path}: version is {version!r:.40}; this gitmem reads {VERSION}",
            hint="a newer gitmem may read it",
            path=path,
        )
    rows = held.get("events")
    if not isinstance(rows, list):
        raise InvalidDataError(f"{path}: events must be a list", path=path)
    _check_order(path, rows)
    events = tuple(_event(path, number, row) for number, row in enumerate(rows))
    run = held.get("run")
    if run is not None and (not isinstance(run, str) or not is_run_id(run)):
        raise InvalidDataError(f"{path}: run is no run id: {run!r:.80}", path=path)
    task = held.get("task")
    refs = held.get("refs") or {}
    if not isinstance(refs, dict) or not all(is_object_id(str(oid)) for oid in refs.values()):
        raise InvalidDataError(f"{path}: refs must be a mapping of ref names to commits", path=path)
    return LedgerFile(run or _run_of(path, events), task if isinstance(task, str) else None, refs, events)


def _plain(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = {
        "seq": event.seq,
        "type": event.type,
        "at": event.at,
        "actor": event.actor,
        "payload": dict(event.payload),
        "id": event.id,
        "writer": event.writer,
        "commit": event.commit,
    }
    told |= {name: getattr(event, name) for name in _OPTIONAL if getattr(event, name) is not None}
    return {**told, "artifacts": list(event.artifacts)} if event.artifacts else told


def _load(path: str, data: bytes) -> dict[str, Any]:
    if len(data) > LARGEST_LEDGER:
        raise InvalidDataError(f"{path}: {len(data)} bytes, over the limit of {LARGEST_LEDGER}", path=path)
    try:
        held = json.loads(data.decode("utf-8-sig"), object_pairs_hook=lambda pairs: _once(path, pairs))
    except json.JSONDecodeError as error:
        raise InvalidDataError(
            f"{path}:{error.lineno}:{error.colno}: not readable as JSON: {error.msg}",
            path=path,
            line=error.lineno,
            column=error.colno,
        ) from None
    except (UnicodeDecodeError, RecursionError) as error:
        raise InvalidDataError(f"{path}: not readable as JSON: {error}", path=path) from None
    if not isinstance(held, dict):
        raise InvalidDataError(f"{path}: must be a mapping with version and events", path=path)
    return held


def _once(path: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidDataError(
            f"{path}: {twice[:60]!r} is given twice", hint="keep one of the two", path=path
        )
    return fields


def _check_order(path: str, rows: list[Any]) -> None:
    seqs = [row["seq"] for row in rows if isinstance(row, dict) and type(row.get("seq")) is int]
    if len(seqs) == len(rows) and seqs != sorted(seqs):
        place = next(number for number in range(1, len(seqs)) if seqs[number] < seqs[number - 1])
        raise InvalidDataError(
            f"{path}: events[{place}].seq is {seqs[place]} after {seqs[place - 1]}",
            hint="put the events in order",
            path=path,
        )


def _event(path: str, number: int, row: Any) -> FileEvent:
    where = f"{path}: events[{number}]"
    if not isinstance(row, dict):
        raise InvalidDataError(f"{where} must be a mapping, not {row!r:.60}", path=path)
    kind, at = row.get("type"), row.get("at")
    if not isinstance(kind, str) or EVENT_TYPE.fullmatch(kind) is None:
        raise InvalidDataError(
            f"{where}.type is no event type: {kind!r:.60}", hint="lower-case words joined by _", path=path
        )
    if not isinstance(at, str) or not _is_moment(at):
        raise InvalidDataError(f"{where}.at is no RFC 3339 time with offset: {at!r:.60}", path=path)
    payload = row.get("payload") or {}
    if not isinstance(payload, dict):
        raise InvalidDataError(f"{where}.payload must be a mapping, not {payload!r:.60}", path=path)
    if isinstance(row.get("artifact"), str):
        payload = {"artifact": row["artifact"], **payload}
    actor = _text(where, path, row, "actor") or "unknown"
    name = _text(where, path, row, "id")
    if name is not None and EVENT_ID.fullmatch(name) is None:
        raise InvalidDataError(f"{where}.id is no event id: {name!r:.60}", path=path)
    code, commit = row.get("code"), row.get("commit")
    named = row.get("artifacts") or []
    return FileEvent(
        kind,
        at,
        actor,
        payload,
        name or _made_id(number, kind, at, actor, payload),
        _text(where, path, row, "session"),
        code if isinstance(code, str) and is_object_id(code) else None,
        tuple(one for one in named if isinstance(one, str)) if isinstance(named, list) else (),
        commit if isinstance(commit, str) and is_object_id(commit) else None,
    )


def _text(where: str, path: str, row: Mapping[str, Any], field: str) -> str | None:
    value = row.get(field)
    if value is not None and not isinstance(value, str):
        raise InvalidDataError(f"{where}.{field} must be a text, not {value!r:.60}", path=path)
    return value or None


def _is_moment(at: str) -> bool:
    try:
        return datetime.fromisoformat(at).tzinfo is not None
    except ValueError:
        return False


def _made_id(number: int, *told: object) -> str:
    try:
        content = canonical_json([number, *told])
    except (ValueError, TypeError):  # what JSON has and a payload may not hold is refused when it is appended
        content = repr(told).encode()
    return f"import-{hashlib.blake2b(content, digest_size=10).hexdigest()}"


def _run_of(path: str, events: tuple[FileEvent, ...]) -> str:
    if not events:
        raise InvalidDataError(
            f"{path}: no events and no run id", hint="there is nothing to import", path=path
        )
    digest = hashlib.blake2b(events[0].id.encode(), digest_size=5).digest()
    suffix = "".join(CROCKFORD[byte & 31] for byte in digest)
    return f"run-{datetime.fromisoformat(events[0].at):%Y%m%d}-{suffix}"
