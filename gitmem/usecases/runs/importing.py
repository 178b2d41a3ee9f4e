"""Read runs from plain files (`gitmem.store.run_files`): the same commits where the history is there, else new events."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gitmem.errors import GitmemError, InvalidDataError, NotFoundError, NotServedError, UsageError
from gitmem.git.batch import hash_object
from gitmem.git.event_commits import read_commits
from gitmem.git.transport import fetch_objects, fetch_refs, list_remote
from gitmem.model.event import Event, text_field
from gitmem.model.ids import is_run_id, is_task
from gitmem.store.codec import is_artifact_name
from gitmem.store.judging import judge, node_of
from gitmem.store.large import hold, parse_pointer, read_content
from gitmem.store.ledger import RunLedger
from gitmem.store.locking import clone_lock
from gitmem.store.run_files import BUNDLE, LARGEST_LEDGER, LEDGER, FileEvent, LedgerFile, parse_ledger
from gitmem.store.run_reading import ARTIFACTS, run_prefix, run_tips, with_payloads
from gitmem.usecases.runs.exporting import RUNS_FOLDER
from gitmem.wire.writer import make_writer_id

LARGEST_ARTIFACT = 64 * 1024 * 1024


def import_runs(ledger: RunLedger, source: Path | None = None) -> tuple[str, ...]:
    """Import a folder, a ``ledger.json``, or every folder of ``.ai/runs``.

    Returns:
        Ids of the runs; importing again gives the same ones and doubles nothing.

    Raises:
        NotFoundError: Nothing to import there.
        InvalidDataError: A file that cannot be read, or a history that is not what the ledger says; nothing is written.
        NotServedError: A ref here holds another history.
    """
    return tuple(_import(ledger, file) for file in _ledgers(ledger, source))


def _ledgers(ledger: RunLedger, source: Path | None) -> tuple[Path, ...]:
    if source is not None:
        file = source / LEDGER if source.is_dir() else source
        if not file.exists():
            raise NotFoundError(f"no such file: {file}", hint=f"name a folder with {LEDGER}, or the file")
        return (file,)
    top = ledger.repository.layout.work_tree
    found = sorted((top / RUNS_FOLDER).glob(f"*/{LEDGER}")) if top else []
    if not found:
        raise NotFoundError(f"no exported run in {RUNS_FOLDER}", hint="name a folder or a ledger.json")
    return tuple(found)


def _import(ledger: RunLedger, file: Path) -> str:
    told = parse_ledger(str(file), _read(file, LARGEST_LEDGER))
    bundle = file.with_name(BUNDLE)
    if told.refs and bundle.exists() and not bundle.is_symlink():
        _same_commits(ledger, told, file, bundle)
    else:
        _new_events(ledger, told, file)
    return told.run


def _same_commits(ledger: RunLedger, told: LedgerFile, file: Path, bundle: Path) -> None:
    repo = ledger.repository
    prefix = run_prefix(told.run)
    where = str(bundle.resolve())
    refs = {
        ref: oid
        for ref, oid in list_remote(repo, where, [f"{prefix}*"]).items()
        if is_run_id(ref[len(prefix) :])
    }
    if refs != dict(told.refs):
        raise InvalidDataError(
            f"{bundle}: holds other refs than {file.name} names", hint=_REMOVE, path=str(bundle)
        )
    fetch_objects(repo, where, sorted(refs))
    nodes = {raw.oid: node_of(raw) for raw in read_commits(repo, list(refs.values()))}
    judged = judge(prefix, refs, nodes)
    events, lost = with_payloads(repo, judged.events)
    for problem in (*judged.problems, *lost):
        raise InvalidDataError(f"{bundle}: {problem.message}", hint="nothing was imported", path=str(bundle))
    _compare(told, events, file)
    before = run_tips(repo, told.run)
    # What this clone archived stays archived.
    reason = fetch_refs(repo, where, sorted(ref for ref, oid in refs.items() if before.get(ref) != oid))
    here = run_tips(repo, told.run)
    for ref, oid in refs.items():
        held = here.get(ref)
        if held != oid and (held is None or repo.merge_base(held, oid) != oid):
            raise NotServedError(
                f"{ref} holds another history here: {reason}", hint="nothing was overwritten"
            )
    _take_large(ledger, told.run, file.parent, refs.values())


def _take_large(ledger: RunLedger, run: str, folder: Path, tips: Iterable[str]) -> None:
    """Hold the large artifacts whose contents lie in the folder and are what the history names."""
    repo = ledger.writing()
    held: list[str] = []
    for entry in {entry for tip in tips for entry in repo.list_tree(tip, under=ARTIFACTS)}:
        found = read_content(repo, entry.oid)
        if not found.elsewhere or not is_artifact_name(entry.path.removeprefix(f"{ARTIFACTS}/")):
            continue
        pointer = parse_pointer(repo.read_blob(entry.oid).data)
        try:
            data = _read(folder / entry.path, LARGEST_ARTIFACT, base=folder)
        except (GitmemError, OSError):
            continue
        if (
            pointer
            and len(data) == pointer.size
            and hash_object("blob", data, len(pointer.oid)) == pointer.oid
        ):
            held.append(repo.write_blob(data))
    if held:
        with clone_lock(repo.layout, time.monotonic() + 10.0):
            hold(repo, make_writer_id(str(repo.layout.common_dir)), run, held)


_REMOVE = f"to import an edited ledger as new events, remove {BUNDLE}"


def _compare(told: LedgerFile, events: list[Event], file: Path) -> None:
    """Refuse a ledger that was edited while the history beside it was not."""
    if len(told.events) != len(events):
        raise InvalidDataError(
            f"{file}: {len(told.events)} events, the history beside it has {len(events)}",
            hint=_REMOVE,
            path=str(file),
        )
    for number, (ours, theirs) in enumerate(zip(told.events, events, strict=True)):
        pairs = ((ours.commit, theirs.commit), (ours.type, theirs.type), (ours.actor, theirs.actor))
        if any(one != other for one, other in pairs) or dict(ours.payload) != _as_json(theirs.payload):
            raise InvalidDataError(
                f"{file}: events[{number}] is not what the history beside it says",
                hint=_REMOVE,
                path=str(file),
            )


def _as_json(payload: Mapping[str, object]) -> object:
    """A payload as it looks after a way through JSON, which has no surrogate bytes."""
    import json

    return json.loads(json.dumps(payload, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def _new_events(ledger: RunLedger, told: LedgerFile, file: Path) -> None:
    run = ledger.run(told.run)
    if not any(event.type == "task_created" for event in told.events):
        task = told.task or file.parent.name
        if is_task(task):
            first = told.events[0] if told.events else None
            run.append(
                event_type="task_created",
                actor="gitmem",
                payload={"task": task},
                id=f"import-{told.run}",
                at=first.at if first else "",
            )
    for number, event in enumerate(told.events):
        try:
            run.append(
                event_type=event.type,
                actor=event.actor,
                payload=event.payload,
                id=event.id,
                session=event.session,
                code=event.code,
                at=event.at,
                artifacts=dict(_artifacts(event, file.parent)),
            )
        except UsageError as error:
            raise InvalidDataError(
                f"{file}: events[{number}]: {error.message}", hint=error.hint, path=str(file)
            ) from error


def _artifacts(event: FileEvent, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Content of what an event names, where it lies beside the ledger; what does not is only named."""
    named = text_field(event.payload, "artifact")
    for name in dict.fromkeys([*event.artifacts, *([named] if named else [])]):
        plain = name.removeprefix(f"{ARTIFACTS}/")
        if not is_artifact_name(plain):
            continue
        for base in (folder / ARTIFACTS, folder):
            try:
                yield plain.rpartition("/")[2], _read(base / plain, LARGEST_ARTIFACT, base=base)
            except (GitmemError, OSError):
                continue
            break


def _read(file: Path, limit: int, *, base: Path | None = None) -> bytes:
    """Content of a regular file, through no link below `base`.

    Raises:
        InvalidDataError: A link, no regular file, or over the limit.
    """
    parts = [file, *file.parents][: len(file.relative_to(base).parts) if base else 1]
    if any(part.is_symlink() for part in parts):
        raise InvalidDataError(f"{file} is a symbolic link, which gitmem does not follow", path=str(file))
    with open(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:  # noqa: PTH123 - a descriptor
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise InvalidDataError(f"{file} is no regular file", path=str(file))
        if status.st_size > limit:
            raise InvalidDataError(
                f"{file}: {status.st_size} bytes, over the limit of {limit}", path=str(file)
            )
        return stream.read()
