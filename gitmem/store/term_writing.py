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
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from typing import Any, NamedTuple

from gitmem.store.term_index import (
    DAMAGE,
    EDITION,
    Postings,
    TermIndex,
    as_array,
    as_bytes,
    load_index,
    unpacked,
)

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


class Cards(NamedTuple):
    """Documents whose cards tell their terms, so that these are kept nowhere and many are made in one go.

    Args:
        card_of: The card of one document by key.
        terms_of: Its terms again, from the card.
        postings_of: Those of many cards by number; the same as their terms one by one would give.
    """

    card_of: Callable[[str], Any]
    terms_of: Callable[[Any], Iterable[str]]
    postings_of: Callable[[Mapping[int, Any]], Mapping[str, Postings]]


class Wanted(NamedTuple):
    """What an index has to hold.

    Args:
        state: What it stands for then.
        keys: The documents; a key names all that a document's terms and card depend on.
        documents: Makes some of them in their order, also those that an older index has: it may be dropped.
        heads_of: Makes the heads of the number by key.
    """

    state: str
    keys: Collection[str]
    documents: Callable[[Sequence[str]], Iterable[Indexed]] | Cards
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
    first = max(known.values(), default=-1) + 1
    numbers = {key: first + place for place, key in enumerate(added)}
    made = _made(wanted.documents, numbers)
    left = {key: number for key, number in known.items() if key not in gone} | numbers
    with _temporary(file) as place:
        connection = sqlite3.connect(place, isolation_level=None)
        try:
            _begin(connection, old)
            _change(connection, wanted.documents, gone.values(), made, old)
            connection.executemany(
                "INSERT INTO documents VALUES (?, ?, ?, ?)",
                ((number, as_bytes(key), *made.rows[number]) for key, number in numbers.items()),
            )
            notes = {
                "edition": EDITION.encode(),
                "state": as_bytes(wanted.state),
                "heads": packed(wanted.heads_of(left)),
                "count": packed(len(left)),
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


class _Made(NamedTuple):
    """Documents to put in: their postings by term, and by number what is kept of each, its terms and its card."""

    postings: Mapping[str, Postings]
    rows: Mapping[int, tuple[bytes, bytes]]


def _made(
    documents: Callable[[Sequence[str]], Iterable[Indexed]] | Cards, numbers: Mapping[str, int]
) -> _Made:
    if isinstance(documents, Cards):
        cards = {number: documents.card_of(key) for key, number in numbers.items()}
        return _Made(
            documents.postings_of(cards), {number: (b"", packed(card)) for number, card in cards.items()}
        )
    made = dict(zip(numbers.values(), documents(list(numbers)), strict=True))
    rows = {number: (packed(tuple(one.terms)), packed(one.card)) for number, one in made.items()}
    return _Made(_postings_of((number, one.terms) for number, one in made.items()), rows)


def _change(
    connection: sqlite3.Connection,
    documents: Callable[[Sequence[str]], Iterable[Indexed]] | Cards,
    gone: Collection[int],
    made: _Made,
    old: TermIndex | None,
) -> None:
    """Take documents out, by number, and put the postings of others in."""
    if old is None:
        _write(connection, made.postings)
    else:
        _rewrite(connection, _terms_of(connection, documents, gone), made.postings)
    connection.executemany("DELETE FROM documents WHERE number = ?", [(number,) for number in gone])
    _measure(connection, old, gone, made.postings)


def _postings_of(documents: Iterable[tuple[int, Mapping[str, int]]]) -> dict[str, Postings]:
    """The documents of each term, and how often it occurs in each: thousands of documents, so in few steps for a term."""
    numbers: dict[str, list[int]] = {}
    counts: dict[str, list[int]] = {}
    for number, terms in documents:
        for term, count in terms.items():
            if term in numbers:
                numbers[term].append(number)
                counts[term].append(count)
            else:
                numbers[term], counts[term] = [number], [count]
    return {term: Postings(array("I", held), array("I", counts[term])) for term, held in numbers.items()}


_ONE = array("I", [1])


def counted(numbers: Collection[int]) -> Postings:
    """Postings of one term whose documents are told as often as it occurs in them, in any order."""
    once = sorted(set(numbers))
    if len(once) == len(numbers):
        return Postings(array("I", once), _ONE * len(once))
    counts = Counter(numbers)
    return Postings(array("I", once), array("I", map(counts.__getitem__, once)))


def _terms_of(
    connection: sqlite3.Connection,
    documents: Callable[[Sequence[str]], Iterable[Indexed]] | Cards,
    numbers: Collection[int],
) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for number in numbers:
        asked = connection.execute("SELECT terms, card FROM documents WHERE number = ?", (number,))
        terms, card = asked.fetchone()
        held = documents.terms_of(unpacked(card)) if isinstance(documents, Cards) else unpacked(terms)
        for term in held:
            found.setdefault(term, set()).add(number)
    return found


def _write(connection: sqlite3.Connection, added: Mapping[str, Postings]) -> None:
    """Put terms into an index that has none."""
    rows = sorted((as_bytes(term), *map(array.tobytes, found)) for term, found in added.items())
    connection.executemany("INSERT INTO terms VALUES (?, ?, ?)", rows)


def _rewrite(
    connection: sqlite3.Connection, removed: Mapping[str, set[int]], added: Mapping[str, Postings]
) -> None:
    rows: list[tuple[bytes, bytes, bytes]] = []
    empty: list[tuple[bytes]] = []
    for term, kept in sorted((term, as_bytes(term)) for term in {*removed, *added}):
        asked = connection.execute("SELECT documents, counts FROM terms WHERE term = ?", (kept,))
        held = asked.fetchone()
        pairs = dict(zip(as_array(held[0]), as_array(held[1]), strict=True)) if held is not None else {}
        pairs = {number: count for number, count in pairs.items() if number not in removed.get(term, ())}
        pairs |= zip(*added.get(term, _NO_POSTINGS), strict=True)
        if pairs:
            rows.append((kept, array("I", pairs).tobytes(), array("I", pairs.values()).tobytes()))
        else:
            empty.append((kept,))
    connection.executemany("REPLACE INTO terms VALUES (?, ?, ?)", rows)
    connection.executemany("DELETE FROM terms WHERE term = ?", empty)


_NO_POSTINGS = Postings(array("I"), array("I"))


def _measure(
    connection: sqlite3.Connection, old: TermIndex | None, gone: Iterable[int], added: Mapping[str, Postings]
) -> None:
    """Write how long each document is in each channel."""
    lengths = {channel: array("I", held) for channel, held in old.all_lengths().items()} if old else {}
    for number in gone:
        for held in lengths.values():
            if number < len(held):
                held[number] = 0
    for channel, longer in _lengths_of(added).items():
        held = lengths.setdefault(channel, array("I"))
        held.extend([0] * (max(longer) + 1 - len(held)))
        for number, length in longer.items():
            held[number] += length
    plain = {channel: held.tobytes() for channel, held in lengths.items()}
    connection.execute("REPLACE INTO notes VALUES (?, ?)", ("lengths", packed(plain)))


def _lengths_of(added: Mapping[str, Postings]) -> dict[str, Counter[int]]:
    """Length of each document by channel: each term counts once, and what occurs more often once more for each time."""
    once: dict[str, list[array[int]]] = {}
    more: dict[str, list[int]] = {}
    for term, (numbers, counts) in added.items():
        once.setdefault(term[0], []).append(numbers)
        if max(counts) > 1:
            several = map(repeat, numbers, map((-1).__add__, counts))
            more.setdefault(term[0], []).extend(chain.from_iterable(several))
    return {
        channel: Counter(chain(chain.from_iterable(some), more.get(channel, ())))
        for channel, some in once.items()
    }


def packed(value: Any) -> bytes:
    data = marshal.dumps(value)
    return zlib.crc32(data).to_bytes(4, "big") + data
