"""Which blobs have a word: an index over a whole tree, where many searches through it would cost more.

A search reads every blob of a tree; so does making the index, once. Both find the same: a word's edge is anything but
``[A-Za-z0-9_]``, and binary blobs have none (`Repository.grep`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Protocol

DIRECT = 2
"""Searches after which the index is made; each costs about a quarter of what making it does."""
WORDS_AT_ONCE = 64
"""Words that cost as much as one search more."""
MOST_FILES = 50_000
"""Files of a tree up to which its words are held in memory."""
_WORD = re.compile(rb"[A-Za-z0-9_]+")
_BINARY_HEAD = 8_000


class Blobs(Protocol):
    """Where the index reads."""

    def blob(self, oid: str) -> bytes | None:
        """Content; None when it cannot be read or is too large."""

    def stream(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Content of those that can be read, not held."""


class WordIndex:
    """The words of blobs.

    Args:
        blobs: Where they are read.
    """

    def __init__(self, blobs: Blobs) -> None:
        self._source = blobs
        self._blobs: list[str] = []
        self._known: set[str] = set()
        self._having: dict[bytes, list[int]] = {}
        self._spent = 0

    def pays(self, words: int, files: int) -> bool:
        """Whether to ask the index rather than search, given what was searched for before.

        Args:
            words: How many words are looked for.
            files: How many files the tree has.
        """
        if files > MOST_FILES:
            return False
        self._spent += 1 + words // WORDS_AT_ONCE
        return self._spent > DIRECT

    def read(self, oids: Iterable[str]) -> None:
        """Take in the words of some blobs."""
        missing = [oid for oid in dict.fromkeys(oids) if oid not in self._known]
        self._known.update(missing)
        for oid, data in self._source.stream(missing):
            if b"\0" not in data[:_BINARY_HEAD]:
                self._add(oid, data)

    def _add(self, oid: str, data: bytes) -> None:
        number = len(self._blobs)
        self._blobs.append(oid)
        having = self._having
        for word in set(_WORD.findall(data)):
            if word in having:
                having[word].append(number)
            else:
                having[word] = [number]

    def blobs_with(self, word: str) -> list[str] | None:
        """The blobs, of all that were read, that have a word; None when only a search can tell.

        Args:
            word: The word, which may have other signs between its letters.
        """
        raw = word.encode("utf-8", "surrogateescape")
        parts = _WORD.findall(raw)
        if not parts:
            return None
        held = set.intersection(*(set(self._having.get(part, ())) for part in parts))
        found = [self._blobs[number] for number in sorted(held)]
        return found if parts == [raw] else [oid for oid in found if has_word(word, self._source.blob(oid))]


def has_word(word: str, data: bytes | None) -> bool:
    """Whether a blob has a word whole."""
    raw = word.encode("utf-8", "surrogateescape")
    if data is None or not raw:
        return False
    at = data.find(raw)
    while at >= 0:
        end = at + len(raw)
        if not (_ends_word(data, at - 1) or _ends_word(data, end)):
            return True
        at = data.find(raw, at + 1)
    return False


def _ends_word(data: bytes, at: int) -> bool:
    return 0 <= at < len(data) and data[at] in _LETTERS


_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
