"""Blobs and what was read from them, shared by all views of one command and kept between commands by object id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from posixpath import splitext
from typing import TYPE_CHECKING

from gitmem.drift.content.language import basename, is_lock, language_of
from gitmem.errors import GitFailedError, InvalidDataError
from gitmem.git.interface import Repository
from gitmem.store.parses import Parses
from gitmem.usecases.word_index import WordIndex

if TYPE_CHECKING:  # parsers are slow to import, and where every scope is as it was nothing is parsed
    from gitmem.drift.content.difference import Difference
    from gitmem.drift.content.outline import Outline
    from gitmem.drift.content.parts import Parts

_FINE = frozenset({"syntax", "value"})
UNREADABLE = (InvalidDataError, GitFailedError)
READ_LIMIT = 4 * 1024 * 1024
"""Bytes; a larger file is compared by its object id alone."""


class Contents:
    """Blobs, outlines and code words of one repository, shared by all views of one command.

    Args:
        repository: Where blobs are read.
        parses: What was read out of blobs by earlier commands; None begins with nothing and keeps nothing.

    Attributes:
        damaged: Blobs that are here and cannot be read; everything else sees them as having no content.
        met: Those of them that were asked for; whoever judges empties it before.
        words: The words of the blobs of whole trees.
    """

    def __init__(self, repository: Repository, parses: Parses | None = None) -> None:
        self.repository = repository
        self._parses = parses
        self._blobs: dict[str, bytes | None] = {}
        self._outlines: dict[str, Outline | None] = {}
        self._names: dict[str, frozenset[str]] = {}
        self.damaged: set[str] = set()
        self.met: set[str] = set()
        self._noted: dict[str, set[str]] = {}
        self.words = WordIndex(self)

    def preload(self, oids: Iterable[str]) -> None:
        """Read blobs in one batch."""
        wanted = [oid for oid in dict.fromkeys(oids) if oid not in self._blobs]
        try:
            for blob in self.repository.read_blobs(wanted, limit=READ_LIMIT) if wanted else ():
                self._blobs[blob.oid] = blob.data
        except UNREADABLE:  # one by one tells which
            for oid in wanted:
                self.blob(oid)

    def blob(self, oid: str) -> bytes | None:
        if oid not in self._blobs:
            try:
                self._blobs[oid] = self.repository.read_blob(oid, limit=READ_LIMIT).data
            except UNREADABLE:
                self._blobs[oid] = None
                self.damaged.add(oid)
        self._meet(oid)
        return self._blobs[oid]

    def _meet(self, oid: str) -> None:
        if self.damaged and oid in self.damaged:
            self.met.add(oid)

    def stream(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Blobs that can be read, each with its content; nothing is held of what was not held before."""
        held, wanted = self._parted(oids)
        yield from held
        rest = iter(wanted)
        try:
            for blob in self.repository.read_blobs(wanted, limit=READ_LIMIT):
                next(rest)
                if blob.data is not None:
                    yield blob.oid, blob.data
        except UNREADABLE:  # one by one tells which
            for oid in rest:
                data = self.blob(oid)
                if data is not None:
                    yield oid, data

    def _parted(self, oids: Iterable[str]) -> tuple[list[tuple[str, bytes]], list[str]]:
        """What is held of some blobs, and which of them must be read."""
        asked = list(oids)
        held = [(oid, data) for oid in asked if (data := self._blobs.get(oid)) is not None]
        return held, [oid for oid in asked if oid not in self._blobs]

    def meet_damaged(self) -> None:
        """A whole tree was searched: whatever is damaged in it was asked for."""
        self.met |= self.damaged

    def remember(self, oid: str, data: bytes | None) -> None:
        """Take content that is not in the object store (a work tree file) under the id it would have."""
        self._blobs[oid] = data

    # what is read out of them
    def outline(self, path: str, oid: str) -> Outline | None:
        name = _name_key(path)
        key = f"{name}:{oid}"
        self._meet(oid)
        if key not in self._outlines:
            self._outlines[key] = self._kept_outline(name, oid) or self._new_outline(path, name, oid)
        told = self._outlines[key]
        if told is not None and told.note:
            self._noted.setdefault(told.note, set()).add(path)
        return told

    def _kept_outline(self, name: str, oid: str) -> Outline | None:
        from gitmem.drift.content.packing import unpack

        held = self._parses.get("outline", name, oid) if self._parses is not None else None
        try:
            return unpack(held) if held is not None else None
        except ValueError:  # damaged, or of another version: read again
            return None

    def _new_outline(self, path: str, name: str, oid: str) -> Outline | None:
        from gitmem.drift.content.packing import pack
        from gitmem.drift.content.reading import outline

        data = self.blob(oid)
        found = outline(path, data) if data is not None else None
        if found is not None and found.note is None and self._parses is not None:
            # A note may tell of a parser that is missing or was out of time, which need not be so the next time.
            self._parses.put("outline", name, oid, pack(found))
        return found

    def difference(self, before: tuple[str, str], now: tuple[str, str]) -> Difference | None:
        """How one file, by path and object id, differs from another, where syntax or values tell; None where nothing so fine does."""
        (old_path, old), (path, new) = before, now
        name, kind = _name_key(path), f"difference {old}"
        if _name_key(old_path) != name:
            return None
        self._meet(old)
        self._meet(new)
        held = self._parses.get(kind, name, new) if self._parses is not None else None
        told = _difference_of(held)
        if told is None:
            told = self._new_difference(before, now)
            if told is not None and self._parses is not None:
                self._parses.put(kind, name, new, told.value.encode("ascii"))
        return told

    def _new_difference(self, before: tuple[str, str], now: tuple[str, str]) -> Difference | None:
        from gitmem.drift.content.difference import of_outlines
        from gitmem.drift.content.differing import differing

        if not (self._has_outline(*before) and self._has_outline(*now)):
            old, new = self.blob(before[1]), self.blob(now[1])
            if old is None or new is None:
                return None
            if (found := differing(now[0], old, new)) is not None:
                return found
        one, other = self.outline(*before), self.outline(*now)
        fine = one is not None and other is not None and one.level in _FINE
        if (
            not fine
            or one is None
            or other is None
            or (one.level, one.language) != (other.level, other.language)
        ):
            return None
        return of_outlines(one, other)

    def _has_outline(self, path: str, oid: str) -> bool:
        """Whether a file was parsed before, now or by an earlier command."""
        name = _name_key(path)
        known = f"{name}:{oid}" in self._outlines
        return known or (self._parses is not None and self._parses.get("outline", name, oid) is not None)

    def parts(self, path: str, oid: str, name: str) -> Parts | None:
        """The parts of a definition; see `TreeView.parts`."""
        from gitmem.drift.content.parts import Parts, parts_of

        kind = f"parts {name}"
        held = self._parses.get(kind, _name_key(path), oid) if self._parses is not None else None
        told = held.decode("ascii", "replace").split(" ") if held is not None else []
        if len(told) == len(Parts._fields):
            return Parts(*told)
        data = self.blob(oid)
        found = parts_of(path, data, name) if data is not None else None
        if found is not None and self._parses is not None:
            self._parses.put(kind, _name_key(path), oid, " ".join(found).encode("ascii"))
        return found

    def code_words(self, path: str, oid: str) -> frozenset[str]:
        from gitmem.drift.content.reading import code_words

        return self._read_names("words", code_words, path, oid)

    def code_names(self, path: str, oid: str) -> frozenset[str]:
        from gitmem.drift.content.reading import code_names

        return self._read_names("names", code_names, path, oid)

    def _read_names(
        self, kind: str, read: Callable[[str, bytes], frozenset[str]], path: str, oid: str
    ) -> frozenset[str]:
        name = _name_key(path)
        key = f"{kind}:{name}:{oid}"
        self._meet(oid)
        if key not in self._names:
            kept = self._kept_names(kind, name, oid)
            self._names[key] = kept if kept is not None else self._new_names(kind, read, path, oid)
        return self._names[key]

    def _kept_names(self, kind: str, name: str, oid: str) -> frozenset[str] | None:
        from gitmem.drift.content.packing import unpack_names

        held = self._parses.get(kind, name, oid) if self._parses is not None else None
        try:
            return unpack_names(held) if held is not None else None
        except ValueError:
            return None

    def _new_names(
        self, kind: str, read: Callable[[str, bytes], frozenset[str]], path: str, oid: str
    ) -> frozenset[str]:
        data = self.blob(oid)
        if data is None:
            return frozenset()
        from gitmem.drift.content.packing import pack_names

        found = read(path, data)
        if self._parses is not None:
            self._parses.put(kind, _name_key(path), oid, pack_names(found))
        return found

    def save(self) -> None:
        """Keep what was read for later commands; nothing fails when that cannot be done."""
        if self._parses is not None:
            self._parses.save()

    def notes(self) -> tuple[str, ...]:
        """What parsers had to say, each once with the first file: a missing grammar, a file they could not read."""
        return tuple(f"{note} ({_named(paths)})" for note, paths in sorted(self._noted.items()))


def _difference_of(held: bytes | None) -> Difference | None:
    """What was kept; None where nothing was, or it is no difference."""
    from gitmem.drift.content.difference import Difference

    try:
        return Difference(held.decode("ascii")) if held is not None else None
    except ValueError:
        return None


def _named(paths: set[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{min(paths)}{more}"


@lru_cache(maxsize=65_536)
def _name_key(path: str) -> str:
    """What of a path decides how a file is read, besides its content."""
    lock = "lock " if is_lock(path) else ""
    return f"{lock}{language_of(path)} {splitext(basename(path))[1]}"
