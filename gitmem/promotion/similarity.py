"""Same fact, close fact or contradiction: the five rules of recall.md, on words alone or with a model's cosine beside them.

gitmem never picks a winner: a conflict waits for a person, and newest does not win. A false merge would lose a fact, so
everything that could be another fact is at most `Band.SAME_MAYBE`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from gitmem.promotion.arrangement import replaced
from gitmem.promotion.closeness import dice, shared_words, token_sort_ratio
from gitmem.promotion.exchange import exchanged, only_change
from gitmem.promotion.overlap import overlaps
from gitmem.promotion.sameness import is_said_again, words_of
from gitmem.promotion.slot import Slot, SlotKind
from gitmem.promotion.slots import differing
from gitmem.promotion.statement import BODY_HEAD, Statement, replaces, told_apart
from gitmem.promotion.wording import Wording, wording

TOPIC_COSINE: Final = 0.82
TOPIC_TOKENS: Final = 0.70
TOPIC_GRAMS: Final = 0.65
TOPIC_WORDS: Final = 0.65
_LEAST_LETTERS: Final = 0.55
"""Letters see little of a Korean verb in two forms; stems do."""
SAME_COSINE: Final = 0.94
SAME_TOKENS: Final = 0.80


class Band(StrEnum):
    """How two statements stand to each other.

    Args:
        SAME: One fact said twice: count a confirmation, store nothing.
        SAME_MAYBE: Perhaps one fact: store it and show the other one, the writer or a person says.
        CLOSE: One topic, another fact.
        CONFLICT: One topic, and a slot says otherwise: a person decides.
        DIFFERENT: Nothing to do with each other.
    """

    SAME = "same"
    SAME_MAYBE = "same?"
    CLOSE = "close"
    CONFLICT = "conflict"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Likeness:
    """What comparing two statements gave.

    Args:
        band: How they stand to each other.
        similarity: From 0 to 1; the cosine when there is one.
        slots: What differs, the first statement's side first.
    """

    band: Band
    similarity: float
    slots: tuple[Slot, ...] = ()

    @property
    def reason(self) -> str:
        """For people: what differs; empty when nothing does."""
        return "; ".join(f"{slot.kind}: {slot.words}" for slot in self.slots)

    @property
    def turned(self) -> Likeness:
        """The same, seen from the other statement."""
        return replace(self, slots=tuple(slot.turned for slot in self.slots))


_DIFFERENT: Final = Likeness(Band.DIFFERENT, 0.0)


def compare(one: Statement, other: Statement, cosine: float | None = None) -> Likeness:
    """Judge two statements; symmetric but for the sides of the slots.

    Args:
        one: The new statement.
        other: One that is known.
        cosine: Of their vectors on the common scale of models, when a provider has them.
    """
    ours, theirs = wording(one.summary), wording(other.summary)
    tokens, grams = token_sort_ratio(ours.bare, theirs.bare), dice(ours.bare, theirs.bare)
    words = shared_words(ours.stems, theirs.stems)
    similarity = round(cosine if cosine is not None else max(tokens, grams), 4)
    again = is_said_again(one.summary, other.summary)
    is_topic = _is_one_topic(tokens, grams, words, cosine) or again or ours.bare == theirs.bare
    if not (is_topic or replaced(ours, theirs) or only_change(one.summary, other.summary)):
        return replace(_DIFFERENT, similarity=similarity)
    said = () if again else _told_apart(one.summary, other.summary)
    if not (said or is_topic or replaced(ours, theirs)):
        return replace(_DIFFERENT, similarity=similarity)
    slots = (*said, *_title_and_body(one, other))
    band = _band(one, other, slots)
    if band is not None:
        return Likeness(band, similarity, slots)
    if again and _spelled_alike(ours, theirs) and _same_place(one, other):
        return Likeness(Band.SAME, similarity)
    maybe = again or tokens >= SAME_TOKENS or (cosine is not None and cosine > SAME_COSINE)
    return Likeness(Band.SAME_MAYBE if maybe else Band.CLOSE, similarity)


def _told_apart(one: str, other: str) -> tuple[Slot, ...]:
    """The slots that differ. Marks alone cut a sentence in too many ways to tell a contradiction by its clauses."""
    ours, theirs = wording(one), wording(other)
    found = () if ours.bare == theirs.bare else differing(ours, theirs)
    if any(slot.kind is not SlotKind.CONDITION for slot in found):
        return found
    return (*found, *exchanged(one, other))


def _is_one_topic(tokens: float, grams: float, words: float, cosine: float | None) -> bool:
    """Either sees it. A model alone would lose conflicts: what is denied or renamed stands further apart than .82."""
    if cosine is not None and cosine >= TOPIC_COSINE:
        return True
    by_words = words >= TOPIC_WORDS and max(tokens, grams) >= _LEAST_LETTERS
    return tokens >= TOPIC_TOKENS or grams >= TOPIC_GRAMS or by_words


_TOLD_BESIDE: Final = frozenset({SlotKind.NUMBER, SlotKind.POLARITY, SlotKind.OPPOSITE})
"""Slots that count in a title or body. Names do not: what explains a fact may name anything."""


def _title_and_body(one: Statement, other: Statement) -> Iterator[Slot]:
    """What differs in title and body where both have one, and they speak of the same."""
    for ours, theirs in ((one.title, other.title), (one.body[:BODY_HEAD], other.body[:BODY_HEAD])):
        if ours and theirs and _is_alike(wording(ours), wording(theirs)):
            found = differing(wording(ours), wording(theirs))
            yield from (slot for slot in found if slot.kind in _TOLD_BESIDE)


def _is_alike(ours: Wording, theirs: Wording) -> bool:
    return token_sort_ratio(ours.bare, theirs.bare) >= TOPIC_TOKENS


def _band(one: Statement, other: Statement, slots: tuple[Slot, ...]) -> Band | None:
    """What the slots decide; None when none differs."""
    if not slots:
        return None
    against = any(slot.kind is not SlotKind.CONDITION for slot in slots)
    lifted = replaces(one, other) or told_apart(one, other) or not overlaps(one.scope, other.scope)
    return Band.CONFLICT if against and not lifted else Band.CLOSE


def _spelled_alike(ours: Wording, theirs: Wording) -> bool:
    left, right = _spellings(ours), _spellings(theirs)
    return all(left[key] == right[key] for key in left.keys() & right.keys())


def _spellings(wording: Wording) -> dict[str, set[str]]:
    """How each name is written: ``map`` and ``Map`` are two names."""
    found: dict[str, set[str]] = {}
    for name in wording.names:
        found.setdefault(name.key, set()).add(name.text)
    return found


def fact_key(text: str) -> str:
    """The same for two texts that `compare` can take for one fact, so that thousands need not be compared in pairs."""
    return " ".join(piece.folded for piece in words_of(text))


def _same_place(one: Statement, other: Statement) -> bool:
    """Whether a fact told of one place may be counted as said of the other: title, body and scope do not speak against it."""
    told = ((one.title, other.title), (one.body, other.body))
    return overlaps(one.scope, other.scope) and all(
        is_said_again(ours, theirs) for ours, theirs in told if ours and theirs
    )
