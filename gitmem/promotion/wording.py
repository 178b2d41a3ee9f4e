"""A text cut into what is compared: names, numbers, and the words between them, folded to their stems."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gitmem.drift.claims import without_names
from gitmem.drift.words import CJK, Token, TokenKind, code_tokens
from gitmem.promotion.clauses import Signs, signs
from gitmem.promotion.quantities import Quantity, unified
from gitmem.promotion.statement import LONGEST, bare
from gitmem.promotion.stemming import Term, terms


@dataclass(frozen=True, slots=True)
class Name:
    """A name of code, a path or a product.

    Args:
        text: As written.
        key: Its letters and digits, case folded: ``retry_policy``, ``retryPolicy`` and ``retry policy`` are one.
        start: Where it stands.
        is_code: It stands in backticks or has a form that no ordinary word has.
    """

    text: str
    key: str
    start: int
    is_code: bool = True


@dataclass(frozen=True, slots=True)
class Wording:
    """A text as it is compared.

    Args:
        text: NFC, each number in one spelling.
        bare: The same folded (`gitmem.promotion.statement.bare`).
        masked: The same case folded, with names blanked out by stand-ins of the same length.
        names: In order.
        numbers: In order, as written.
        terms: Words that carry meaning, numbers and names left in, in order.
        signs: What is said and what denied.
    """

    text: str
    bare: str
    masked: str
    names: tuple[Name, ...]
    numbers: tuple[Quantity, ...]
    terms: tuple[Term, ...]
    signs: Signs

    @property
    def squashed(self) -> str:
        """Letters and digits alone, to look for a name however it is spelled."""
        return squash(self.text)

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(term.stem for term in self.terms)


def squash(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


@lru_cache(maxsize=4096)
def wording(text: str) -> Wording:
    """Cut a text. Kept for a while, since one text is compared with many."""
    text, numbers = unified(unicodedata.normalize("NFC", text[:LONGEST]))
    tokens = code_tokens(text)
    masked = "".join(_lower(letter) for letter in without_names(text, tokens))
    return Wording(
        text,
        bare(text),
        masked,
        tuple(_names(text, tokens)),
        numbers,
        tuple(terms(text)),
        signs(text, masked),
    )


def _lower(letter: str) -> str:
    """Case folded, but never longer, so that places stay true."""
    lower = letter.lower()
    return lower if len(lower) == 1 else letter


def _names(text: str, tokens: tuple[Token, ...]) -> Iterator[Name]:
    taken: list[tuple[int, int]] = []
    for token in tokens:
        key = squash(token.text)
        if not key or (token.kind is TokenKind.PRODUCT and not _is_strong(text, token)):
            continue
        if not any(first <= token.start < last for first, last in taken):
            taken.append((token.start, token.end))
            yield Name(token.text, key, token.start)
    if CJK.search(text):
        yield from _latin_among(text, taken)


def _is_strong(text: str, token: Token) -> bool:
    """Whether a word that may name a tool surely does: a capital inside a sentence, or a version behind it."""
    return bool(token.version) or (token.text[0].isupper() and not _opens(text, token.start))


def _latin_among(text: str, taken: list[tuple[int, int]]) -> Iterator[Name]:
    """Words of Latin letters in a Korean, Japanese or Chinese sentence: names of things."""
    for match in re.finditer(r"(?<![A-Za-z0-9_.\-/])[A-Za-z][A-Za-z0-9_+#-]+", text):
        if not any(first < match.end() and match.start() < last for first, last in taken):
            yield Name(match[0], squash(match[0]), match.start(), is_code=False)


def _opens(text: str, start: int) -> bool:
    return (
        not text[:start].strip(" \t\n`*_-\"'(") or re.search(r"[.!?:;]\s+\W{0,3}$", text[:start]) is not None
    )
