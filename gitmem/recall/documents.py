"""What a document of recall says, as terms: a memory, or what came of a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from gitmem.recall.tokens import (
    CHANNELS,
    GRAMS,
    PAIRS,
    PLACES,
    WORDS,
    grams_of,
    pairs_of,
    place_words,
    words_of,
)

TOUCHES = "t"
"""The channel of what a scope touches: folders, paths, names (`touch_terms`)."""

_DOUBLE = 2
_WILD = frozenset("*?[]{}!\\")


class Document(NamedTuple):
    """Text of one document.

    Args:
        id: Of the memory, or ``outcome:<session>``.
        names: Title and aliases.
        summary: The rule itself.
        body: What else it says.
        elements: Names of the elements in its scope.
        globs: Of its scope, those of its elements included.
    """

    id: str
    names: tuple[str, ...]
    summary: str
    body: str
    elements: tuple[str, ...] = ()
    globs: tuple[str, ...] = ()


def terms_of(document: Document, *, grams: bool) -> dict[str, int]:
    """How often each term occurs; names and summary count double (recall.md, "The text score").

    Args:
        document: The document.
        grams: Whether Latin 3-grams are made; they go where there are very many documents.
    """
    double, single = (*document.names, document.summary), (document.body, *document.elements)
    counts: dict[str, int] = {}
    for channel, terms in _SPLIT if grams else _SPLIT[:-1]:
        told = _DOUBLE * [*chain.from_iterable(map(terms, double))]
        found = Counter(chain(told, *map(terms, single)))
        counts.update(zip(map(_PREFIXED[channel].__getitem__, found), found.values(), strict=True))
    places = Counter(place_words((*document.globs, *document.elements)))
    counts.update(zip(map(_PREFIXED[PLACES].__getitem__, places), places.values(), strict=True))
    touched = (*touches(document.globs), *map(element_touch, document.elements))
    return counts | dict.fromkeys(map(TOUCHES.__add__, touched), 1)


class _Prefixed(dict[str, str]):
    """Terms of one channel by what they say, each made once: a thousand documents say the same."""

    def __init__(self, channel: str) -> None:
        self._channel = channel

    def __missing__(self, said: str) -> str:
        if len(self) >= _MOST_PREFIXED:
            self.clear()
        term = self[said] = f"{self._channel}{said}"
        return term


_MOST_PREFIXED = 50_000
_PREFIXED = {channel: _Prefixed(channel) for channel in CHANNELS}
_SPLIT: Sequence[tuple[str, Callable[[str], Iterator[str]]]] = (
    (WORDS, words_of),
    (PAIRS, pairs_of),
    (GRAMS, grams_of),
)


def element_touch(name: str) -> str:
    """What stands for an element itself among the places that a scope touches."""
    return f"element:{name}"


def touches(globs: Iterable[str]) -> Iterator[str]:
    """Folders, paths and names that globs speak of: what stands before their first wildcard."""
    for glob in globs:
        at = next((place for place, letter in enumerate(glob) if letter in _WILD), None)
        if at is None and not glob.endswith("/"):
            yield from touch_terms(glob)
        else:
            yield from _folders(glob[:at])


def path_terms(path: str) -> tuple[str, ...]:
    """The terms of the channel of places that a commit which changed a path gets."""
    folder, slash, name = path.rpartition("/")
    return (*_folder_terms(folder + slash), f"{TOUCHES}*/{name}", f"{TOUCHES}{path}")


@lru_cache(maxsize=20_000)
def _folder_terms(path: str) -> tuple[str, ...]:
    return tuple(map(TOUCHES.__add__, _folders(path)))


def touch_terms(path: str) -> Iterator[str]:
    """A path as its folders, its name and itself, the widest first (recall.md, "Priors"); it may be a folder."""
    yield from _folders(path)
    if not path.endswith("/"):
        yield f"*/{path.rpartition('/')[2]}"
        yield path
        yield f"{path}/"


def _folders(path: str) -> Iterator[str]:
    at = path.find("/")
    while at >= 0:
        yield path[: at + 1]
        at = path.find("/", at + 1)
