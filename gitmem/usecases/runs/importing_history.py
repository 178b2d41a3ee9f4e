"""Import a run with its history: the same commits under the same refs, after a look at everything that says otherwise."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from gitmem.errors import GitmemError, InvalidDataError, NotServedError
from gitmem.git.batch import hash_object
from gitmem.git.bundle import fetch_bundle, read_bundle_refs
from gitmem.git.event_commits import read_commits
from gitmem.git.program import ProgramRepository
from gitmem.model.event import Event
from gitmem.model.ids import is_run_id
from gitmem.store.artifacts import RUN_FILES
from gitmem.store.codec import is_artifact_name
from gitmem.store.judging import judge, node_of
from gitmem.store.large import hold, parse_pointer, read_content
from gitmem.store.ledger import RunLedger
from gitmem.store.locking import clone_lock
from gitmem.store.run_files import BUNDLE, LedgerFile
from gitmem.store.run_reading import ARTIFACTS, run_prefix, run_tips, with_payloads
from gitmem.usecases.runs.files_beside import LARGEST, read_regular
from gitmem.wire.writer import make_writer_id

_REMOVE = f"to import what was edited as new events, remove {BUNDLE}"
_POINTER_BYTES = 256


def import_history(ledger: RunLedger, told: LedgerFile, file: Path, bundle: Path) -> tuple[str, ...]:
    """Import what a bundle holds of a run.

    Returns:
        Files below ``artifacts/`` that the history does not know; they are left out.

    Raises:
        InvalidDataError: A damaged bundle, or a file beside it that says otherwise.
        NotServedError: A ref here holds another history. Nothing is imported then, as with every other error.
    """
    repo = ledger.repository
    refs = _refs(repo, told, file, bundle)
    fetch_bundle(repo, bundle, sorted(refs))
    _compare(told, _events(repo, told.run, refs, bundle), file)
    known = _known_files(repo, refs.values())
    _compare_files(repo, known, file.absolute().parent)
    _move_refs(repo, told.run, refs)
    _take_large(ledger, told.run, file.absolute().parent, refs.values())
    return tuple(sorted(set(_artifacts_beside(file.absolute().parent)) - known.keys()))


def _refs(repo: ProgramRepository, told: LedgerFile, file: Path, bundle: Path) -> dict[str, str]:
    prefix = run_prefix(told.run)
    held = read_bundle_refs(repo, bundle)
    refs = {ref: oid for ref, oid in held.items() if ref.startswith(prefix) and is_run_id(ref[len(prefix) :])}
    if not refs or refs != dict(told.refs):
        raise InvalidDataError(
            f"{bundle}: holds other refs than {file.name} names", hint=_REMOVE, path=str(bundle)
        )
    return refs


def _events(repo: ProgramRepository, run: str, refs: Mapping[str, str], bundle: Path) -> list[Event]:
    nodes = {raw.oid: node_of(raw) for raw in read_commits(repo, list(refs.values()))}
    judged = judge(run_prefix(run), refs, nodes)
    events, lost = with_payloads(repo, judged.events)
    for problem in (*judged.problems, *lost):
        raise InvalidDataError(f"{bundle}: {problem.message}", hint="nothing was imported", path=str(bundle))
    return events


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


def _known_files(repo: ProgramRepository, tips: Iterable[str]) -> dict[str, set[str]]:
    """Blobs by path, whichever writer's tree has them: an export writes one of them."""
    known: dict[str, set[str]] = {}
    for tip in tips:
        for entry in repo.list_tree(tip):
            is_artifact = entry.path.startswith(f"{ARTIFACTS}/") and is_artifact_name(
                entry.path.removeprefix(f"{ARTIFACTS}/")
            )
            if is_artifact or entry.path in RUN_FILES:
                known.setdefault(entry.path, set()).add(entry.oid)
    return known


def _compare_files(repo: ProgramRepository, known: Mapping[str, set[str]], folder: Path) -> None:
    """Refuse a file that was edited; one that was removed is in the history."""
    for path, oids in known.items():
        file = folder / path
        if not os.path.lexists(file):
            continue
        data = read_regular(file, LARGEST, base=folder)
        written = hash_object("blob", data, len(next(iter(oids))))
        if written not in oids and written not in _large(repo, oids):
            raise InvalidDataError(
                f"{file}: not what the history beside it says", hint=_REMOVE, path=str(file)
            )


def _large(repo: ProgramRepository, oids: Iterable[str]) -> Iterator[str]:
    """What pointers among some blobs stand for."""
    for oid in oids:
        pointer = parse_pointer(repo.read_blob(oid, limit=_POINTER_BYTES).data)
        if pointer:
            yield pointer.oid


def _artifacts_beside(folder: Path) -> Iterator[str]:
    for at, _, names in os.walk(folder / ARTIFACTS):
        for name in names:
            yield (Path(at) / name).relative_to(folder).as_posix()


def _move_refs(repo: ProgramRepository, run: str, refs: Mapping[str, str]) -> None:
    """Let the refs hold what the history says; all are looked at before the first one moves."""
    with clone_lock(repo.layout, time.monotonic() + 10.0):
        before = run_tips(repo, run)
        fresh: dict[str, str] = {}
        for ref, oid in refs.items():
            held = before.get(ref)
            base = repo.merge_base(held, oid) if held else None
            if held and base not in {held, oid}:
                raise NotServedError(f"{ref} holds another history here", hint="nothing was overwritten")
            # What this clone archived stays archived.
            if held != oid and base == held:
                fresh[ref] = oid
        for ref, oid in fresh.items():
            repo.move_ref(ref, oid, old=repo.ref(ref))


def _take_large(ledger: RunLedger, run: str, folder: Path, tips: Iterable[str]) -> None:
    """Hold the large artifacts whose contents lie in the folder and are what the history names."""
    repo = ledger.writing()
    held: list[str] = []
    for entry in {entry for tip in tips for entry in repo.list_tree(tip, under=ARTIFACTS)}:
        if not is_artifact_name(entry.path.removeprefix(f"{ARTIFACTS}/")):
            continue
        if not read_content(repo, entry.oid, _POINTER_BYTES).elsewhere:
            continue
        pointer = parse_pointer(repo.read_blob(entry.oid).data)
        try:
            data = read_regular(folder / entry.path, LARGEST, base=folder)
        except GitmemError:
            continue
        if pointer and hash_object("blob", data, len(pointer.oid)) == pointer.oid:
            held.append(repo.write_blob(data))
    if held:
        with clone_lock(repo.layout, time.monotonic() + 10.0):
            hold(repo, make_writer_id(str(repo.layout.common_dir)), run, held)
