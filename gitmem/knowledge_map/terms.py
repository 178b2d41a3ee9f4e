"""Words of names and sentences, as elements are found by them; the one place that says how text becomes terms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_CJK = (
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
)
_RUN = re.compile(f"([{_CJK}]+)|([^\\W_{_CJK}]+)")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\dA-Z_]+|\d+|[A-Z]")
_LONGEST = 64
_PLAIN_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ing", ""), ("es", ""), ("ed", ""), ("s", ""))
_SAY_NOTHING = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "not",
        "of",
        "on",
        "or",
        "so",
        "that",
        "the",
        "their",
        "then",
        "there",
        "this",
        "to",
        "was",
        "we",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "without",
        "you",
        "your",
    ]
)


def terms_of(text: str) -> Iterator[str]:
    """Terms of a text, each as often as it occurs: identifiers whole and by their parts, CJK by pairs of characters."""
    for found in _RUN.finditer(unicodedata.normalize("NFC", text)):
        if found[1]:
            run = found[1]
            yield from (run[at : at + 2] for at in range(len(run) - 1)) if len(run) > 1 else (run,)
            continue
        humps = _HUMP.findall(found[2])
        parts = [found[2]] if len(humps) < 2 else [*humps, found[2]]
        for part in parts:
            word = part.casefold()[:_LONGEST]
            if word not in _SAY_NOTHING:
                yield _stem(word)


def _stem(word: str) -> str:
    for ending, instead in _PLAIN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            return word.removesuffix(ending) + instead
    return word
