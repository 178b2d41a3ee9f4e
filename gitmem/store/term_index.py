"""An index of documents by their terms in one SQLite file under ``gitmem/cache/``: a cache, never a source of truth.

The format
==========

``terms`` holds a row for each term: the numbers of its documents and how often it occurs in each, as packed arrays.
``documents`` holds for each number its key, its own terms (so that it can be taken out) and its card, any plain value
that the caller shows of it. ``notes`` holds the state that the file stands for, the lengths of the documents by
channel (a channel is a term's first letter), and the heads: one plain value about all of them.

A file is never changed once it stands there. A newer state is written into a copy of it, which only takes in what was
added and out what was removed, and put in its place: readers in other processes keep the file that they opened, no
lock is held, and the last writer wins with a whole file. What cannot be read – damage, another version, another
machine's byte order – is no index, and is built anew. Where the folder cannot be written the index lives in memory.
"""

# pathlib is a slow import, and every recall reads here:
# ruff: noqa: PTH103, PTH105, PTH108, PTH113, PTH120
from __future__ import annotations

import marshal
import os
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from gitmem import __version__

FORMAT = 1
"""Raise it whenever the shape or the meaning of what is kept changes; the version of gitmem is part of it already."""

_EDITION = f"{FORMAT} {__version__} {sys.byteorder} {array('I').itemsize} {marshal.version}"
_SCHEMA = """
CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE documents (number INTEGER PRIMARY KEY, key TEXT NOT NULL, terms BLOB NOT NULL, card BLOB NOT NULL);
CREATE TABLE terms (term TEXT PRIMARY KEY, documents BLOB NOT NULL, counts BLOB NOT NULL) WITHOUT ROWID;
"""
_MOST_ASKED = 500
"""Terms or documents in one question."""

DAMAGE = (sqlite3.Error, ValueError, EOFError, TypeError, IndexError, KeyError, OverflowError)
"""What reading a damaged file may raise; the caller drops the index and builds it anew."""


class Indexed(NamedTuple):
    """What is kept of one document.

    Args:
        terms: How often each term occurs; a term's first letter is its channel.
        card: A plain value that `marshal` takes.
    """

    terms: Mapping[str, int]
    card: Any


class Postings(NamedTuple):
    """The documents of one term by number, and how often it occurs in each."""

    documents: array[int]
    counts: array[int]


