"""Two sentences that are word for word alike but for one word, or for two that have changed places.

Stems and names do not see all of it: ``==`` against ``!=``, ``C`` against ``C++``, "Client A trusts Client B".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gitmem.promotion.sameness import Piece, apart_at, pieces
from gitmem.promotion.slot import Slot, SlotKind

_FORMED: Final = re.compile(r"[^\W\d_]*(?:['-][^\W\d_]+)*")
_NO_SIGNS: Final = re.compile(r"[\w\s./()\[\]`\"'“”‘’«»「」『』:-]+")
_BETWEEN_EQUALS: Final = frozenset(
    [
        "and",
        "or",
        "nor",
        "with",
        "vs",
        "versus",
        "equals",
        "both",
        "&",
        "/",
        "+",
        ",",
        ";",
        "와",
        "과",
        "이나",
        "나",
        "랑",
        "및",
        "또는",
        "혹은",
        "그리고",
        "하고",
    ]
)


def only_change(one: str, other: str) -> tuple[Piece, Piece] | None:
    """The one word that differs between two texts of as many words; None when none or several do."""
    ours, theirs = pieces(one), pieces(other)
    apart = _apart(ours, theirs)
    return (ours[apart[0]], theirs[apart[0]]) if len(apart) == 1 and len(ours) > 1 else None


def exchanged(one: str, other: str) -> Iterator[Slot]:
    """The slot that differs, where one sign, name or letter does, or two words stand in each other's place."""
    change = only_change(one, other)
    if change is not None and _tells_apart(*change):
        yield Slot(SlotKind.NAME, change[0].written, change[1].written)
    yield from _swapped(pieces(one), pieces(other))


def _apart(ours: Sequence[Piece], theirs: Sequence[Piece]) -> list[int]:
    return apart_at(ours, theirs) if len(ours) == len(theirs) else []


def _tells_apart(one: Piece, other: Piece) -> bool:
    """Whether both are names or signs, and two of them, not two spellings of one."""
    if one.is_mark or other.is_mark or not (_is_formed(one) and _is_formed(other)):
        return False
    if one.written[:1].isdigit() and other.written[:1].isdigit():
        return False  # numbers are compared by what they are worth
    left, right = _letters(one), _letters(other)
    return left != right or not left or _signs(one) != _signs(other)


def _is_formed(piece: Piece) -> bool:
    return piece.is_code or piece.written.isupper() or _FORMED.fullmatch(piece.written) is None


def _letters(piece: Piece) -> str:
    return re.sub(r"[\W_]+", "", piece.folded)


def _signs(piece: Piece) -> str:
    """What is left without letters and the signs that names are spelled with in more than one way."""
    return _NO_SIGNS.sub("", piece.written)


def _swapped(ours: Sequence[Piece], theirs: Sequence[Piece]) -> Iterator[Slot]:
    """Two words that stand for each other; Korean words take their part along in a particle, so only bare ones count."""
    apart = _apart(ours, theirs)
    if len(apart) != len(("one", "other")):
        return
    first, second = (ours[at] for at in apart)
    is_turned = first.is_as(theirs[apart[1]]) and second.is_as(theirs[apart[0]])
    between = ours[apart[0] + 1 : apart[1]]
    is_a_list = all(piece.is_mark or piece.folded in _BETWEEN_EQUALS for piece in between)
    if is_turned and not is_a_list and not any(_is_korean(one) or one.is_mark for one in (first, second)):
        yield Slot(
            SlotKind.ORDER,
            f"{first.written} … {second.written}",
            f"{second.written} … {first.written}",
        )


def _is_korean(piece: Piece) -> bool:
    return re.search(r"[가-힣]", piece.written) is not None
