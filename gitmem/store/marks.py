"""What a cached fold stands for, one record of `RECORD` bytes for each event, in a file that only grows.

A record is the first bytes of a hash of writer and event id, then the first bytes of the commit id. A look costs a
search through mapped memory and a new event one short write, however long the run is. Like all of the cache it is thrown
away as soon as anything is odd.
"""

from __future__ import annotations

import fcntl
import hashlib
import mmap
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from gitmem.model.event import Event

MARK = 8
RECORD = 2 * MARK
_HEX = "[0-9a-f]" * 16  # so that run-a does not take the files of run-a-b for its own


def mark_of(writer: str, event_id: str) -> bytes:
    """What stands for the id of an event among those of its writer."""
    text = f"{writer} {event_id}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=MARK).digest()


@dataclass(frozen=True, slots=True)
class Marks:
    """The records of some events.

    Args:
        kept: Those that lie in a file.
        length: Bytes of them that count; the file may have grown since.
        added: Those that do not lie there yet.
        name: The file's name; empty when there is none.
    """

    kept: mmap.mmap | bytes = b""
    length: int = 0
    added: bytes = b""
    name: str = ""

    def with_events(self, events: list[Event]) -> Self:
        records = b"".join(
            mark_of(event.writer, event.id) + bytes.fromhex(event.commit[: 2 * MARK]) for event in events
        )
        return type(self)(self.kept, self.length, self.added + records, self.name)

    def may_have_id(self, writer: str, event_id: str) -> bool:
        return self._has(mark_of(writer, event_id), 0)

    def has_commit(self, oid: str) -> bool:
        """Whether it is among them, but for a chance of one in 2^64 for each."""
        return self._has(bytes.fromhex(oid[: 2 * MARK]), MARK)

    def _has(self, mark: bytes, offset: int) -> bool:
        return _found(self.added, len(self.added), mark, offset) or _found(
            self.kept, self.length, mark, offset
        )


def load_marks(folder: Path, name: str, length: int) -> Marks:
    """Records that were kept.

    Raises:
        OSError, ValueError: The file is gone or too short.
    """
    if not length:
        return Marks()
    with (folder / name).open("rb") as stream:
        kept = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    if len(kept) < length:
        raise ValueError(f"{name} is cut short")
    return Marks(kept, length, b"", name)


def save_marks(folder: Path, prefix: str, marks: Marks) -> tuple[str, int]:
    """Keep the records: behind those in the file when nobody else added to it meanwhile, else in a new file.

    Returns:
        Name and length, for `load_marks`.

    Raises:
        OSError: It cannot be written.
    """
    length = marks.length + len(marks.added)
    if not marks.added or (marks.name and _appended(folder / marks.name, marks)):
        return marks.name, length
    name = f"{prefix}-{os.urandom(8).hex()}.marks"
    with open(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:  # noqa: PTH123 - a descriptor
        stream.write(bytes(marks.kept[: marks.length]) + marks.added)
    return name, length


def remove_other_marks(folder: Path, prefix: str, name: str) -> None:
    """Remove files that no fold of the run names any more; who has one open keeps it."""
    for file in folder.glob(f"{prefix}-{_HEX}.marks"):
        if file.name != name:
            file.unlink(missing_ok=True)


def _appended(file: Path, marks: Marks) -> bool:
    try:
        with file.open("ab") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX)
            if os.fstat(stream.fileno()).st_size != marks.length:
                return False
            stream.write(marks.added)
    except FileNotFoundError:
        return False
    return True


def _found(held: mmap.mmap | bytes, length: int, mark: bytes, offset: int) -> bool:
    place = held.find(mark, 0, length)
    while place >= 0 and place % RECORD != offset:
        place = held.find(mark, place + 1, length)
    return place >= 0
