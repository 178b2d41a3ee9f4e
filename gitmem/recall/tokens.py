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
from functools import lru_cache

from gitmem.recall.hangul import without_particle
from gitmem.recall.stemming import stem

WORDS, PAIRS, GRAMS, PLACES = "w", "b", "g", "p"
"""The channels: the first letter of each term."""
CHANNELS = (WORDS, PAIRS, GRAMS, PLACES)

_HANGUL = "\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f"
_KANA = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_CJK = f"{_HANGUL}{_KANA}{_HAN}"
_PIECE = re.compile(f"([{_CJK}]+)|([^\\W{_CJK}]+(?:[-./:@#]+[^\\W{_CJK}]+)*)")
_SCRIPT = re.compile(f"([{_HANGUL}]+)|([{_KANA}]+)|([{_HAN}]+)")
_SEPARATOR = re.compile(r"[-./:@#_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+|[A-Z]")
_LONGEST = 64
"""Characters of a term; what is longer is a digest or hostile and is cut."""
_LONGEST_RUN_AS_WORD = 6


def words_of(text: str) -> Iterator[str]:
    """Terms of the word channel, each as often as it occurs."""
    for found in _PIECE.finditer(unicodedata.normalize("NFC", text)):
        yield from _cjk_words(found[1]) if found[1] else _split(found[2])


def pairs_of(text: str) -> Iterator[str]:
    """Pairs of neighbouring characters of Hangul, Kana and Han runs; a run of one character is its own term."""
    for found in _PIECE.finditer(unicodedata.normalize("NFC", text)):
        run = found[1]
        if run:
            yield from (run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)


def grams_of(text: str) -> Iterator[str]:
    """Runs of three characters of words in other scripts, their edges included."""
    for found in _PIECE.finditer(unicodedata.normalize("NFC", text)):
        if found[2]:
            for part in _SEPARATOR.split(found[2].casefold()):
                yield from _grams(part[:_LONGEST])


@lru_cache(maxsize=20_000)
def _grams(word: str) -> tuple[str, ...]:
    edged = f" {word} "
    return tuple(edged[at : at + 3] for at in range(len(edged) - 2))


def _cjk_words(run: str) -> Iterator[str]:
    for found in _SCRIPT.finditer(run):
        piece = found[0]
        if found[1]:
            yield without_particle(piece[:_LONGEST])
        elif 1 < len(piece) <= _LONGEST_RUN_AS_WORD:
            yield piece


def _split(compound: str) -> tuple[str, ...]:
    return _split_kept(compound[: 4 * _LONGEST])


@lru_cache(maxsize=20_000)
def _split_kept(compound: str) -> tuple[str, ...]:
    whole = compound.casefold()
    parts = [part for part in _SEPARATOR.split(compound) if part]
    told: list[str] = []
    for part in parts:
        humps = _HUMP.findall(part)
        told += [stem(hump.casefold())[:_LONGEST] for hump in humps]
        if len(humps) > 1:
            told.append(part.casefold()[:_LONGEST])
    if len(parts) > 1:
        told.append(whole[:_LONGEST])
    return tuple(told)


def place_words(globs: Iterable[str]) -> Iterator[str]:
    """Words of scope paths, wildcards left out."""
    for glob in globs:
        yield from words_of(re.sub(r"[*?\[\]{}!\\]+", " ", glob).replace("/", " "))
