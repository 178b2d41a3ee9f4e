"""Which slots differ between two texts on one topic (recall.md "Same fact, close fact, contradiction", rule 2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from gitmem.drift.vocabulary import ENGLISH_TERMS
from gitmem.promotion.arrangement import replaced, swapped
from gitmem.promotion.closeness import dice_of_words
from gitmem.promotion.opposites import Opposition, opposition
from gitmem.promotion.quantities import Quantity
from gitmem.promotion.slot import Slot, SlotKind
from gitmem.promotion.wording import Name, Wording


def differing(ours: Wording, theirs: Wording) -> tuple[Slot, ...]:
    """Slots that the two fill differently; what only one of them mentions is no difference."""
    found = [*_numbers(ours, theirs), *_names(ours, theirs), *_polarity(ours, theirs)]
    if found:
        return tuple(found)
    return (*_conditions(ours, theirs),) or (*_arrangement(ours, theirs),)


def _numbers(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    left, right = _left_over(ours.numbers, theirs.numbers), _left_over(theirs.numbers, ours.numbers)
    for one in left:
        other = next((two for two in right if two.dimension == one.dimension), None)
        if other is not None:
            right.remove(other)
            noun = next((f" {name}" for name in (one.noun, other.noun) if name), "")
            yield Slot(SlotKind.NUMBER, one.text, f"{other.text}{noun}")


def _left_over(ours: tuple[Quantity, ...], theirs: tuple[Quantity, ...]) -> list[Quantity]:
    there = Counter(one.key for one in theirs)
    return [one for one in ours if not there[one.key]]


_FRAME: Final = 0.6
"""Share of the other words that both must have, so that two names stand in one place of one sentence."""


def _names(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    left, right = _lacking(ours, theirs), _lacking(theirs, ours)
    if left and right and _frame(ours, left, theirs, right) >= _FRAME:
        yield Slot(SlotKind.NAME, _told(left), _told(right))


def _frame(ours: Wording, left: list[Name], theirs: Wording, right: list[Name]) -> float:
    """How alike the two are without their names, by words."""
    return dice_of_words(_without(ours, left), _without(theirs, right))


def _without(wording: Wording, names: list[Name]) -> list[str]:
    spans = [(one.start, one.start + len(one.text)) for one in names]
    return [one.stem for one in wording.terms if not any(start <= one.start < end for start, end in spans)]


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
    return not name.is_code and any(
        name.key in english.split() and term in theirs.text for term, english in ENGLISH_TERMS.items()
    )


_FLIPPED: Final = 0.1
"""Share of the words of both that are said on one side and denied on the other, from which two lessons may contradict."""


def _polarity(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    opposed = opposition(ours.masked, theirs.masked)
    undone = [one for one in opposed if _is_undone(one, ours, theirs)]
    flipped = _flipped(ours, theirs, undone)
    if flipped:
        first = next(term.stem for term in ours.terms if term.stem in flipped)
        sides = [("says it", "denies it")[one.signs.denied[first]] for one in (ours, theirs)]
        yield Slot(SlotKind.POLARITY, *sides)
    for one in opposed:
        if one not in undone:
            yield Slot(SlotKind.OPPOSITE, one.ours[0], one.theirs[0])


def _is_undone(one: Opposition, ours: Wording, theirs: Wording) -> bool:
    """Whether an opposite says the same after all: one side denies it, or before and after stand at other events."""
    if ours.signs.denied_at(one.ours.start()) != theirs.signs.denied_at(one.theirs.start()):
        return True
    return one.is_order and _anchor(ours, one.ours) != _anchor(theirs, one.theirs)


def _anchor(wording: Wording, marker: re.Match[str]) -> str | None:
    """What ``before`` or ``after`` stands at: the word behind it, in Korean the one before it."""
    if marker[0].isascii():
        return next((term.stem for term in wording.terms if term.start >= marker.end()), None)
    return next((term.stem for term in reversed(wording.terms) if term.end <= marker.start()), None)


def _flipped(ours: Wording, theirs: Wording, undone: list[Opposition]) -> set[str]:
    """Words that one side says and the other denies; none unless what is denied is itself on both sides."""
    left, right = ours.signs, theirs.signs
    shared = left.denied.keys() & right.denied.keys()
    flipped = {stem for stem in shared if left.denied[stem] != right.denied[stem]}
    for one in undone:
        flipped -= _stems_beside(ours, one.ours.start())
        flipped -= _stems_beside(theirs, one.theirs.start())
    focused = flipped & (left.focus | right.focus)
    return flipped if focused and len(flipped) >= _FLIPPED * len(shared) else set()


def _stems_beside(wording: Wording, place: int) -> set[str]:
    """The words of the clause at a place."""
    spans = [one for one in wording.signs.clauses if one.start <= place < one.end]
    return {
        term.stem
        for term in wording.terms
        if any(
            one.start <= term.start < one.end and one.denied == wording.signs.denied.get(term.stem)
            for one in spans
        )
    }


_SAME_RULE: Final = 0.75
_OTHER_CASE: Final = 0.34


def _conditions(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    """When it holds, where both say so in other words and the rest is the same."""
    left, right = _case(ours), _case(theirs)
    if not (left and right):
        return
    case = dice_of_words(_stems_in(ours, *left), _stems_in(theirs, *right))
    rest = dice_of_words(_stems_around(ours, *left), _stems_around(theirs, *right))
    if case <= _OTHER_CASE and rest >= _SAME_RULE:
        yield Slot(SlotKind.CONDITION, ours.text[slice(*left)].strip(), theirs.text[slice(*right)].strip())


def _case(wording: Wording) -> tuple[int, int] | None:
    """Where the one clause stands that says when; None when none or several do."""
    found = [
        (one.start, one.end)
        for one in wording.signs.clauses
        if _WHEN.search(wording.masked[one.start : one.end])
    ]
    return found[0] if len(found) == 1 else None


_WHEN: Final = re.compile(
    r"^\W*(?:when|whenever|if|while|until|unless|in case)\b|(?:[가-힣]면|[을할될] 때(?:는|에는)?|경우(?:에는|에|는)?)\s*$"
)


def _stems_in(wording: Wording, start: int, end: int) -> list[str]:
    return [one.stem for one in wording.terms if start <= one.start < end]


def _stems_around(wording: Wording, start: int, end: int) -> list[str]:
    return [one.stem for one in wording.terms if not start <= one.start < end]


def _arrangement(ours: Wording, theirs: Wording) -> Iterator[Slot]:
    if (pair := swapped(ours, theirs)) is not None:
        one, other = pair
        yield Slot(SlotKind.ORDER, f"{one} … {other}", f"{other} … {one}")
    elif (pair := replaced(ours, theirs)) is not None:
        yield Slot(SlotKind.NAME, *pair)
