"""A run as plain files: what `gitmem run export` writes and `gitmem run import` reads.

    .ai/runs/<task>/
      ledger.json           the events, for people and other tools
      history.bundle        the same events as git commits, byte for byte (a git bundle of the run's refs)
      handoff.md            as last written
      latest-failure.json   as last written
      decisions.md          as last written
      artifacts/…           the newest content of each artifact

``ledger.json`` is ``{"version": 1, "run", "task", "refs": {ref: commit}, "events": […]}``; an event has seq, type, at,
actor, payload, and id, writer, commit, session, code, dirty, artifacts, not_saved where it has them. With the bundle an
import gives the same commits under the same refs, and refuses what was edited beside it. Without it – the file alone, or a
ledger of another tool with nothing but ``{"version": 1, "events": [{seq, type, at, actor, artifact | payload}]}`` – the events
are appended as new ones, all or none, under ids made from their content, so importing twice doubles nothing. They say no
more of code and work tree than the file does. An artifact that has no file beside the ledger stays named, in the event's
``not_saved``. ``artifact`` beside ``payload`` is read as ``payload.artifact``. A file without ``run`` gets an id made from its
first event and its task (the folder's name where nothing says it).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gitmem.errors import InvalidDataError
from gitmem.model.event import EVENT_ID, EVENT_TYPE, Event, not_saved
from gitmem.model.ids import CROCKFORD, is_object_id, is_run_id
from gitmem.store.codec import HIGHEST_SEQ
from gitmem.store.plain_values import is_one_line
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
        dirty: Whether the work tree differed from it.
        artifacts: Names below ``artifacts/``, those that were not saved too.
        commit: The commit that carried it; None in another tool's file.
        writer: The clone that wrote it; None in another tool's file.
    """

    type: str
    at: str
    actor: str
    payload: Mapping[str, Any]
    id: str
    session: str | None = None
    code: str | None = None
    dirty: bool | None = None
    artifacts: tuple[str, ...] = ()
    commit: str | None = None
    writer: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """A whole ``ledger.json``.

    Args:
        run: Run id; made from the first event where the file has none.
        task: Task; None where nothing says it.
        refs: Commit by full ref name; empty in another tool's file.
        events: In order.
        is_made: Whether the run id was made.
    """

    run: str
    task: str | None
    refs: Mapping[str, str]
    events: tuple[FileEvent, ...]
    is_made: bool = False


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


