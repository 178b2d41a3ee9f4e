"""A text cut into what is compared: names, numbers, and the words between them, folded to their stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gitmem.drift.claims import STAND_IN, without_names
from gitmem.drift.words import CJK, Token, TokenKind, code_tokens
from gitmem.promotion.quantities import Quantity, quantities
from gitmem.promotion.statement import LONGEST, bare


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_STOP: Final = _words(
    "a an the this that these those it its they them their we our you your is are was were be been being am do does did done "
    "has have had will would shall should must may might can could to of in on at by for with from into onto as and or but so "
    "then than if when while because since there here any all each every both also too very just only use uses used using "
    "which who what where how please make sure ensure always never not no"
)
_SUFFIXES: Final = (
    "ations",
    "ation",
    "ingly",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "ly",
    "s",
    "e",
)
_PARTICLES: Final = re.compile(
    r"(?<=[가-힣A-Za-z0-9)\ufffc])(?:에서는|에서만|에서도|으로만|으로는|에게는|이라는|이라고|라는|에서|에게|으로|까지|부터|처럼|보다|마다|"
    r"이나|은|는|이|가|을|를|의|에|로|와|과|도|만|나)$"
)
_ENDINGS: Final = re.compile(
    r"(?<=[가-힣])(?:하지\s?않는다|해야\s?한다|해야\s?합니다|합니다|입니다|됩니다|습니다|하세요|하십시오|한다|된다|이다|하고|하며|하면|하는|하여|해서|해라|하라|되는|되며|"
    r"되고|해야|해도|했다|할|한|함|됨|될|된|해|라|다|요|며|고|지|면|서|기)$"
)
_WORD: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9_']*(?:-[A-Za-z0-9]+)*|\d[\d.,]*|[가-힣]+|[ぁ-ゖァ-ヺー]+|[㐀-鿿]+"
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


@dataclass(frozen=True, slots=True)
class Name:
    """A name of code, a path or a product.

    Args:
        text: As written.
        key: Its letters and digits, case folded: ``retry_policy``, ``retryPolicy`` and ``retry policy`` are one.
        plain: It may also be an ordinary word: a capital at the start of a sentence says little.
    """

    text: str
    key: str
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """A text as it is compared.

    Args:
        text: As written, NFC.
        bare: Folded (`gitmem.promotion.statement.bare`), each number in one spelling.
        masked: Case folded, with names blanked out by stand-ins of the same length.
        names: In order.
        numbers: In order.
        stems: Words that carry meaning, numbers and names left in, in order.
    """

    text: str
    bare: str
    masked: str
    names: tuple[Name, ...]
    numbers: tuple[Quantity, ...]
    stems: tuple[str, ...]

    @property
    def squashed(self) -> str:
        """Letters and digits alone, to look for a name however it is spelled."""
        return squash(self.text)


def squash(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


@lru_cache(maxsize=4096)
def wording(text: str) -> Wording:
    """Cut a text. Kept for a while, since one text is compared with many."""
    text = unicodedata.normalize("NFC", text[:LONGEST])
    tokens = code_tokens(text)
    masked = without_names(text, tokens).casefold()
    if len(masked) != len(text):
        masked = without_names(text, tokens).lower()
    numbers = quantities(without_names(text, [one for one in tokens if one.kind is not TokenKind.PRODUCT]))
    return Wording(
        text,
        bare(_spelled_alike(text, numbers)),
        masked,
        tuple(_names(text, tokens)),
        numbers,
        tuple(stems(text)),
    )


def _spelled_alike(text: str, numbers: tuple[Quantity, ...]) -> str:
    for one in reversed(numbers):
        text = f"{text[: one.start]}{one.value:g} {one.unit}{text[one.end :]}"
    return text


def _names(text: str, tokens: tuple[Token, ...]) -> Iterator[Name]:
    taken: list[tuple[int, int]] = []
    for token in tokens:
        key = squash(token.text)
        if not key or any(first <= token.start < last for first, last in taken):
            continue
        taken.append((token.start, token.end))
        plain = token.kind is TokenKind.PRODUCT and _opens(text, token.start)
        yield Name(token.text, key, plain)
    if CJK.search(text):
        yield from _latin_among(text, taken)


def _latin_among(text: str, taken: list[tuple[int, int]]) -> Iterator[Name]:
    """Words of Latin letters in a Korean, Japanese or Chinese sentence: names of things."""
    for match in re.finditer(r"(?<![A-Za-z0-9_.\-/])[A-Za-z][A-Za-z0-9_+#-]+", text):
        if not any(first < match.end() and match.start() < last for first, last in taken):
            yield Name(match[0], squash(match[0]))


def _opens(text: str, start: int) -> bool:
    return (
        not text[:start].strip(" \t\n`*_-\"'(") or re.search(r"[.!?:;]\s+\W{0,3}$", text[:start]) is not None
    )


def stems(text: str) -> Iterator[str]:
    """Words that carry meaning, folded to their stems, in order."""
    for match in _WORD.finditer(text):
        word = match[0]
        if "가" <= word[0] <= "힣":
            yield korean_stem(word)
        elif word[0].isascii():
            for part in _CAMEL.split(word):
                lower = part.casefold()
                if lower and lower not in _STOP:
                    yield english_stem(lower)
        else:
            yield word


def english_stem(word: str) -> str:
    """A crude stem: what stays when an inflection is cut off."""
    if word.isdigit() or len(word) < 4:
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.removesuffix("i") if len(word) > 4 else word


def korean_stem(word: str) -> str:
    """A word without its particle or ending; one syllable always stays."""
    cut = _ENDINGS.sub("", word) if len(word) > 2 else word
    cut = _PARTICLES.sub("", cut) if len(cut) > 1 else cut
    return cut or word


__all__ = ["STAND_IN", "Name", "Wording", "english_stem", "korean_stem", "squash", "stems", "wording"]
