"""Prohibitions and restrictions stated in words: what must not be used, where, and where alone it may be.

Words become a parsed claim – thing, verb, subjects, exempt places – and that becomes watches
(`gitmem.drift.forbidding`). English and Korean are equals; Japanese and Chinese are read where the same rules serve. The
patterns stand in `gitmem.drift.prohibition_words`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from gitmem.drift import prohibition_words as said
from gitmem.drift.bare_names import is_type_word
from gitmem.drift.claims import STAND_IN, without_names
from gitmem.drift.words import CJK, MAX_TEXT, Token, TokenKind, code_spans, code_tokens, is_literal


class Verb(StrEnum):
    """What must not be done with the thing."""

    IMPORT = "import"
    ADD = "add"
    USE = "use"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Prohibition:
    """One name that must not be used.

    Args:
        thing: The name.
        verb: What must not be done with it.
        subjects: Names that may say where it holds, the likeliest first.
        exempt: Names of the places where alone it may be used.
        soft: Whether another name is merely preferred, so that it holds only while the thing is not in use.
        but_tests: Whether tests may use it.
        taken_from: Whether the exempt place may be where the thing is imported from, as in ``import X only from Y``.
    """

    thing: Token
    verb: Verb = Verb.USE
    subjects: tuple[Token, ...] = ()
    exempt: tuple[Token, ...] = ()
    soft: bool = False
    taken_from: bool = False
    but_tests: bool = False


class _Span(NamedTuple):
    """A stretch of text whose names are prohibited, and the words that say so."""

    first: int
    last: int
    cue: str
    soft: bool = False


def prohibited(text: str) -> frozenset[Token]:
    """The names that the text says must not be used, called, imported, or that it says are not there.

    "Do not skip X" and "never edit X" prohibit nothing: they need X to exist. Nor does "never call X without Y".
    """
    return frozenset(one.thing for one in prohibitions(text))


def prohibitions(text: str) -> tuple[Prohibition, ...]:
    """The prohibitions of a text in the order of their names."""
    text = text[:MAX_TEXT]
    tokens = statement_tokens(text)
    plain = without_names(text, tokens)
    masked = without_names(text, [one for one in tokens if _is_nameable(one)], products=True)
    found: dict[Token, Prohibition] = {}
    for one in _restrictions(plain, masked, tokens):
        found.setdefault(one.thing, one)
    spared = {token for one in found.values() for token in one.exempt}
    for span in _spans(plain, masked):
        for token in _within(tokens, span.first, span.last):
            if _ARGUMENT.match(text, token.end) is not None:
                continue
            if token not in spared and (token not in found or (found[token].soft and not span.soft)):
                found[token] = Prohibition(token, _verb(span.cue), soft=span.soft)
    named = [token for token in tokens if token not in found]
    known: dict[tuple[int, int], _Beside] = {}
    placed = (_with_subjects(one, plain, named, known) for one in found.values())
    return tuple(sorted(placed, key=lambda one: one.thing.start))


_ARGUMENT = re.compile(r"\(\s*[A-Za-z_]\w*\s*[=:](?!=)")
"""``Server(port=...)``: what is spoken of is the argument, not whatever takes it."""


def _is_nameable(token: Token) -> bool:
    return token.kind is not TokenKind.PRODUCT or not token.text.islower()


def _within(tokens: Iterable[Token], first: int, last: int) -> list[Token]:
    return [token for token in tokens if first <= token.start and token.end <= last]


def _verb(cue: str) -> Verb:
    for verb, pattern in ((Verb.IMPORT, said.IMPORTS), (Verb.ADD, said.ADDS), (Verb.OTHER, said.OTHER)):
        if pattern.search(cue):
            return verb
    return Verb.USE


# where it holds
def _with_subjects(
    one: Prohibition, plain: str, tokens: Sequence[Token], known: dict[tuple[int, int], _Beside]
) -> Prohibition:
    """With who must not, told by the names of its sentence that are not prohibited themselves (`tokens`)."""
    if one.subjects or one.exempt:
        return one
    span = _sentence(plain, one.thing.start)
    if span not in known:
        known[span] = _beside(plain, span, tokens)
    places, others, but_tests = known[span]
    behind = [token for token in places if token.start > one.thing.end]
    ahead = [token for token in others if token.end <= one.thing.start]
    return replace(one, subjects=(*behind, *reversed(ahead)), but_tests=but_tests)


class _Beside(NamedTuple):
    """The names of one sentence: those behind a word of place, those that are no asides, and whether tests may."""

    places: Sequence[Token]
    others: Sequence[Token]
    but_tests: bool


def _beside(plain: str, span: tuple[int, int], tokens: Sequence[Token]) -> _Beside:
    first, last = span
    named = [token for token in _within(tokens, first, last) if token.kind is not TokenKind.PRODUCT]
    return _Beside(
        [token for token in named if said.PLACE_AHEAD.search(_before(plain, first, token.start))],
        [token for token in named if not said.ASIDE.search(_before(plain, first, token.start))],
        said.BUT_TESTS.search(plain, first, last) is not None,
    )


_AHEAD = 80
"""Characters before a name in which the words stand that say what it is."""


def _before(plain: str, first: int, at: int) -> str:
    while at > first and plain[at - 1] == STAND_IN:
        at -= 1
    return plain[max(first, at - _AHEAD) : at]


def _sentence(plain: str, at: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends."""
    ends = _sentence_ends(plain)
    place = bisect_left(ends, at)
    while place > 0 and (found := said.SENTENCE_END.match(plain, ends[place - 1], at)) is None:
        place -= 1
    first = found.end() if place > 0 and found else 0
    if at > 0 and plain[at - 1] in _FULL_STOPS:
        first = at
    end = said.SENTENCE_END.search(plain, at)
    return first, end.start() if end else len(plain)


