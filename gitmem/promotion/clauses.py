"""A sentence cut into clauses, each said or denied; so that of two lessons each word can be asked whether it is denied.

"Sent through the outbox, never from a request" and "never through the outbox, sent from a request" hold the same words
and as many denials; only word by word are they opposites. A contrast (``X instead of Y``, ``Y 대신 X``) denies Y.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

from gitmem.promotion.opposites import denials
from gitmem.promotion.stemming import Term, terms

_BOUNDARY: Final = re.compile(
    r"[.!?](?=\s|$)|[;:)]|[,(](?!\s?(?:except|without|outside)\b)|[。、！？，；：]|\s[-–—]+\s"
    r"|\s(?=(?:so|because|since|but|unless|while|whereas|when|if|otherwise|rather than|instead of|in place of|as opposed to|once|until)\s)|\s(?=and\s(?:not|never|no|must|do|does|is|are|may)\s)"
    r"|\b(?=(?:instead of|rather than)\s)|(?<=prefer)\s(?=\S)|\s(?=over\s)"
    r"|(?<=[가-힣])(?<=[고며니면게록서데])\s(?!\s*(?:안|못|되|된|됩|됨|하려|하기)(?![가-힣]*[을를이가은는]\s))"
    r"|(?<=[해아어]야)\s(?!한|합|하|된|됩|되|함|할)|(?<=므로)\s|(?<=지만)\s|(?<=때문에)\s|(?<=[아어여해]도)\s(?!된|됩|되|좋|괜)|(?<=[은한] 뒤)에?\s|(?<=[은한] 다음)에?\s"
)
_CONTRAST: Final = re.compile(r"\W*(?:rather than|instead of|in place of|as opposed to)\s")
_OVER: Final = re.compile(r"\W*over\s")
_ELSE: Final = re.compile(
    r"\W*(?:or|or else|otherwise|lest)\s|\W*(?:아니면|안 그러면|그러지 않으면|그렇지 않으면)"
)
_PURPOSE: Final = re.compile(r"^\W*so that\s|(?:않게|않도록|없게|없도록)(?:\s?하려면)?\s*$|지 않으려면\s*$")
_EVEN: Final = re.compile(r"\W*not even\b")
_UNLESS: Final = re.compile(r"\W*unless\s")
_PHRASE_ENDS: Final = re.compile(r"\s(?:in|for|on|at|to|by|when|where|from|inside|within)\s")
_LEFT_OUT: Final = re.compile(
    r"(?<![^\s,])(?P<word>[^\s,]{1,60}?)(?:이|가|은|는|을|를)?\s?(?:(?<!지 )(?:대신(?:에)?|말고|없이)(?=\s|$)|아니라|아닌(?=\s)|(?<=[가-힣A-Za-z0-9`)\ufffc])보다(?=\s))"
    r"|\b(?:without|except(?: for| in)?|outside(?: of)?)\s(?:the |an? |any )?(?P<thing>[^\s,.;:]{1,60})"
)
_VERB: Final = re.compile(r"지(?:는|도)?$")


class Clause(NamedTuple):
    """A part of a sentence.

    Args:
        start: Where it begins.
        end: One past its last character.
        denied: Whether it is denied.
        at: Where the first denial begins and ends.
    """

    start: int
    end: int
    denied: bool
    at: tuple[int, int] | None = None


class Signs(NamedTuple):
    """What a text says of its words.

    Args:
        denied: Which stems are said (False) and which denied (True); those that are both, or neither, are left out.
        clauses: The clauses, in order.
        focus: Stems that are denied themselves: what is not done, what there is none of.
    """

    denied: Mapping[str, bool]
    clauses: tuple[Clause, ...]
    focus: frozenset[str]

    def denied_at(self, place: int) -> bool:
        """Whether the clause at a place is denied."""
        return any(one.denied for one in self.clauses if one.start <= place < one.end)


def clauses(masked: str) -> Iterator[Clause]:
    """The clauses of a text in which names are blanked out; what happens else and what is to be prevented are left out."""
    at = 0
    for match in (*_BOUNDARY.finditer(masked), None):
        end = match.start() if match else len(masked)
        if masked[at:end].strip():
            yield from _cut(masked, at, end)
        at = match.end() if match else end


def _cut(masked: str, start: int, end: int) -> Iterator[Clause]:
    text = masked[start:end]
    if _ELSE.match(text) or _PURPOSE.search(text) or _UNLESS.match(text):
        return
    left_out = list(_left_out(masked, start, end))
    plain = text
    for first, last, _, _ in left_out:
        plain = plain[: first - start] + " " * (last - first) + plain[last - start :]
    found = denials(plain)
    denied = len(found) % 2 == 1
    contrast = _CONTRAST.match(text) or ("prefer" in masked[:start] and _OVER.match(text))
    if contrast:
        start += contrast.end()
        stop = _PHRASE_ENDS.search(masked, start, end)
        middle = stop.start() if stop else end
        yield Clause(start, middle, not denied, (start, start))
        start = middle
    if "without" in text and denied:
        denied, left_out = False, []
    at, told = start, None if _EVEN.match(text) else _first(found, start)
    for first, last, word_start, word_end in left_out:
        yield Clause(at, first, denied, told)
        yield Clause(word_start, word_end, not denied, (word_start, word_start))
        at = last
    yield Clause(at, end, denied, told)


def _first(found: list[tuple[int, int]], start: int) -> tuple[int, int] | None:
    return (found[0][0] + start, found[0][1] + start) if found else None


def _left_out(masked: str, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """What is named to say that it is not meant: the whole match, and the word."""
    for match in _LEFT_OUT.finditer(masked, start, end):
        group = "word" if match["word"] is not None else "thing"
        if not _VERB.search(match[group]):
            yield (*match.span(), *match.span(group))


def signs(text: str, masked: str) -> Signs:
    """What is said and what denied in a text."""
    found: dict[str, set[bool]] = {}
    focus: set[str] = set()
    cut = _without_double_denials(tuple(clauses(masked)), masked)
    for clause in cut:
        here = list(terms(text, clause.start, clause.end))
        for term in here:
            found.setdefault(term.stem, set()).add(clause.denied)
        if clause.denied and clause.at is not None:
            focus |= _focus(here, clause.at, masked)
    return Signs(
        {stem: next(iter(both)) for stem, both in found.items() if len(both) == 1}, cut, frozenset(focus)
    )


_IF_NOT: Final = re.compile(r"(?:으면|니면|않으면|없이는)\s*$")


def _without_double_denials(cut: tuple[Clause, ...], masked: str) -> tuple[Clause, ...]:
    """``관리자가 아니면 접근할 수 없다`` says the same as ``관리자만 접근할 수 있다``."""
    kept = list(cut)
    for at, (one, other) in enumerate(pairwise(cut)):
        if one.denied and other.denied and _IF_NOT.search(masked[one.start : one.end]):
            kept[at : at + 2] = [one._replace(denied=False), other._replace(denied=False)]
    return tuple(kept)


_VERB_LAST: Final = re.compile(r"[가-힣ぁ-ゖ]")


def _focus(here: list[Term], at: tuple[int, int], masked: str) -> set[str]:
    """The word that a denial denies: before it in Korean and Japanese, else behind it; all where there is none."""
    if _VERB_LAST.search(masked):
        before = [term for term in here if term.start < at[0]] or here[:1]
        return {term.stem for term in before if term.end == before[-1].end} if before else set()
    behind = [term.stem for term in here if term.start >= at[1]]
    return set(behind[:1]) if behind else {term.stem for term in here}
