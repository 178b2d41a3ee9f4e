"""Which slots differ between two texts on one topic (recall.md "Same fact, close fact, contradiction", rule 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from gitmem.drift.vocabulary import ENGLISH_TERMS
from gitmem.promotion.arrangement import replaced, swapped
from gitmem.promotion.opposites import opposition
from gitmem.promotion.quantities import Quantity
from gitmem.promotion.slot import Slot, SlotKind
from gitmem.promotion.wording import Name, Wording


def differing(ours: Wording, theirs: Wording) -> tuple[Slot, ...]:
    """Slots that the two fill differently; what only one of them mentions is no difference."""
    found = [*_numbers(ours, theirs), *_names(ours, theirs), *_polarity(ours, theirs)]
    if found:
        return tuple(found)
    return (*_arrangement(ours, theirs),)


def _numbers(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    left, right = _left_over(ours.numbers, theirs.numbers), _left_over(theirs.numbers, ours.numbers)
    for one in left:
        other = next((two for two in right if two.unit == one.unit), None)
        if other is not None:
            right.remove(other)
            noun = next((f" {name}" for name in (one.noun, other.noun) if name), "")
            yield Slot(SlotKind.NUMBER, one.text, f"{other.text}{noun}")


def _left_over(ours: tuple[Quantity, ...], theirs: tuple[Quantity, ...]) -> list[Quantity]:
    there = Counter(one.key for one in theirs)
    return [one for one in ours if not there[one.key]]


def _names(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    left, right = _lacking(ours, theirs), _lacking(theirs, ours)
    if left and right:
        yield Slot(SlotKind.NAME, _told(left), _told(right))


def _told(names: list[Name]) -> str:
    return ", ".join(dict.fromkeys(one.text for one in names))


def _lacking(ours: Wording, theirs: Wording) -> list[Name]:
    """Names that the other text has in no spelling."""
    other, known = theirs.squashed, {name.key for name in theirs.names}
    return [
        one
        for one in ours.names
        if one.key not in known and not (len(one.key) > 4 and one.key in other) and not _is_said(one, theirs)
    ]


def _is_said(name: Name, theirs: Wording) -> bool:
    """Whether the other text has the name as an ordinary word, in English or in Korean, Japanese or Chinese."""
    if re.search(rf"(?<![a-z0-9]){re.escape(name.text.casefold())}(?![a-z0-9])", theirs.text.casefold()):
        return True
    return any(name.key in english.split() and term in theirs.text for term, english in ENGLISH_TERMS.items())


_FLIPPED: Final = 0.15
"""Share of the words of both that are said on one side and denied on the other, from which two lessons may contradict."""


def _polarity(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    opposed = opposition(ours.masked, theirs.masked)
    flipped = _flipped(ours, theirs)
    if flipped and not opposed:
        first = next(term.stem for term in ours.terms if term.stem in flipped)
        words = ("denies it", "says it")
        yield Slot(
            SlotKind.POLARITY, words[not ours.signs.denied[first]], words[not theirs.signs.denied[first]]
        )
    if opposed and (not flipped or len(opposed) > 1):
        yield from (Slot(SlotKind.OPPOSITE, one.ours[0], one.theirs[0]) for one in opposed)


def _flipped(ours: Wording, theirs: Wording) -> set[str]:
    """Words that one side says and the other denies; none unless what is denied is itself on both sides."""
    left, right = ours.signs, theirs.signs
    shared = left.denied.keys() & right.denied.keys()
    flipped = {stem for stem in shared if left.denied[stem] != right.denied[stem]}
    focused = flipped & (left.focus | right.focus)
    return flipped if focused and len(flipped) >= _FLIPPED * len(shared) else set()


def _arrangement(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    if (pair := swapped(ours, theirs)) is not None:
        one, other = pair
        yield Slot(SlotKind.ORDER, f"{one} … {other}", f"{other} … {one}")
    elif (pair := replaced(ours, theirs)) is not None:
        yield Slot(SlotKind.NAME, *pair)
