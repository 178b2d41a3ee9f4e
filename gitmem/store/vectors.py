"""Vectors of texts, one SQLite file for each model under ``gitmem/cache/``: a cache, never a source of truth.

The format
==========

``vectors`` holds a row for each text: its key, and four bytes of checksum with the vector's numbers of length 1 as
packed 32-bit floats. A key is ``blob:<id>`` for all that a memory file says, ``outcome:<session>`` for what came of a
session, and ``text:<digest>`` for a text that is compared on its own. ``notes`` holds the edition, the model's
identity, how many numbers a vector has, how alike unrelated texts are to this model, and the last failure.

Several processes read and write it at once; SQLite's own lock holds them apart. A damaged file is thrown away and
filled anew, a damaged row is no vector. Where the file cannot be written what is made lives in memory.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeVar

FORMAT = 2
"""Raise it whenever the shape or the meaning of what is kept changes."""

_EDITION = f"{FORMAT} {sys.byteorder}"
_MOST_ASKED = 500
_PATIENCE = 1.0
"""Seconds that a process waits for another one's write."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
"""
_IN_MEMORY = ":memory:"
_Found = TypeVar("_Found")


class Failed(NamedTuple):
    """The last time that a provider failed.

    Args:
        at: Seconds since the epoch.
        reason: For people.
        said: When somebody was told so.
    """

    at: float
    reason: str
    said: float


def text_key(text: str) -> str:
    """Key of a text that is compared on its own."""
    from hashlib import sha256

    return f"text:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def vector_file(folder: str | os.PathLike[str], identity: str) -> str:
    """Where the vectors of a model are kept.

    Args:
        folder: The cache folder.
        identity: Of the model (`gitmem.embedding.provider.Provider`).
    """
    name = f"vectors-{zlib.crc32(identity.encode('utf-8', 'surrogatepass')):08x}.sqlite"
    return os.path.join(os.fspath(folder), name)  # noqa: PTH118 - as the other caches


class VectorStore:
    """The vectors of one model; reading and writing never fail.

    Args:
        file: Where they are kept.
        identity: Of the model.
    """

    def __init__(self, file: str, identity: str) -> None:
        self._file = file
        self._identity = identity
        self._connection = self._opened()

    def close(self) -> None:
        self._connection.close()

    def get(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Packed vectors by key, those that are kept whole."""
        wanted = list(dict.fromkeys(keys))

        def read() -> dict[str, bytes]:
            rows = (row for some in _windows(wanted) for row in self._rows(some))
            return {key: packed[4:] for key, packed in rows if _is_whole(packed)}

        return self._done(read, {})

    def put(self, vectors: Mapping[str, array[float]]) -> None:
        """Keep some; those with another number of numbers than the ones kept throw these away."""
        rows = [(key, _checked(one.tobytes())) for key, one in vectors.items()]
        size = next((len(one) for one in vectors.values()), 0)

        def write() -> None:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                if self._note("size") != str(size):
                    self._connection.execute("DELETE FROM vectors")
                    self._connection.execute("REPLACE INTO notes VALUES ('size', ?)", (str(size),))
                self._connection.executemany("REPLACE INTO vectors VALUES (?, ?)", rows)

        if rows:
            self._done(write, None)

    def replace(self, vectors: Mapping[str, array[float]], unrelated: str) -> None:
        """Keep these alone, with what their model says of unrelated texts: all of it or, where it fails, nothing."""
        rows = [(key, _checked(one.tobytes())) for key, one in vectors.items()]
        size = next((len(one) for one in vectors.values()), 0)

        def write() -> None:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("DELETE FROM vectors")
                self._connection.executemany("INSERT INTO vectors VALUES (?, ?)", rows)
                notes = [("size", str(size)), ("unrelated", unrelated)]
                self._connection.executemany("REPLACE INTO notes VALUES (?, ?)", notes)

        self._done(write, None)

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Those of the keys that have no vector, in their order."""
        wanted = list(dict.fromkeys(keys))
        held = self.get(wanted)
        return [key for key in wanted if key not in held]

    @property
    def size(self) -> int:
        """How many numbers a vector has; 0 while none is kept."""
        told = self.note("size") or ""
        return int(told) if told.isdecimal() else 0

    @property
    def count(self) -> int:
        """How many vectors are kept."""
        return self._done(
            lambda: int(self._connection.execute("SELECT count(*) FROM vectors").fetchone()[0]), 0
        )

    def keep_only(self, keys: Collection[str]) -> None:
        """Throw the others away."""
        kept = set(keys)

        def write() -> None:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                held = [key for (key,) in self._connection.execute("SELECT key FROM vectors")]
                gone = [(key,) for key in held if key not in kept]
                self._connection.executemany("DELETE FROM vectors WHERE key = ?", gone)

        self._done(write, None)

    # what is noted of the model
    def note(self, name: str) -> str | None:
        return self._done(lambda: self._note(name), None)

    def set_note(self, name: str, value: str | None) -> None:
        def write() -> None:
            with self._connection:
                if value is None:
                    self._connection.execute("DELETE FROM notes WHERE name = ?", (name,))
                else:
                    self._connection.execute("REPLACE INTO notes VALUES (?, ?)", (name, value))

        self._done(write, None)

    @property
    def failed(self) -> Failed | None:
        """The last failure; None since the provider answered."""
        with suppress(ValueError, TypeError):
            at, reason, said = json.loads(self.note("failed") or "")
            return Failed(float(at), str(reason), float(said))
        return None

    @failed.setter
    def failed(self, failure: Failed | None) -> None:
        self.set_note("failed", json.dumps(failure) if failure is not None else None)

    # the file
    def _rows(self, keys: list[str]) -> Iterator[tuple[str, bytes]]:
        marks = ",".join("?" * len(keys))
        asked = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608 - question marks only
        yield from self._connection.execute(asked, keys)

    def _note(self, name: str) -> str | None:
        found = self._connection.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        return str(found[0]) if found is not None else None

    def _done(self, work: Callable[[], _Found], otherwise: _Found) -> _Found:
        """Do some work; once more on a new file when this one is damaged, and not at all while another process holds it."""
        for _ in range(2):
            try:
                return work()
            except (sqlite3.Error, ValueError, TypeError) as error:
                if _is_busy(error):
                    return otherwise
                self._throw_away()
        return otherwise

    def _opened(self) -> sqlite3.Connection:
        try:
            os.makedirs(os.path.dirname(self._file), exist_ok=True)  # noqa: PTH103, PTH120 - as the other caches
            return self._prepared(self._file)
        except sqlite3.Error as error:
            if _is_damage(error):
                with suppress(OSError, sqlite3.Error):
                    os.unlink(self._file)  # noqa: PTH108 - as the other caches
                    return self._prepared(self._file)
        except OSError:
            pass
        return self._prepared(_IN_MEMORY)

    def _prepared(self, place: str) -> sqlite3.Connection:
        connection = sqlite3.connect(place, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA synchronous = OFF")
            notes = "SELECT count(*) FROM sqlite_master WHERE name IN ('notes', 'vectors')"
            if connection.execute(notes).fetchone()[0] < 2:
                connection.executescript(_SCHEMA)
            told = dict(
                connection.execute("SELECT name, value FROM notes WHERE name IN ('edition', 'identity')")
            )
            wanted = {"edition": _EDITION, "identity": self._identity}
            if told != wanted:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute("DELETE FROM vectors")
                    connection.execute("DELETE FROM notes")
                    connection.executemany("INSERT INTO notes VALUES (?, ?)", wanted.items())
        except BaseException:
            connection.close()
            raise
        return connection

    def _throw_away(self) -> None:
        with suppress(sqlite3.Error):
            self._connection.close()
        with suppress(OSError):
            os.unlink(self._file)  # noqa: PTH108 - as the other caches
        self._connection = self._opened()


def _is_busy(error: Exception) -> bool:
    """Whether the file is whole, and only cannot be written now or by us."""
    return isinstance(error, sqlite3.OperationalError) and any(
        word in str(error) for word in ("locked", "busy", "readonly", "full", "unable to open")
    )


def _is_damage(error: sqlite3.Error) -> bool:
    return isinstance(error, sqlite3.DatabaseError) and not _is_busy(error)


def _windows(values: list[str]) -> Iterator[list[str]]:
    for first in range(0, len(values), _MOST_ASKED):
        yield values[first : first + _MOST_ASKED]


def _checked(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big") + data


def _is_whole(packed: bytes) -> bool:
    return zlib.crc32(packed[4:]).to_bytes(4, "big") == packed[:4]
