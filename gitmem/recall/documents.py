"""What a document of recall says, as terms: a memory, or what came of a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitmem.recall.tokens import GRAMS, PAIRS, PLACES, WORDS, grams_of, pairs_of, place_words, words_of

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
    counts: Counter[str] = Counter()
    for text, times in (
        *((name, _DOUBLE) for name in document.names),
        (document.summary, _DOUBLE),
        (document.body, 1),
    ):
        _count(counts, text, times, grams=grams)
    for name in document.elements:
        _count(counts, name, 1, grams=grams)
    counts.update(f"{PLACES}{word}" for word in place_words((*document.globs, *document.elements)))
    counts.update(dict.fromkeys((f"{TOUCHES}{one}" for one in touches(document.globs)), 1))
    counts.update(dict.fromkeys((f"{TOUCHES}{element_touch(name)}" for name in document.elements), 1))
    return dict(counts)


def _count(counts: Counter[str], text: str, times: int, *, grams: bool) -> None:
    told: list[tuple[str, Iterator[str]]] = [(WORDS, words_of(text)), (PAIRS, pairs_of(text))]
    if grams:
        told.append((GRAMS, grams_of(text)))
    for channel, terms in told:
        for term in terms:
            counts[f"{channel}{term}"] += times


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


def touch_terms(path: str) -> Iterator[str]:
    """A path as its folders, its name and itself, the widest first (recall.md, "Priors")."""
    yield from _folders(path)
    yield f"*/{path.rpartition('/')[2]}"
    yield path


def _folders(path: str) -> Iterator[str]:
    at = path.find("/")
    while at >= 0:
        yield path[: at + 1]
        at = path.find("/", at + 1)
