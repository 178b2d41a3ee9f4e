"""How many columns of a terminal text takes, and cutting it to fit."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

_JOINER = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"


@lru_cache(maxsize=4096)
def width(text: str) -> int:
    """Columns that sanitised text takes: wide letters two, combining marks none, an emoji sequence two."""
    if text.isascii():
        return len(text)
    return sum(columns for _, columns in _clusters(text))


def cut(text: str, columns: int | None) -> str:
    """The text, or as much of it as fits into the columns with ``…`` at its end; whole when columns is None."""
    if columns is None or width(text) <= columns:
        return text
    kept, used = "", 0
    for cluster, taken in _clusters(text):
        if used + taken > columns - 1:
            break
        kept, used = kept + cluster, used + taken
    return f"{kept.rstrip(' ')}…" if columns > 0 else ""


def cut_beginning(text: str, columns: int) -> str:
    """The text, or as much of its end as fits into the columns behind ``…``."""
    if width(text) <= columns:
        return text
    kept, used = "", 0
    for cluster, taken in reversed(list(_clusters(text))):
        if used + taken > columns - 1:
            break
        kept, used = cluster + kept, used + taken
    return f"…{kept.lstrip(' ')}" if columns > 0 else ""


def pad(text: str, columns: int) -> str:
    """The text followed by spaces up to the columns."""
    return text + " " * (columns - width(text))


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """What stands in one place, with its columns: a letter and its marks, or an emoji sequence."""
    cluster, taken = "", 0
    for character in text:
        extends = _columns(character) == 0 or _is_skin_tone(character) or cluster.endswith(_JOINER)
        if cluster and extends:
            cluster += character
            taken = 2 if character == _EMOJI_SELECTOR else max(taken, _columns(character))
            continue
        if cluster:
            yield cluster, taken
        cluster, taken = character, _columns(character)
    if cluster:
        yield cluster, taken


@lru_cache(maxsize=4096)
def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _is_skin_tone(character: str) -> bool:
    return "\U0001f3fb" <= character <= "\U0001f3ff"
