"""Writing ``status: challenged`` into memory files: by ``drift --mark`` and by a person's ``challenge``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitmem.errors import InvalidDataError, NotServedError
from gitmem.git.interface import Repository
from gitmem.model.lifecycle import check_move
from gitmem.model.memory import Memory, Status
from gitmem.model.verdict import CHALLENGING, DriftReport, Judgement
from gitmem.store.editing import set_scalar
from gitmem.store.memories import parse_memory, spelling_of
from gitmem.usecases.knowledge import load_knowledge
from gitmem.usecases.subjects import no_such_memory
from gitmem.usecases.work_files import refuse_links, replace_file


@dataclass(frozen=True, slots=True)
class Move:
    """One step of a memory's life that was written."""

    id: str
    file: str
    old: Status
    new: Status
    reason: str


def mark_challenged(repository: Repository, report: DriftReport, now: datetime) -> tuple[str, ...]:
    """Write the mark into the work tree file of each approved memory that drift challenges; give the files written.

    A file that is marked already, is missing in the work tree, or says other words there is left alone.

    Raises:
        NotServedError: Bare repository, or a file lies behind a symbolic link; nothing was written then.
    """
    top = work_tree(repository)
    marked = {}
    for judgement in report.telling:
        if "drift" not in judgement.challenged_by or judgement.proposed:
            continue
        memory = _in_work_tree(top, judgement.file)
        if memory is not None and memory.id == judgement.id and memory.status is Status.ACTIVE:
            marked[judgement.file] = _marked(top, judgement.file, now, because(judgement))
    for file, data in marked.items():
        replace_file(top, file, data)
    return tuple(marked)


def because(judgement: Judgement) -> str:
    """What ``challenged_because`` says: verdict, reason, commit and path of the worst finding."""
    bad = next((found for found in judgement.findings if found.verdict in CHALLENGING), None)
    if bad is None:
        return str(judgement.verdict)
    parts = [
        f"{bad.verdict}: {bad.reason}",
        bad.path or "",
        f"commit {bad.commit[:12]}" if bad.commit else "",
    ]
    return ", ".join(part for part in parts if part)


def challenge(repository: Repository, ids: Sequence[str], reason: str, now: datetime) -> tuple[Move, ...]:
    """Mark memories as challenged because a person says so.

    Raises:
        NotFoundError: An id does not exist.
        LifecycleError: A memory is in a status from which it cannot be challenged.
        NotServedError: No work tree, or the memory's file is not in it, or lies behind a symbolic link.
    """
    top = work_tree(repository)
    knowledge = load_knowledge(repository)
    known = {one.memory.id: one.memory for one in knowledge.memories}
    for wanted in ids:
        if wanted not in known:
            raise no_such_memory(wanted, known, knowledge.problems)
    memories = [in_work_tree(top, known[one]) for one in dict.fromkeys(ids)]
    for memory in memories:
        if memory.status is not Status.CHALLENGED:
            check_move(memory.status, Status.CHALLENGED)
    marked = {memory.file: _marked(top, memory.file, now, reason) for memory in memories}
    for file, data in marked.items():
        replace_file(top, file, data)
    return tuple(Move(one.id, one.file, one.status, Status.CHALLENGED, reason) for one in memories)


def work_tree(repository: Repository) -> Path:
    """Top of the work tree.

    Raises:
        NotServedError: In a bare repository.
    """
    top = repository.layout.work_tree
    if top is None:
        raise NotServedError("a bare repository has no work tree to write to", hint="run it in a clone")
    return top


def in_work_tree(top: Path, memory: Memory) -> Memory:
    """A memory as its file in the work tree says it, to be edited there.

    Raises:
        NotServedError: The file is not there, cannot be read, or lies behind a symbolic link.
    """
    found = _in_work_tree(top, memory.file)
    if found is None or found.id != memory.id:
        raise NotServedError(
            f"{memory.file} is not in the work tree, or cannot be read there",
            hint="check it out, or mend it (gitmem lint says how)",
            path=memory.file,
        )
    return found


def _in_work_tree(top: Path, file: str) -> Memory | None:
    refuse_links(top, file)
    path = top / file
    return parse_memory(file, path.read_bytes()).memory if path.is_file() else None


def _marked(top: Path, file: str, now: datetime, reason: str) -> bytes:
    """The file marked. The moment goes in whole: a confirmation later on the same day must count as newer."""
    fields = (
        ("status", Status.CHALLENGED.value),
        ("challenged_at", now.isoformat(timespec="seconds")),
        ("challenged_because", reason),
    )
    return edited(top, file, fields)


def edited(top: Path, file: str, fields: Sequence[tuple[str, str]]) -> bytes:
    """A memory's file with some of its texts changed, each in the spelling that it has there, all else as it stands.

    Raises:
        InvalidDataError: It cannot be edited so; nothing was written.
    """
    data = (top / file).read_bytes()
    for field, value in fields:
        data = set_scalar(data, spelling_of(file, data, field) or (field,), value, path=file)
    if parse_memory(file, data).memory is None:
        raise InvalidDataError(f"{file} would not load any more; nothing was written", path=file)
    return data