class TermIndex:
    """An index that stands for one state. Reading a damaged one raises what `DAMAGE` names.

    Args:
        connection: The open file.
        state: What it stands for.
    """

    def __init__(self, connection: sqlite3.Connection, state: str) -> None:
        self._connection = connection
        self.state = state
        self._lengths: dict[str, array[int]] | None = None

    def close(self) -> None:
        self._connection.close()

    @property
    def heads(self) -> Any:
        """What `renewed` was given about all documents, by number."""
        return _unpacked(self._note("heads"))

    @property
    def keys(self) -> dict[str, int]:
        """Number by key."""
        return {key: number for number, key in self._connection.execute("SELECT number, key FROM documents")}

    def lengths(self, channel: str) -> array[int]:
        """Length of each document in a channel by number; numbers that stand for none have 0."""
        return self._all_lengths().get(channel, array("I"))

    @property
    def count(self) -> int:
        """How many documents there are."""
        return int(_unpacked(self._note("count")))

    def postings(self, terms: Iterable[str]) -> Iterator[tuple[str, Postings]]:
        """Those of the terms that occur, each once, in order of the term."""
        for term, documents, counts in self._asked(terms, "term, documents, counts"):
            yield term, Postings(_array(documents), _array(counts))

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many documents each of the terms occurs; those that occur in none are left out."""
        size = array("I").itemsize
        return {term: length // size for term, length in self._asked(terms, "term, length(documents)")}

    def cards(self, numbers: Iterable[int] | None = None) -> Iterator[tuple[int, Any]]:
        """Cards by number; of all documents when none are named."""
        if numbers is None:
            for number, card in self._connection.execute(
                "SELECT number, card FROM documents ORDER BY number"
            ):
                yield number, _unpacked(card)
            return
        for some in _windows(sorted(set(numbers))):
            marks = ",".join("?" * len(some))
            asked = f"SELECT number, card FROM documents WHERE number IN ({marks})"  # noqa: S608 - question marks only
            for number, card in self._connection.execute(asked, some):
                yield number, _unpacked(card)

    def _asked(self, terms: Iterable[str], columns: str) -> Iterator[tuple[Any, ...]]:
        for some in _windows(sorted(set(terms))):
            marks = ",".join("?" * len(some))
            asked = f"SELECT {columns} FROM terms WHERE term IN ({marks}) ORDER BY term"  # noqa: S608 - question marks only
            yield from self._connection.execute(asked, some)

    def _all_lengths(self) -> dict[str, array[int]]:
        if self._lengths is None:
            held = _unpacked(self._note("lengths"))
            self._lengths = {channel: _array(data) for channel, data in held.items()}
        return self._lengths

    def _note(self, name: str) -> bytes:
        found = self._connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
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
        if bytes(told["edition"]).decode() == _EDITION and state in (None, held.state):
            return held
    except DAMAGE:
        pass
    if connection is not None:
        connection.close()
    return None


class Wanted(NamedTuple):
    """What an index has to hold.

    Args:
        state: What it stands for then.
        keys: The documents; a key names all that a document's terms and card depend on.
        index_of: Makes one of them.
        heads_of: Makes the heads of the number by key.
    """

    state: str
    keys: Collection[str]
    index_of: Callable[[str], Indexed]
    heads_of: Callable[[Mapping[str, int]], Any]


def renewed(file: str, wanted: Wanted, *, old: TermIndex | None = None) -> TermIndex:
    """An index of exactly some documents, from an older one where most of it stands.

    Args:
        file: Where it is kept, if it can be; empty keeps none.
        wanted: The documents; those alone are made that `old` does not have.
        old: An older index of that file.

    Returns:
        The index, opened for reading; in memory when it cannot be written.
    """
    try:
        return _renewed(file or _IN_MEMORY, wanted, old)
    except DAMAGE:  # of the older one
        if old is None:
            raise
        return renewed(file, wanted)
    except OSError:  # the file cannot be put in its place
        return _renewed(_IN_MEMORY, wanted, None)


def _renewed(file: str, wanted: Wanted, old: TermIndex | None) -> TermIndex:
    known = old.keys if old is not None else {}
    keys = set(wanted.keys)
    gone = {key: number for key, number in known.items() if key not in keys}
    added = sorted(keys.difference(known))
    if old is not None and (2 * len(gone) > len(known) or 2 * len(added) > len(keys)):
        old, known, gone, added = None, {}, {}, sorted(keys)
    made = {key: wanted.index_of(key) for key in added}
    with _temporary(file) as place:
        connection = sqlite3.connect(place, isolation_level=None)
        try:
            _begin(connection, old)
            numbers = _change(connection, known, gone, made, old)
            notes = {
                "edition": _EDITION.encode(),
                "state": wanted.state.encode(),
                "heads": _packed(wanted.heads_of(numbers)),
            }
            connection.executemany("REPLACE INTO notes VALUES (?, ?)", notes.items())
            connection.execute("COMMIT")
        except BaseException:
            connection.close()
            raise
        if place == _IN_MEMORY:
            return TermIndex(connection, wanted.state)
        connection.close()
        os.replace(place, file)
    held = load_index(file, wanted.state)
    if held is not None:
        return held
    return _renewed(_IN_MEMORY, wanted, None)  # another process was quicker


_IN_MEMORY = ":memory:"


@contextmanager
def _temporary(file: str) -> Iterator[str]:
    """A path beside the file to write to, or the name of a database in memory."""
    place = f"{file}.{os.getpid()}.{os.urandom(4).hex()}.tmp"
    try:
        if file == _IN_MEMORY:
            place = file
        else:
            os.makedirs(os.path.dirname(file), exist_ok=True)
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError:  # no right to write, or no room
        place = _IN_MEMORY
    try:
        yield place
    finally:
        if place != _IN_MEMORY:
            with suppress(OSError):
                os.unlink(place)


def _begin(connection: sqlite3.Connection, old: TermIndex | None) -> None:
    if old is not None:
        old._connection.backup(connection)  # noqa: SLF001 - the same class
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    if old is None:
        connection.executescript(_SCHEMA)
    connection.execute("BEGIN")


def _change(
    connection: sqlite3.Connection,
    known: Mapping[str, int],
    gone: Mapping[str, int],
    made: Mapping[str, Indexed],
    old: TermIndex | None,
) -> dict[str, int]:
    """Take documents out and put others in; returns the number by key."""
    first = max(known.values(), default=-1) + 1
    numbers = {key: first + place for place, key in enumerate(made)}
    removed = _terms_of(connection, gone.values())
    added: dict[str, dict[int, int]] = {}
    for key, document in made.items():
        for term, count in document.terms.items():
            added.setdefault(term, {})[numbers[key]] = count
    _rewrite(connection, removed, added, is_new=old is None)
    connection.executemany("DELETE FROM documents WHERE number = ?", [(number,) for number in gone.values()])
    rows = [(numbers[key], key, _packed(dict(one.terms)), _packed(one.card)) for key, one in made.items()]
    connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?)", rows)
    left = {key: number for key, number in known.items() if key not in gone}
    _count(connection, old, gone.values(), {numbers[key]: one.terms for key, one in made.items()}, len(left))
    return left | numbers


def _terms_of(connection: sqlite3.Connection, numbers: Collection[int]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for number in numbers:
        (held,) = connection.execute("SELECT terms FROM documents WHERE number = ?", (number,)).fetchone()
        for term in _unpacked(held):
            found.setdefault(term, set()).add(number)
    return found


def _rewrite(
    connection: sqlite3.Connection,
    removed: Mapping[str, set[int]],
    added: Mapping[str, Mapping[int, int]],
    *,
    is_new: bool,
) -> None:
    rows: list[tuple[str, bytes, bytes]] = []
    empty: list[tuple[str]] = []
    for term in sorted({*removed, *added}):
        held = (
            None
            if is_new
            else connection.execute("SELECT documents, counts FROM terms WHERE term = ?", (term,)).fetchone()
        )
        pairs = dict(zip(_array(held[0]), _array(held[1]), strict=True)) if held is not None else {}
        pairs = {number: count for number, count in pairs.items() if number not in removed.get(term, ())}
        pairs |= added.get(term, {})
        if pairs:
            rows.append((term, array("I", pairs).tobytes(), array("I", pairs.values()).tobytes()))
        else:
            empty.append((term,))
    connection.executemany("REPLACE INTO terms VALUES (?, ?, ?)", rows)
    connection.executemany("DELETE FROM terms WHERE term = ?", empty)


def _count(
    connection: sqlite3.Connection,
    old: TermIndex | None,
    gone: Iterable[int],
    added: Mapping[int, Mapping[str, int]],
    left: int,
) -> None:
    """Write how many documents there are, and how long each is in each channel."""
    lengths = {channel: array("I", held) for channel, held in old._all_lengths().items()} if old else {}  # noqa: SLF001 - the same module
    for number in gone:
        for held in lengths.values():
            if number < len(held):
                held[number] = 0
    for number, terms in added.items():
        for term, count in terms.items():
            held = lengths.setdefault(term[0], array("I"))
            held.extend([0] * (number + 1 - len(held)))
            held[number] += count
    plain = {channel: held.tobytes() for channel, held in lengths.items()}
    notes = {"count": _packed(left + len(added)), "lengths": _packed(plain)}
    connection.executemany("REPLACE INTO notes VALUES (?, ?)", notes.items())


def _windows(values: list[Any]) -> Iterator[list[Any]]:
    for first in range(0, len(values), _MOST_ASKED):
        yield values[first : first + _MOST_ASKED]


def _array(data: bytes) -> array[int]:
    held = array("I")
    held.frombytes(data)
    return held


def _packed(value: Any) -> bytes:
    data = marshal.dumps(value)
    return zlib.crc32(data).to_bytes(4, "big") + data


def _unpacked(data: bytes) -> Any:
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
