"""Writing the file of `gitmem.store.term_index`: a copy of the older one with what is new, put in its place."""

# pathlib is a slow import:
# ruff: noqa: PTH103, PTH105, PTH108, PTH120
from __future__ import annotations

import marshal
import os
import sqlite3
import time
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from gitmem.store.term_index import DAMAGE, EDITION, TermIndex, as_array, as_bytes, load_index, unpacked

_SCHEMA = """
CREATE TABLE notes (name TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE documents (number INTEGER PRIMARY KEY, key BLOB NOT NULL, terms BLOB NOT NULL, card BLOB NOT NULL);
CREATE TABLE terms (term BLOB PRIMARY KEY, documents BLOB NOT NULL, counts BLOB NOT NULL) WITHOUT ROWID;
"""


class Indexed(NamedTuple):
    """What is kept of one document.

    Args:
        terms: How often each term occurs; a term's first letter is its channel.
        card: A plain value that `marshal` takes.
    """

    terms: Mapping[str, int]
    card: Any


class Wanted(NamedTuple):
    """What an index has to hold.

    Args:
        state: What it stands for then.
        keys: The documents; a key names all that a document's terms and card depend on.
        index_of: Makes any one of them, also one that an older index has: it may be dropped.
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
    except DAMAGE as error:
        if old is not None:  # which is damaged; what fails without it as well is no damage
            return renewed(file, wanted)
        if not file or not isinstance(error, sqlite3.Error):
            raise
        return _renewed(_IN_MEMORY, wanted, None)  # there is no room for the file
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
                "edition": EDITION.encode(),
                "state": as_bytes(wanted.state),
                "heads": packed(wanted.heads_of(numbers)),
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
            _sweep(file)
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError:  # no right to write, or no room
        place = _IN_MEMORY
    try:
        yield place
    finally:
        if place != _IN_MEMORY:
            with suppress(OSError):
                os.unlink(place)


def _sweep(file: str) -> None:
    """Remove what writers left that were killed a while ago."""
    folder, name = os.path.split(file)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(f"{name}.") and entry.name.endswith(".tmp"):
                with suppress(OSError):
                    if time.time() - entry.stat().st_mtime > _ABANDONED_SECONDS:
                        os.unlink(entry.path)


_ABANDONED_SECONDS = 600


def _begin(connection: sqlite3.Connection, old: TermIndex | None) -> None:
    if old is not None:
        old.connection.backup(connection)
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
    rows = [
        (numbers[key], as_bytes(key), packed(dict(one.terms)), packed(one.card)) for key, one in made.items()
    ]
    connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?)", rows)
    left = {key: number for key, number in known.items() if key not in gone}
    _count(connection, old, gone.values(), {numbers[key]: one.terms for key, one in made.items()}, len(left))
    return left | numbers


def _terms_of(connection: sqlite3.Connection, numbers: Collection[int]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for number in numbers:
        (held,) = connection.execute("SELECT terms FROM documents WHERE number = ?", (number,)).fetchone()
        for term in unpacked(held):
            found.setdefault(term, set()).add(number)
    return found


def _rewrite(
    connection: sqlite3.Connection,
    removed: Mapping[str, set[int]],
    added: Mapping[str, Mapping[int, int]],
    *,
    is_new: bool,
) -> None:
    rows: list[tuple[bytes, bytes, bytes]] = []
    empty: list[tuple[bytes]] = []
    for term, kept in sorted((term, as_bytes(term)) for term in {*removed, *added}):
        held = (
            None
            if is_new
            else connection.execute("SELECT documents, counts FROM terms WHERE term = ?", (kept,)).fetchone()
        )
        pairs = dict(zip(as_array(held[0]), as_array(held[1]), strict=True)) if held is not None else {}
        pairs = {number: count for number, count in pairs.items() if number not in removed.get(term, ())}
        pairs |= added.get(term, {})
        if pairs:
            rows.append((kept, array("I", pairs).tobytes(), array("I", pairs.values()).tobytes()))
        else:
            empty.append((kept,))
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
    lengths = {channel: array("I", held) for channel, held in old.all_lengths().items()} if old else {}
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
    notes = {"count": packed(left + len(added)), "lengths": packed(plain)}
    connection.executemany("REPLACE INTO notes VALUES (?, ?)", notes.items())


def packed(value: Any) -> bytes:
    data = marshal.dumps(value)
    return zlib.crc32(data).to_bytes(4, "big") + data
