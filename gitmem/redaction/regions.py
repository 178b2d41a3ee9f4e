"""The parts of a long text in which a secret can lie, so that the patterns look at nothing else. Pure.

A log of some megabytes holds a few lines with a telling word. They are cut out with their neighbours and looked at
together; where each one lies in the text is found again through the view.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gitmem.redaction.providers import PREFIX, PROVIDERS
from gitmem.redaction.rules import RULES
from gitmem.redaction.views import STRETCH, View, invisible
from gitmem.wire.triggers import is_dotted_token

SHORT = 4 * 1024
"""Texts up to this length are looked at whole."""
_BREAKS = re.compile(r"[\x1b\x08]|%(?:25)*[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})|&#")
_BETWEEN = "\n\0\n"
_LONGEST_PEM = 16 * 1024
_BEFORE, _AFTER = 300, 800
_OF_PROVIDERS = frozenset(trigger for rule in PROVIDERS for trigger in rule.triggers)
_OF_WORDS = frozenset(trigger for rule in RULES for trigger in rule.triggers) - _OF_PROVIDERS
_INNER = frozenset(trigger for trigger in _OF_PROVIDERS if not trigger[0].isalnum()) - {"."}
_TO_WORDS = bytes(
    code if code < 128 and (chr(code).isalnum() or code in b"_.-") else 32 for code in range(256)
)
_DENSE = 100
_SHORTEST_DOTTED = 59
_CAPITALS = {code: code + 32 for code in range(65, 91)}


def folded(text: str) -> str:
    """A text in small letters, as long as it was."""
    small = text.lower()
    return small if len(small) == len(text) else text.translate(_CAPITALS)


def condensed(text: str, known: Iterable[str]) -> View:
    """The lines of a text that are worth a look, one below the other.

    Args:
        text: Any text.
        known: Secrets known by value.
    """
    return View(text) if len(text) <= SHORT else _of_regions(text, _places(text, known))


def broken(text: str) -> View:
    """The lines in which what nobody sees may stand in the midst of a word."""
    found = (*_BREAKS.finditer(text), *invisible(text))
    if len(found) * _DENSE > len(text):
        return View(text)
    return _of_regions(text, (_lines(text, match.start(), match.end()) for match in found))


def _of_regions(text: str, regions: Iterable[tuple[int, int]]) -> View:
    parts: list[str] = []
    starts: list[int] = []
    places: list[tuple[int, int]] = []
    length = 0
    for start, end in _joined(regions):
        parts += (text[start:end], _BETWEEN)
        starts += (length, length + end - start)
        places += ((start, -1), (end, end))
        length += end - start + len(_BETWEEN)
    return View("".join(parts), tuple(starts), tuple(places))


def _joined(regions: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Disjoint and ascending."""
    last_start = last_end = -1
    for start, end in sorted(regions):
        if start <= last_end:
            last_end = max(last_end, end)
            continue
        if last_end >= 0:
            yield last_start, last_end
        last_start, last_end = start, end
    if last_end >= 0:
        yield last_start, last_end


def _places(text: str, known: Iterable[str]) -> Iterator[tuple[int, int]]:
    small = folded(text)
    for trigger in (*_OF_WORDS, *_INNER):
        around = _LONGEST_PEM if trigger == "private key" else 0
        for place in _all(small, trigger):
            yield _lines(text, place - around, place + around)
    for match in (*PREFIX.finditer(small), *STRETCH.finditer(text)):
        yield _lines(text, match.start(), match.end())
    for value in (*known, "SK", *_dotted(text)):
        for place in _all(text, value):
            yield _lines(text, place, place + len(value))


def _dotted(text: str) -> set[str]:
    """Words that may be a token which dots divide."""
    words = text.encode("utf-8", "surrogatepass").translate(_TO_WORDS).split()
    return {
        word.decode("ascii")
        for word in words
        if len(word) >= _SHORTEST_DOTTED and is_dotted_token(word.split(b"."))
    }


def _all(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + len(part))


def _lines(text: str, start: int, end: int) -> tuple[int, int]:
    """From the beginning of a line to the end of the second next one, or as far as any pattern reaches."""
    first = max(text.rfind("\n", 0, max(start, 0)) + 1, start - _BEFORE, 0)
    last = end
    for _ in range(3):
        found = text.find("\n", last + 1, end + _AFTER)
        last = found if found >= 0 else min(end + _AFTER, len(text))
    return first, max(last, first)