@lru_cache(maxsize=8)
def _sentence_ends(plain: str) -> tuple[int, ...]:
    return tuple(match.start() for match in said.SENTENCE_END.finditer(plain))


_FULL_STOPS = frozenset(".!?。！？")


# only here
def _restrictions(plain: str, masked: str, tokens: tuple[Token, ...]) -> Iterator[Prohibition]:
    patterns = [(pattern, plain) for pattern in said.ONLY]
    if CJK.search(plain):
        patterns += [(pattern, masked) for pattern in said.ONLY_CJK]
    for pattern, words in patterns:
        for match in pattern.finditer(words):
            if said.NOT_ONLY.search(match.group()):
                continue
            places = tuple(_within(tokens, *match.span("places")))
            groups = match.groupdict()
            inside = groups.get("prep") is not None
            for thing in _within(tokens, *match.span("things")):
                verb = _verb(groups.get("verb") or match.group())
                if inside:
                    yield Prohibition(thing, verb, subjects=places)
                else:
                    source = said.TAKEN_FROM.search(match.group()) is not None
                    yield Prohibition(thing, verb, exempt=places, taken_from=source)


# never
def _spans(plain: str, masked: str) -> Iterator[_Span]:
    for match in said.ENGLISH_AHEAD.finditer(plain):
        cue = plain[match.start() : match.start("names")]
        if not said.NOT_ONLY.search(match.group()) and not _is_spared(plain, match, cue):
            soft = said.SOFT.search(cue) is not None or said.SOMETIMES.match(plain, match.end()) is not None
            yield _Span(*match.span("names"), cue, soft)
    for match in said.ENGLISH_BEHIND.finditer(plain):
        if not said.CONDITION.match(plain, match.end()):
            cue = plain[match.end("names") : match.end()]
            first, last = _after_place(plain, *match.span("names"))
            soft = said.SOMETIMES.match(plain, match.end()) is not None
            yield _Span(first, last, cue + _import_noun(plain[first:last]), soft)
    if CJK.search(plain):
        yield from _cjk_spans(masked)


def _import_noun(names: str) -> str:
    """``Importing`` and ``imports of`` before the names say the verb."""
    found = said.IMPORT_NOUN.search(names)
    return f" {found.group()}" if found else ""


