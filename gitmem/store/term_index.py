"""An index of documents by their terms in one SQLite file under ``gitmem/cache/``: a cache, never a source of truth.

The format
==========

``terms`` holds a row for each term: the numbers of its documents and how often it occurs in each, as packed arrays.
``documents`` holds for each number its key, its own terms where its card does not tell them (so that it can be taken out) and its card, any plain value
that the caller shows of it. ``notes`` holds the state that the file stands for, the lengths of the documents by
channel (a channel is a term's first letter), and the heads: one plain value about all of them.

A file is never changed once it stands there. A newer state is written into a copy of it, which only takes in what was
added and out what was removed, and put in its place: readers in other processes keep the file that they opened, no
lock is held, and the last writer wins with a whole file. What cannot be read – damage, another version, another
machine's byte order – is no index, and is built anew. Where the folder cannot be written the index lives in memory.
"""

# pathlib is a slow import, and every recall reads here:
# ruff: noqa: PTH113
from __future__ import annotations

import marshal
import os
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from gitmem import __version__

FORMAT = 3
"""Raise it whenever the shape or the meaning of what is kept changes; the version of gitmem is part of it already."""

EDITION = f"{FORMAT} {__version__} {sys.byteorder} {array('I').itemsize} {marshal.version}"
_MOST_ASKED = 500
"""Terms or documents in one question."""

DAMAGE = (sqlite3.Error, ValueError, EOFError, TypeError, IndexError, KeyError, OverflowError)
"""What reading a damaged file may raise; the caller drops the index and builds it anew."""


class Postings(NamedTuple):
    """The documents of one term by number, and how often it occurs in each."""

    documents: array[int]
    counts: array[int]


def as_bytes(text: str) -> bytes:
    """Terms and keys as they are kept: of paths and arguments, they may hold bytes that are no UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def as_text(kept: bytes) -> str:
    return kept.decode("utf-8", "surrogatepass")


class TermIndex:
    """An index that stands for one state. Reading a damaged one raises what `DAMAGE` names.

    Args:
        connection: The open file.
        state: What it stands for.
    """

    def __init__(self, connection: sqlite3.Connection, state: str) -> None:
        self.connection = connection
        self.state = state
        self._lengths: dict[str, array[int]] | None = None

    def close(self) -> None:
        self.connection.close()

    @property
    def heads(self) -> Any:
        """What `renewed` was given about all documents, by number."""
        return unpacked(self._note("heads"))

    @property
    def keys(self) -> dict[str, int]:
        """Number by key."""
        rows = self.connection.execute("SELECT number, key FROM documents")
        return {as_text(key): number for number, key in rows}

    def keys_of(self, numbers: Iterable[int]) -> dict[int, str]:
        """Keys of some documents by number."""
        found: dict[int, str] = {}
        for some in _windows(sorted(set(numbers))):
            marks = ",".join("?" * len(some))
            asked = f"SELECT number, key FROM documents WHERE number IN ({marks})"  # noqa: S608 - question marks only
            found.update((number, as_text(key)) for number, key in self.connection.execute(asked, some))
        return found

    def lengths(self, channel: str) -> array[int]:
        """Length of each document in a channel by number; numbers that stand for none have 0."""
        return self.all_lengths().get(channel, array("I"))

    @property
    def count(self) -> int:
        """How many documents there are."""
        return int(unpacked(self._note("count")))

    def postings(self, terms: Iterable[str]) -> Iterator[tuple[str, Postings]]:
        """Those of the terms that occur, each once, in order of the term."""
        for term, documents, counts in self._asked(terms, "term, documents, counts"):
            yield as_text(term), Postings(as_array(documents), as_array(counts))

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many documents each of the terms occurs; those that occur in none are left out."""
        size = array("I").itemsize
        return {
            as_text(term): length // size for term, length in self._asked(terms, "term, length(documents)")
        }

    def cards(self, numbers: Iterable[int] | None = None) -> Iterator[tuple[int, Any]]:
        """Cards by number; of all documents when none are named."""
        if numbers is None:
            for number, card in self.connection.execute("SELECT number, card FROM documents ORDER BY number"):
                yield number, unpacked(card)
            return
        for some in _windows(sorted(set(numbers))):
            marks = ",".join("?" * len(some))
            asked = f"SELECT number, card FROM documents WHERE number IN ({marks})"  # noqa: S608 - question marks only
            for number, card in self.connection.execute(asked, some):
                yield number, unpacked(card)

    def _asked(self, terms: Iterable[str], columns: str) -> Iterator[tuple[Any, ...]]:
        for some in _windows(sorted(map(as_bytes, set(terms)))):
            marks = ",".join("?" * len(some))
            asked = f"SELECT {columns} FROM terms WHERE term IN ({marks}) ORDER BY term"  # noqa: S608 - question marks only
            yield from self.connection.execute(asked, some)

    def all_lengths(self) -> dict[str, array[int]]:
        """Lengths by channel."""
        if self._lengths is None:
            held = unpacked(self._note("lengths"))
            self._lengths = {channel: as_array(data) for channel, data in held.items()}
        return self._lengths

    def _note(self, name: str) -> bytes:
        found = self.connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        if found is None:
            raise KeyError(name)
        data: bytes = found[0]
        return data


def load_index(file: str, state: str | None = None) -> TermIndex | None:
    """The index that a file holds; None when there is none that can be read, or it stands for another state.

    Args:
        file: Where it lies.
        state: What it must stand for; any when None.
    """
    if not os.path.isfile(file):
        return None
    connection = None
    try:
        connection = sqlite3.connect(f"file:{_quoted(file)}?mode=ro&immutable=1", uri=True)
        told = dict(connection.execute("SELECT name, value FROM notes WHERE name IN ('edition', 'state')"))
        held = TermIndex(connection, bytes(told["state"]).decode())
        if bytes(told["edition"]).decode() == EDITION and state in (None, held.state):
            return held
    except DAMAGE:
        pass
    if connection is not None:
        connection.close()
    return None


def _windows(values: list[Any]) -> Iterator[list[Any]]:
    for first in range(0, len(values), _MOST_ASKED):
        yield values[first : first + _MOST_ASKED]


def as_array(data: bytes) -> array[int]:
    held = array("I")
    held.frombytes(data)
    return held


def unpacked(data: bytes) -> Any:
    """The value; marshal itself must not be shown damaged bytes.

    Raises:
        ValueError: When it is not whole.
    """
    if zlib.crc32(data[4:]).to_bytes(4, "big") != data[:4]:
        raise ValueError("not whole")
    return marshal.loads(data[4:])  # noqa: S302 - this clone wrote it under its own git directory, with a checksum


def _quoted(file: str) -> str:
    """A path inside a ``file:`` address."""
    return "".join(
        letter
        if letter.isascii() and (letter.isalnum() or letter in "/._-")
        else "".join(f"%{byte:02x}" for byte in os.fsencode(letter))
        for letter in file
    )
