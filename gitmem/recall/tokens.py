"""Text as terms of four channels: words, pairs of CJK characters, Latin 3-grams, and words of scope paths.

Words are runs of letters and digits joined by ``. - / : @ #``. The whole compound is kept beside its parts, which are
split at separators, at camelCase and between letters and digits, then stemmed lightly. A Hangul word loses one particle
or ending. Hangul, Kana and Han runs give pairs of characters besides, since their words are not told by spaces alone.
Everything is in NFC and case folded (recall.md, "The text score").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from gitmem.recall.hangul import without_particle
from gitmem.recall.stemming import stem

WORDS, PAIRS, GRAMS, PLACES = "w", "b", "g", "p"
"""The channels: the first letter of each term."""
CHANNELS = (WORDS, PAIRS, GRAMS, PLACES)

_ASCII = re.compile(r"[A-Za-z0-9_]+(?:[-./:@#]+[A-Za-z0-9_]+)*")
_SEPARATOR = re.compile(r"[-./:@#_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|[0-9]+|[^\W_]")
_OBJECT_ID = re.compile(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{6,}")
"""An object id is one word; its single letters and digits are in everything."""
_LONGEST = 64
"""Characters of a term; what is longer is a digest or hostile and is cut."""
_LONGEST_RUN_AS_WORD = 6


class _Scripts(NamedTuple):
    """Patterns for what is not ASCII: a run of CJK characters or a compound of others; and one script of a run."""

    piece: re.Pattern[str]
    script: re.Pattern[str]


@cache  # slow to compile, and most queries are ASCII
def _scripts() -> _Scripts:
    hangul = "\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f"
    kana = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
    han = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
    other = f"[^\\W{hangul}{kana}{han}]+"
    return _Scripts(
        re.compile(f"([{hangul}{kana}{han}]+)|({other}(?:[-./:@#]+{other})*)"),
        re.compile(f"([{hangul}]+)|([{kana}]+)|([{han}]+)"),
    )


def pieces_of(text: str) -> Iterable[str]:
    """The parts of a text whose words, one by one, are its words."""
    return _ASCII.findall(text) if text.isascii() else map("".join, _pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Runs of CJK characters and compounds of others, one of the two empty, in order."""
    if text.isascii():
        yield from (("", compound) for compound in _ASCII.findall(text))
    else:
        yield from _scripts().piece.findall(unicodedata.normalize("NFC", text))


def words_of(text: str) -> Iterator[str]:
    """Terms of the word channel, each as often as it occurs."""
    if text.isascii():  # most are, and thousands of commits are read in one go
        return chain.from_iterable(map(_split, _ASCII.findall(text)))
    return _words_of_scripts(text)


def _words_of_scripts(text: str) -> Iterator[str]:
    for run, compound in _pieces(text):
        yield from _cjk_words(run) if run else _split(compound)


def pairs_of(text: str) -> Iterator[str]:
    """Pairs of neighbouring characters of Hangul, Kana and Han runs; a run of one character is its own term."""
    if text.isascii():
        return
    for run, _ in _pieces(text):
        if run:
            yield from (run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)


def grams_of(text: str) -> Iterator[str]:
    """Runs of three characters of words in other scripts, their edges included."""
    for _, compound in _pieces(text):
        if len(compound) <= _LONGEST:
            yield from _grams_kept(compound)
        else:
            yield from _grams(compound)


@lru_cache(maxsize=20_000)
def _grams_kept(compound: str) -> tuple[str, ...]:
    return tuple(_grams(compound))


def _grams(compound: str) -> Iterator[str]:
    for part in _SEPARATOR.split(compound.casefold()):
        if part:
            edged = f" {part[:_LONGEST]} "
            yield from (edged[at : at + 3] for at in range(len(edged) - 2))


def _cjk_words(run: str) -> Iterator[str]:
    for found in _scripts().script.finditer(run):
        piece = found[0]
        if found[1]:
            yield without_particle(piece[:_LONGEST])
        elif 1 < len(piece) <= _LONGEST_RUN_AS_WORD:
            yield piece


def _split(compound: str) -> tuple[str, ...]:
    return _split_kept(compound[: 4 * _LONGEST])


@lru_cache(maxsize=20_000)
def _split_kept(compound: str) -> tuple[str, ...]:
    parts = [part for part in _SEPARATOR.split(compound) if part]
    told = chain.from_iterable(map(_part_words, parts))
    return (*told, compound.casefold()[:_LONGEST]) if len(parts) > 1 else tuple(told)


@lru_cache(maxsize=20_000)
def _part_words(part: str) -> tuple[str, ...]:
    humps = [part] if _OBJECT_ID.fullmatch(part) else _HUMP.findall(part)
    stems = (stem(hump.casefold())[:_LONGEST] for hump in humps)
    return (*stems, part.casefold()[:_LONGEST]) if len(humps) > 1 else tuple(stems)


_NO_WILDCARDS = dict.fromkeys(map(ord, "*?[]{}!\\/"), " ")


def place_words(globs: Iterable[str]) -> Iterator[str]:
    """Words of scope paths, wildcards left out."""
    for glob in globs:
        yield from words_of(glob.translate(_NO_WILDCARDS))
