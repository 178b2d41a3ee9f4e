"""Which slots differ between two texts on one topic (recall.md "Same fact, close fact, contradiction", rule 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from gitmem.drift.vocabulary import ENGLISH_TERMS
from gitmem.promotion.opposites import denials, opposition
from gitmem.promotion.quantities import Quantity
from gitmem.promotion.slot import Slot, SlotKind
from gitmem.promotion.wording import Name, Wording


def differing(ours: Wording, theirs: Wording) -> tuple[Slot, ...]:
    """Slots that the two fill differently; what only one of them mentions is no difference."""
    return (*_numbers(ours, theirs), *_names(ours, theirs), *_polarity(ours, theirs))


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
    if left and right and not (all(one.plain for one in left) and all(one.plain for one in right)):
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


def _polarity(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    denied = (denials(ours.masked) - denials(theirs.masked)) % 2 == 1
    opposed = opposition(ours.masked, theirs.masked)
    if denied and not opposed:
        says, denies = "says it", "denies it"
        first = denials(ours.masked) % 2
        yield Slot(SlotKind.POLARITY, denies if first else says, says if first else denies)
    if opposed and (not denied or len(opposed) > 1):
        yield from (Slot(SlotKind.OPPOSITE, one.ours, one.theirs) for one in opposed)
