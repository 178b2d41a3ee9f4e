"""What a comparison of two contents says."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from gitmem.drift.content.outline import Level, Outline, Symbol


class Difference(StrEnum):
    SAME = "same"
    """Every byte is equal."""
    COSMETIC = "cosmetic"
    """Only formatting, comments, docstrings, trailing commas, quote style or line ends differ."""
    SOFT = "soft"
    """Only type annotations or imports differ."""
    SUBSTANTIVE = "substantive"


class Comparison(NamedTuple):
    """A difference, the level that decided it, and why a coarser level had to."""

    difference: Difference
    level: Level
    note: str | None = None


def of_outlines(old: Outline, new: Outline) -> Difference:
    """How two contents with unequal bytes differ; the outlines must be of one level."""
    return _of(old.digest, old.core, new.digest, new.core)


def of_symbols(old: Symbol, new: Symbol) -> Difference:
    """How two definitions differ: COSMETIC at least, since bytes are not looked at."""
    return _of(old.digest, old.core, new.digest, new.core)


def _of(old: str, old_core: str, new: str, new_core: str) -> Difference:
    if old == new:
        return Difference.COSMETIC
    return Difference.SOFT if old_core == new_core else Difference.SUBSTANTIVE


def comparable(old: str, new: str) -> bool:
    """Whether two digests were made at the same level, so that their inequality means something."""
    return old[:1] == new[:1]


_ORDER = tuple(Difference)


def worst_of(differences: Iterable[Difference]) -> Difference:
    """The weightiest of some differences; SAME when there are none."""
    return max(differences, key=_ORDER.index, default=Difference.SAME)
