"""Artifacts over 1 MiB: named in the event, held by a ref of their own, exchanged only when that is asked for.

The format
==========

In the run's tree stands a pointer instead of the content, so that the event's commit never reaches it and no exchange of
runs sends it; commit ids are the same in every clone, whether it has the content or not::

    gitmem artifact 1
    blob <object id>
    size <bytes>

The event says the same in its field ``large``: ``{name as listed: {"blob", "size"}}``.

``refs/ai/archive/<writer>.artifacts`` holds the contents, so that ``git gc`` keeps them: a row of commits, the tree of
each with ``<last two characters of the run id>/<run>/<object id>`` for all that the writer has saved so far. It is moved
before the event is written. ``gitmem sync --artifacts`` pushes and fetches these refs; without it they stay at home.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.event_commits import put_files
from gitmem.git.program import ProgramRepository
from gitmem.git.several_refs import list_refs
from gitmem.model.ids import is_object_id
from gitmem.store.archive import ARCHIVE, archive_path, held_ref, is_held_ref

LARGEST_IN_TREE = 1 << 20
CURE = "gitmem sync --artifacts in the clone that has it, then here"

_HEAD = b"gitmem artifact 1\n"
_LONGEST = 256


class Pointer(NamedTuple):
    """What stands in the tree for a large artifact: the blob that holds it, and its bytes."""

    oid: str
    size: int


class Content(NamedTuple):
    """Content of an artifact.

    Args:
        size: Bytes; None when nothing of it is known.
        data: None when it is larger than was asked for, or not in this clone.
        elsewhere: Whether it is a large one that this clone does not have.
    """

    size: int | None
    data: bytes | None
    elsewhere: bool = False


def format_pointer(pointer: Pointer) -> bytes:
    return b"%bblob %b\nsize %d\n" % (_HEAD, pointer.oid.encode("ascii"), pointer.size)


def parse_pointer(data: bytes | None) -> Pointer | None:
    """The pointer that some content is; None for any other content."""
    if data is None or len(data) > _LONGEST or not data.startswith(_HEAD):
        return None
    words = data[len(_HEAD) :].decode("ascii", "replace").split("\n")
    oid, size = words[0].removeprefix("blob "), (words[1:2] or [""])[0].removeprefix("size ")
    if not (is_object_id(oid) and size.isascii() and size.isdecimal() and len(size) < 16):
        return None
    pointer = Pointer(oid, int(size))
    return pointer if format_pointer(pointer) == data else None


def read_content(repository: ProgramRepository, oid: str, limit: int | None = None) -> Content:
    """What a blob of a run's tree stands for: its own content, or that of a large artifact.

    Raises:
        InvalidDataError: An object is damaged.
    """
    found = repository.read_blob(oid, limit=limit)
    whole = found if found.data is not None or (found.size or 0) > _LONGEST else repository.read_blob(oid)
    pointer = parse_pointer(whole.data)
    if pointer is None:
        return Content(found.size, found.data)
    if not repository.has(pointer.oid):
        return Content(pointer.size, None, elsewhere=True)
    return Content(pointer.size, repository.read_blob(pointer.oid, limit=limit).data)


def hold(repository: ProgramRepository, writer: str, run: str, oids: Iterable[str]) -> None:
    """Let the writer's ref hold some blobs of a run. The caller holds the clone's lock.

    Raises:
        RaceError: The ref was moved or is locked by somebody else.
    """
    ref = held_ref(writer)
    before = repository.ref(ref)
    tree = (repository.tree_of(before) or "") if before else ""
    there = {entry.oid for entry in repository.list_tree(tree, under=archive_path(run))} if tree else set()
    fresh = set(oids) - there
    if not fresh:
        return
    commit = repository.write_commit(
        tree=put_files(repository, tree, {f"{archive_path(run)}/{oid}": oid for oid in sorted(fresh)}),
        parents=[before] if before else [],
        message=f"hold {len(fresh)} artifact{'s' if len(fresh) > 1 else ''} of {run}\n",
        author=repository.identity(),
    )
    repository.move_ref(ref, commit, old=before)


def held_blobs(repository: ProgramRepository, run: str) -> frozenset[str]:
    """Blobs of a run that refs of this clone say to hold; whether they are here is another question."""
    return frozenset(_held(repository, run))


def _held(repository: ProgramRepository, run: str) -> Iterator[str]:
    for ref, oid in list_refs(repository, ARCHIVE).refs.items():
        if not is_held_ref(ref):
            continue
        try:
            entries = repository.list_tree(oid, under=archive_path(run))
        except GitmemError:
            continue
        yield from (entry.oid for entry in entries)
