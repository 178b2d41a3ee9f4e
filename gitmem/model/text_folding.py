"""When two names are the same to a reader, and what a reader cannot see."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
_SUSPECT = re.compile(f"[^\\x20-\\x7e\\n\\r\\tᄀ-ᅞ가-힣一-鿿ぁ-ヿ]|[{_FILLERS}]")
_FILLER = re.compile(f"[{_FILLERS}]")
_GLUE = frozenset("\u200d\ufe0e\ufe0f")


def folded(name: str) -> str:
    """The name in NFC, case folded, with single spaces: two names that fold alike cannot be told apart."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())


def one_spaced(text: str) -> str:
    """The text in NFC with single spaces; letter case and marks stay, since they may be what it says."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def hidden_characters(text: str) -> Iterator[tuple[int, str]]:
    """Each character that a reader cannot see or that reorders what he sees: position from 0, and the character.

    Control (but line ends and tabs), format, bidirectional, zero width, tag, private and unassigned characters and
    invisible fillers; the glue of a well-formed emoji is none.
    """
    for found in _SUSPECT.finditer(text):
        character = found[0]
        if _is_hidden(character) and not (character in _GLUE and _glues_emoji(text, found.start())):
            yield found.start(), character


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] == "C" or category in {"Zl", "Zp"} or _FILLER.match(character) is not None


def _glues_emoji(text: str, index: int) -> bool:
    """Whether a joiner or variation selector stands behind an emoji and, for a joiner, before one."""
    before = text[index - 1 : index]
    after = text[index + 1 : index + 2]
    if text[index] != "\u200d":
        return _is_emoji(before) or before in set("#*0123456789")
    return (_is_emoji(before) or before == "\ufe0f") and _is_emoji(after)


def _is_emoji(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) in {"So", "Sk", "Sm"} or character in "‼⁉〰〽"
    )
