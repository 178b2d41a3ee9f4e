"""How the words of two texts are arranged: the same ones the other way round, or one thing in another's place."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from gitmem.promotion.roles import PASSIVE, is_noun_phrase, role
from gitmem.promotion.stemming import Term
from gitmem.promotion.wording import Wording

_LONGEST_PHRASE: Final = 2
_LEAST_SHARED: Final = 2


def swapped(ours: Wording, theirs: Wording) -> tuple[str, str] | None:
    """Two words that have changed places between texts that hold the same words; None when none have.

    A passive that only one side has, and particles that give the words the same parts on both sides, undo it.
    """
    left, right = ours.stems, theirs.stems
    if left == right or Counter(left) != Counter(right):
        return None
    places = [at for at, (one, other) in enumerate(zip(left, right, strict=True)) if one != other]
    once = Counter(left)
    if len(places) != 2 or once[left[places[0]]] > 1 or once[left[places[1]]] > 1:
        return None
    if (PASSIVE.search(ours.masked) is None) != (PASSIVE.search(theirs.masked) is None):
        return None
    first, second = places
    if _is_another_form(ours, theirs, first, second) != _is_another_form(ours, theirs, second, first):
        return None
    if _keeps_its_part(ours, theirs, first, second) or _keeps_its_part(ours, theirs, second, first):
        return None
    return _word(ours, first), _word(ours, second)


def _is_another_form(ours: Wording, theirs: Wording, there: int, here: int) -> bool:
    """Whether a word is ``stored`` on one side and ``store`` on the other: then the sentence was turned, not its sense."""
    one, other = _word(ours, there).casefold(), _word(theirs, here).casefold()
    return one.endswith(("ed", "ing")) != other.endswith(("ed", "ing"))


def _keeps_its_part(ours: Wording, theirs: Wording, there: int, here: int) -> bool:
    """Whether a word has the same particle on both sides: Korean tells by it, not by the order."""
    one, other = role(ours.text, ours.terms[there]), role(theirs.text, theirs.terms[here])
    return one is not None and one == other


def replaced(ours: Wording, theirs: Wording) -> tuple[str, str] | None:
    """The one thing that stands in another's place in texts that are otherwise word for word alike."""
    left, right = ours.stems, theirs.stems
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    one, other = ours.terms[head : len(left) - tail], theirs.terms[head : len(right) - tail]
    if not (0 < len(one) <= _LONGEST_PHRASE and 0 < len(other) <= _LONGEST_PHRASE):
        return None
    if head + tail < max(_LEAST_SHARED, len(one), len(other)):
        return None
    if not (is_noun_phrase(ours.text, one) and is_noun_phrase(theirs.text, other)):
        return None
    return _phrase(ours, one), _phrase(theirs, other)


def _common(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    """How many stems both begin with."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _word(wording: Wording, at: int) -> str:
    return _phrase(wording, (wording.terms[at],))


def _phrase(wording: Wording, terms: tuple[Term, ...]) -> str:
    return re.sub(r"[`*]", "", wording.text[terms[0].start : terms[-1].end])
