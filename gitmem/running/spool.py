"""What a command printed, kept in bounded memory and disk: the beginning and the end, each up to a limit.

The file has no name, lies in the system's folder for temporary files (never in the repository) and only this user can
read it. A full disk or an unwritable folder costs the log and nothing else.
"""

from __future__ import annotations

import os
import tempfile
from typing import BinaryIO, Self

FIRST = 2 * 1024 * 1024
LAST = 6 * 1024 * 1024
_LOOK_FOR_LINE = 64 * 1024


class Spool:
    """A log of up to `first` bytes from the beginning and `last` from the end.

    Attributes:
        size: Bytes that were given.
        failed: Why not all of them could be kept; empty when nothing was in the way.
    """

    def __init__(self, *, first: int = FIRST, last: int = LAST) -> None:
        self.size = 0
        self.failed = ""
        self._first = first
        self._last = last
        self._file: BinaryIO | None = None
        try:
            self._file = tempfile.TemporaryFile(prefix="gitmem-")  # noqa: SIM115 - lives as long as the spool
        except OSError as error:
            self._fail(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, data: bytes) -> None:
        """Keep some more; never raises."""
        rest = memoryview(data)
        while rest and self._file is not None:
            place, room = self._place()
            try:
                written = os.pwrite(self._file.fileno(), rest[:room], place)
            except OSError as error:
                self._fail(error)
                return
            self.size += written
            rest = rest[written:]

    def _place(self) -> tuple[int, int]:
        """Where the next byte goes, and how many may follow it there: the end is a ring behind the beginning."""
        if self.size < self._first:
            return self.size, self._first - self.size
        turn = (self.size - self._first) % self._last
        return self._first + turn, self._last - turn

    def _fail(self, error: OSError) -> None:
        self.failed = error.strerror or str(error)

    def content(self) -> bytes:
        """All of it, or beginning and end with a line between them that says how much is left out.

        The cut is made between lines, so that no half of a secret stays behind where the other half would have
        told what it is.
        """
        if self._file is None:
            return b""
        whole = self._first + self._last
        if self.size <= whole:
            return self._read(0, self.size)
        turn = (self.size - self._first) % self._last
        first = _up_to_line(self._read(0, self._first))
        ring = self._read(self._first, self._last)
        last = _from_line(ring[turn:] + ring[:turn])
        gone = self.size - len(first) - len(last)
        return b"%s\n[gitmem: %d bytes left out here]\n%s" % (first, gone, last)

    def _read(self, start: int, length: int) -> bytes:
        assert self._file is not None
        parts = []
        while length > 0:
            part = os.pread(self._file.fileno(), length, start)
            if not part:
                break
            parts.append(part)
            start += len(part)
            length -= len(part)
        return b"".join(parts)


def _up_to_line(data: bytes) -> bytes:
    near = max(0, len(data) - _LOOK_FOR_LINE)
    cut = data.rfind(b"\n", near)
    cut = cut if cut >= 0 else data.rfind(b" ", near)
    return data[: cut + 1] if cut >= 0 else data


def _from_line(data: bytes) -> bytes:
    cut = data.find(b"\n", 0, _LOOK_FOR_LINE)
    cut = cut if cut >= 0 else data.find(b" ", 0, _LOOK_FOR_LINE)
    return data[cut + 1 :]