def _is_spared(plain: str, match: re.Match[str], cue: str) -> bool:
    """Whether a condition follows or opens the sentence: what is done under a condition is done."""
    first, last = _sentence(plain, match.start())
    if said.WITHOUT.search(cue):
        return said.NEGATED.search(plain[first:last]) is not None
    opening = said.OPENING_CONDITION.match(plain[first : match.start()])
    return opening is not None or said.CONDITION.match(plain, match.end()) is not None


def _cjk_spans(masked: str) -> Iterator[_Span]:
    for match in (*said.KOREAN.finditer(masked), *said.JAPANESE.finditer(masked)):
        first, last = _sentence(masked, match.start())
        conditional = said.CONDITION_CJK.search(masked[first : match.start()]) is not None
        without = said.WITHOUT_CJK.search(match.group()) is not None
        if without and said.NEGATED_CJK.search(masked[match.end() : last]):
            continue
        if not conditional:
            soft = said.SOFT_CJK.search(match.group()) is not None
            yield _Span(_list_before(masked, match.start()), match.end(), match.group(), soft)
    for match in said.CHINESE_AHEAD.finditer(masked):
        first, last = _sentence(masked, match.start())
        after = said.CONDITION_CJK.search(masked[first : match.start()]) is not None
        absent = said.WITHOUT_CJK.search(match.group()) and said.NEGATED_CJK.search(
            masked[first : match.start()] + masked[match.end() : last]
        )
        if not (after or absent):
            end = re.compile(rf"(?:[\s`、,，和或及]|{STAND_IN})*").match(masked, match.end())
            soft = said.SOFT_CJK.search(match.group()) is not None
            yield _Span(match.end(), end.end() if end else match.end(), match.group(), soft)


def _after_place(plain: str, first: int, last: int) -> tuple[int, int]:
    """Of "In A, B must not be used", "importing B from A is forbidden", "A → B is forbidden" the part that is B."""
    place = re.match(r"(?i)\s*(?:in|inside|within|under|for)\s[^,]*,\s", plain[first:last])
    first = first + place.end() if place else first
    arrow = said.ARROW.search(plain, first, last)
    first = arrow.end() if arrow else first
    behind = re.search(rf"(?i){STAND_IN}(?P<place>\s(?:in|inside|within|under|from|by)\s)", plain[first:last])
    return first, first + behind.start("place") if behind else last


def _list_before(plain: str, at: int) -> int:
    """Where a list of names that ends at the name around `at` begins."""
    while True:
        while at > 0 and plain[at - 1] == STAND_IN:
            at -= 1
        end = at
        while end > 0 and plain[end - 1] == "`":
            end -= 1
        lowest = max(0, end - _LONGEST_NAME)
        joint = said.JOINT.search(plain, lowest, end) or said.JOINT.search(plain, lowest, at)
        if joint is None or joint.start() >= at:
            return at
        at = joint.start()


_LONGEST_NAME = 400
"""Characters, with what joins it to the next."""


def _with_type_words(text: str, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The names and the words in backticks that are names only where they are prohibited."""
    more = [
        Token(word, TokenKind.WORD, first + width, last - width, ticked=True)
        for first, last, width in code_spans(text)
        if is_type_word(word := text[first + width : last - width])
    ]
    return tuple(sorted([*tokens, *more], key=lambda one: one.start)) if more else tokens


def statement_tokens(text: str) -> tuple[Token, ...]:
    """The names of the text; a bare word whose use a Korean sentence forbids is one, as if it stood in backticks."""
    tokens = _with_type_words(text, code_tokens(text))
    if not said.KOREAN_BARE_CUE.search(text):
        return tokens
    strong = [one for one in tokens if _is_nameable(one)]
    bare = [
        Token(match.group(), TokenKind.WORD, *match.span())
        for match in said.BARE.finditer(without_names(text[:MAX_TEXT], strong, products=True))
        if not is_literal(match.group())
    ]
    plain = without_names(text[:MAX_TEXT], [*strong, *bare], products=True)
    spans = [(_list_before(plain, match.start()), match.end()) for match in said.KOREAN_BARE.finditer(plain)]
    named = [one for one in bare if any(first <= one.start and one.end <= last for first, last in spans)]
    taken = {one.start for one in named}
    return tuple(
        sorted([*(one for one in tokens if one.start not in taken), *named], key=lambda one: one.start)
    )
