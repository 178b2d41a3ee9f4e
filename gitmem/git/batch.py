"""One ``git cat-file --batch`` child that answers for many objects.

Requests are written in windows small enough for any pipe, so neither side ever waits for the other, and each window
is read whole before anything is given out: a caller that stops half way leaves no answer behind in the pipe.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gitmem.errors import GitFailedError, InvalidDataError
from gitmem.wire.spawn import stop_git

WINDOW = 96
_CHUNK = 1 << 18

Start = Callable[[], tuple[int, int, int]]


class Answer(NamedTuple):
    """One object: its id (what was asked for when missing), its type or ``missing``, and its content if asked for."""

    oid: str
    kind: str
    size: int
    data: bytes


class CatFile:
    """The child, started at the first question.

    Args:
        start: Starts it; gives process id, descriptor to write to, descriptor to read from.
        contents: Whether it prints contents (``--batch``) or only headers (``--batch-check``).
    """

    def __init__(self, start: Start, *, contents: bool) -> None:
        self._start = start
        self._contents = contents
        self._buffer = b""
        self._position = 0
        self._owner = os.getpid()
        self._child: tuple[int, int, int] | None = None
        self._finalizer: weakref.finalize[[int, int, int], CatFile] | None = None

    def ask(self, names: Sequence[str]) -> Iterator[Answer]:
        """Answers in the order asked. Names are object ids, or an id with ``^{commit}``."""
        for first in range(0, len(names), WINDOW):
            yield from self._window(names[first : first + WINDOW])

    def close(self) -> None:
        if self._finalizer is not None:
            self._finalizer()
        self._child = self._finalizer = None
        self._buffer = b""
        self._position = 0

    def _window(self, names: Sequence[str]) -> list[Answer]:
        try:
            _, requests, _ = self._running()
            waiting = memoryview("".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape"))
            while waiting:
                waiting = waiting[os.write(requests, waiting) :]
            return [self._answer(name) for name in names]
        except OSError as error:
            self.close()
            raise GitFailedError(f"git cat-file ended early: {error}", hint="run it again") from error
        except BaseException:  # interrupted between two answers: what is left in the pipe is of no use
            self.close()
            raise

    def _running(self) -> tuple[int, int, int]:
        if self._owner != os.getpid():  # after a fork the pipes are still the parent's
            self.close()
        if self._child is None:
            self._owner = os.getpid()
            self._child = self._start()
            self._finalizer = weakref.finalize(self, stop_git, *self._child)
        return self._child

    def _answer(self, name: str) -> Answer:
        header = self._line().decode("utf-8", "surrogateescape")
        if header.endswith((" missing", " ambiguous")):
            return Answer(name, "missing", 0, b"")
        oid, kind, size = header.rsplit(" ", 2)
        data = self._exactly(int(size) + 1)[:-1] if self._contents else b""
        if self._contents and hash_object(kind, data, len(oid)) != oid:
            raise InvalidDataError(f"damaged object {oid}", hint="git fsck --full tells more")
        return Answer(oid, kind, int(size), data)

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n", self._position)) < 0:
            self._fill()
        line = self._buffer[self._position : end]
        self._position = end + 1
        return line

    def _exactly(self, size: int) -> bytes:
        have = len(self._buffer) - self._position
        if have >= size:
            data = self._buffer[self._position : self._position + size]
            self._position += size
            return data
        chunks = [self._buffer[self._position :]]
        self._buffer, self._position = b"", 0
        while have < size:
            chunks.append(self._read(min(_CHUNK, size - have)))
            have += len(chunks[-1])
        return b"".join(chunks)

    def _fill(self) -> None:
        self._buffer = self._buffer[self._position :] + self._read(_CHUNK)
        self._position = 0

    def _read(self, size: int) -> bytes:
        _, _, answers = self._running()
        chunk = os.read(answers, size)
        if not chunk:
            raise GitFailedError(
                "git cat-file ended early; an object may be damaged", hint="git fsck --full tells which"
            )
        return chunk


def hash_object(kind: str, data: bytes, id_length: int) -> str:
    """The id that a content has; git itself checks it in fsck alone, not when it reads."""
    import hashlib

    header = f"{kind} {len(data)}\0".encode("ascii")
    digest = hashlib.sha1(header, usedforsecurity=False) if id_length == 40 else hashlib.sha256(header)
    digest.update(data)
    return digest.hexdigest()
