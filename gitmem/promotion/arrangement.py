"""How the words of two texts are arranged: the same ones the other way round, or one thing in another's place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from gitmem.promotion.roles import PASSIVE, is_noun_phrase, role
from gitmem.promotion.stemming import Term
from gitmem.promotion.wording import Wording

_LONGEST_PHRASE: Final = 2
_LEAST_SHARED: Final = 2
Terms = tuple[Term, ...]


def swapped(ours: Wording, theirs: Wording) -> tuple[str, str] | None:
    """Two things that have changed places between texts that hold the same words; None when none have.

    A passive that only one side has, a word that changed its form alone, and particles that give the words the same parts
    on both sides undo it.
    """
    left, right = ours.stems, theirs.stems
    if left == right or Counter(left) != Counter(right):
        return None
    if (PASSIVE.search(ours.masked) is None) != (PASSIVE.search(theirs.masked) is None):
        return None
    found = next(_exchanged(left, right), None)
    return found and _told(ours, theirs, found)


class _Exchange(NamedTuple):
    """Where two things stand: places among the words of ours and of theirs, from and to."""

    first: tuple[int, int]
    second: tuple[int, int]
    first_there: tuple[int, int]
    second_there: tuple[int, int]


def _exchanged(left: tuple[str, ...], right: tuple[str, ...]) -> Iterator[_Exchange]:
    """Ways to read the right as the left with two things exchanged: ``X between Y`` and ``Y between X``."""
    head = _common(left, right)
    tail = _common(left[head:][::-1], right[head:][::-1])
    end = len(left) - tail
    middle, other = left[head:end], right[head:end]
    for one in range(1, _LONGEST_PHRASE + 1):
        for two in range(1, _LONGEST_PHRASE + 1):
            if one + two > len(middle):
                continue
            ends_meet = middle[:one] == other[-one:] and middle[-two:] == other[:two]
            if ends_meet and middle[one : len(middle) - two] == other[two : len(other) - one]:
                yield _Exchange((head, head + one), (end - two, end), (end - one, end), (head, head + two))


def _told(ours: Wording, theirs: Wording, found: _Exchange) -> tuple[str, str] | None:
    first, second = ours.terms[slice(*found.first)], ours.terms[slice(*found.second)]
    first_there, second_there = (
        theirs.terms[slice(*found.first_there)],
        theirs.terms[slice(*found.second_there)],
    )
    if _is_another_form(ours, first, theirs, first_there) != _is_another_form(
        ours, second, theirs, second_there
    ):
        return None
    verbs = zip(ours.terms[slice(found.first[1], found.second[0])], _between(theirs, found), strict=True)
    if any(_is_another_form(ours, (one,), theirs, (there,)) for one, there in verbs):
        return None
    parts = [
        (role(ours.text, one[-1]), role(theirs.text, there[-1]))
        for one, there in ((first, first_there), (second, second_there))
    ]
    if any(here is not None and here == there for here, there in parts):
        return None
    is_beside = found.first[1] == found.second[0]
    if is_beside and not any(here and there for here, there in parts):
        return None  # two words that stand together may well change places
    return _phrase(ours, first), _phrase(ours, second)


def _between(theirs: Wording, found: _Exchange) -> Terms:
    return theirs.terms[slice(found.second_there[1], found.first_there[0])]


def _is_another_form(ours: Wording, one: Terms, theirs: Wording, there: Terms) -> bool:
    """Whether a word is ``stored`` on one side and ``store`` on the other: then the sentence was turned, not its sense."""
    here, other = _phrase(ours, one).casefold(), _phrase(theirs, there).casefold()
    return here.endswith(("ed", "ing")) != other.endswith(("ed", "ing"))


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


def _phrase(wording: Wording, terms: Terms) -> str:
    return re.sub(r"[`*]", "", wording.text[terms[0].start : terms[-1].end])