def parse_ledger(path: str, data: bytes, *, folder: str = "") -> LedgerFile:
    """Read a ``ledger.json``.

    Args:
        path: Its name, for messages.
        data: Its content.
        folder: Name of the folder that it lies in, which tells two runs apart that begin with the same event.

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
    events = tuple(_event(path, number, row) for number, row in enumerate(rows))
    _check_order(path, rows)
    _check_ids(path, events)
    run = held.get("run")
    if run is not None and (not isinstance(run, str) or not is_run_id(run)):
        raise InvalidDataError(f"{path}: run is no run id: {run!r:.80}", path=path)
    task = _task(path, "task", held.get("task"))
    refs = held.get("refs") or {}
    if not isinstance(refs, dict) or not all(is_object_id(str(oid)) for oid in refs.values()):
        raise InvalidDataError(f"{path}: refs must be a mapping of ref names to commits", path=path)
    return LedgerFile(run or _run_of(path, events, task or folder), task, refs, events, is_made=not run)


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
    named = {"artifacts": list(event.artifacts), "not_saved": list(not_saved(event))}
    return told | {name: names for name, names in named.items() if names}


def _load(path: str, data: bytes) -> dict[str, Any]:
    if len(data) > LARGEST_LEDGER:
        raise InvalidDataError(f"{path}: {len(data)} bytes, over the limit of {LARGEST_LEDGER}", path=path)
    try:
        held = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=lambda pairs: _once(path, pairs),
            parse_constant=lambda word: _refuse_constant(path, word),
        )
    except json.JSONDecodeError as error:
        raise InvalidDataError(
            f"{path}:{error.lineno}:{error.colno}: not readable as JSON: {error.msg}",
            path=path,
            line=error.lineno,
            column=error.colno,
        ) from None
    except (ValueError, RecursionError) as error:  # no UTF-8, or a number of more digits than Python reads
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


def _refuse_constant(path: str, word: str) -> None:
    raise InvalidDataError(f"{path}: {word} is no JSON", hint="write null", path=path)


def _check_order(path: str, rows: list[dict[str, Any]]) -> None:
    """Numbers go up; only different writers may have used one twice."""
    before, writers = 0, set[object]()
    for number, row in enumerate(rows):
        if "seq" not in row:
            continue
        seq, writer = row["seq"], row.get("writer")
        if type(seq) is not int or not 0 < seq < HIGHEST_SEQ:
            raise InvalidDataError(
                f"{path}: events[{number}].seq is no number from 1 on: {seq!r:.40}", hint=_NUMBER, path=path
            )
        if seq < before:
            raise InvalidDataError(
                f"{path}: events[{number}].seq is {seq} after {before}",
                hint="put the events in order",
                path=path,
            )
        if seq == before and (writer is None or writer in writers):
            raise InvalidDataError(f"{path}: events[{number}].seq is {seq} again", hint=_NUMBER, path=path)
        writers = {*writers, writer} if seq == before else {writer}
        before = seq


_NUMBER = "number the events 1, 2, 3 …"


def _check_ids(path: str, events: Sequence[FileEvent]) -> None:
    seen: dict[tuple[str | None, str], int] = {}
    for number, event in enumerate(events):
        first = seen.setdefault((event.writer, event.id), number)
        if first != number:
            raise InvalidDataError(
                f"{path}: events[{number}].id is that of events[{first}]: {event.id!r}",
                hint="give each event an id of its own, or none",
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
    if kind == "task_created" and isinstance(payload.get("task"), str):
        _task(path, f"events[{number}].payload.task", payload["task"])
    actor = _text(where, path, row, "actor") or "unknown"
    name = _text(where, path, row, "id")
    if name is not None and EVENT_ID.fullmatch(name) is None:
        raise InvalidDataError(f"{where}.id is no event id: {name!r:.60}", path=path)
    code, commit, dirty = row.get("code"), row.get("commit"), row.get("dirty")
    return FileEvent(
        kind,
        at,
        actor,
        payload,
        name or _made_id(number, kind, at, actor, payload),
        _text(where, path, row, "session"),
        code if isinstance(code, str) and is_object_id(code) else None,
        dirty if isinstance(dirty, bool) else None,
        (*_names(where, path, row, "artifacts"), *_names(where, path, row, "not_saved")),
        commit if isinstance(commit, str) and is_object_id(commit) else None,
        _text(where, path, row, "writer"),
    )


def _names(where: str, path: str, row: Mapping[str, Any], field: str) -> list[str]:
    value = row.get(field) or []
    if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
        raise InvalidDataError(f"{where}.{field} must be a list of names, not {value!r:.60}", path=path)
    return value


def _task(path: str, where: str, value: object) -> str | None:
    """A task; sentences of other tools pass, ways out of a folder do not."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not _is_task(value):
        raise InvalidDataError(
            f"{path}: {where} is no task: {value!r:.80}",
            hint="a short slug such as checkout-duplicate-submit",
            path=path,
        )
    return value


def _is_task(text: str) -> bool:
    is_way = (
        text.startswith(("/", "~")) or "\\" in text or any(part.strip() == ".." for part in text.split("/"))
    )
    return len(text) <= 200 and bool(text.strip()) and not is_way and is_one_line(text)


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


def _run_of(path: str, events: tuple[FileEvent, ...], task: str) -> str:
    if not events:
        raise InvalidDataError(
            f"{path}: no events and no run id", hint="there is nothing to import", path=path
        )
    told = f"{events[0].id} {task}".encode("utf-8", "surrogateescape")
    digest = hashlib.blake2b(told, digest_size=5).digest()
    suffix = "".join(CROCKFORD[byte & 31] for byte in digest)
    return f"run-{datetime.fromisoformat(events[0].at):%Y%m%d}-{suffix}"
