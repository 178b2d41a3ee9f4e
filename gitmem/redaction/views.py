"""Texts as a reader sees them: what hides a secret from a pattern is taken away, and each place is found again. Pure.

Colour codes, characters without width, overstriking, continued lines and the ends of joined strings go; escapes of
addresses, JSON, shell and HTML become what they stand for. What is found in a view is masked in the text itself.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_ANSI = r"\x1b\[[0-?]{0,60}[ -/]{0,8}[A-Za-z@`~]|\x1b\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|\\(?:u001b|x1b|033|e)\[[0-9;]{0,40}m"
_INVISIBLE = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e007f]"
_JOINT = (
    r"(?<=[\w+/=.-])\\{0,3}[\"'`]\s{0,20}(?:\+|\.\.?|&|\|\||\r?\n)\s{0,20}[rbf]?\\{0,3}[\"'`](?=[\w+/=.-])"
)
_HIDDEN = re.compile(
    rf"(?P<colour>{_ANSI})|(?P<gone>{_INVISIBLE}|[^\n]\x08|\\\r?\n[ \t]{{0,200}}|{_JOINT})|(?P<quote>'\\''|'\"'\"')"
    r"|%(?:25){0,8}(?P<percent>[0-9A-Fa-f]{2})|\\{1,3}u(?P<unicode>[0-9A-Fa-f]{4})|\\x(?P<hex>[0-9A-Fa-f]{2})"
    r"|(?P<escape>\\{1,7}[nrt\"'/])|(?P<entity>&(?:quot|apos|amp|lt|gt|#\d{2,3}|#x[0-9A-Fa-f]{2});)"
)
_PLAIN = re.compile(
    r"[\x1b\x08\\%&\u00ad\u034f\u061c\u180e\u200b-\u206f\ufe00-\ufeff\U000e0000-\U000e007f]|[\"'`]\s{0,20}[+.&|\n]|'\"'\"'"
)
_NO_WIDTH = re.compile(_INVISIBLE)
_COLOUR = re.compile(_ANSI)
STRETCH = re.compile(
    # Base-64 of plain characters: 24 letters that decode to bytes below 0x80.
    r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){6}"
)
_CONTINUED = frozenset({"\\\\\\n"})  # a backslash at the end of a line, as JSON writes it
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class View:
    """A text as a reader sees it.

    Args:
        text: What is seen.
        starts: Where in it each piece begins, ascending; empty when it is the text itself.
        places: Where in the text that piece lies, with the end of it where it stands for something else, else -1.
    """

    text: str
    starts: tuple[int, ...] = ()
    places: tuple[tuple[int, int], ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text a stretch of at least one character lies."""
        return (self._place(start)[0], self._place(end - 1)[1]) if self.starts else (start, end)

    def _place(self, index: int) -> tuple[int, int]:
        piece = bisect_right(self.starts, index) - 1
        start, end = self.places[piece]
        if end >= 0:
            return start, end
        start += index - self.starts[piece]
        return start, start + 1


def invisible(text: str) -> Iterator[re.Match[str]]:
    """Where characters without width stand in a text."""
    return iter(()) if text.isascii() else _NO_WIDTH.finditer(text)


def seen(text: str) -> View | None:
    """A text as it is meant; None when that is the text itself."""
    return _changed(text, colour="") if _PLAIN.search(text) else None


def apart(text: str) -> View | None:
    """The same with a space for each colour code: one can stand between a word and a secret and would join them."""
    return _changed(text, colour=" ") if _COLOUR.search(text) else None


def _changed(text: str, *, colour: str) -> View | None:
    view = _view(text, colour=colour)
    return view if view.text != text else None


def _view(text: str, *, colour: str) -> View:
    parts: list[str] = []
    starts: list[int] = []
    places: list[tuple[int, int]] = []
    length = last = 0
    for match in _HIDDEN.finditer(text):
        start, end = match.span()
        meant = colour if match.lastgroup == "colour" else _meant(match)
        for piece, place in ((text[last:start], (last, -1)), (meant, (start, end))):
            if piece:
                parts.append(piece)
                starts.append(length)
                places.append(place)
                length += len(piece)
        last = end
    if last < len(text):
        parts.append(text[last:])
        starts.append(length)
        places.append((last, -1))
    return View("".join(parts), tuple(starts), tuple(places))


def _meant(match: re.Match[str]) -> str:
    """What an escape stands for."""
    kind, value = match.lastgroup, match[match.lastgroup or 0]
    if kind in {"percent", "unicode", "hex"}:
        letter = chr(int(value, 16))
        return "" if _NO_WIDTH.match(letter) else letter
    if kind == "escape":
        if value in _CONTINUED:
            return ""
        return _CONTROLS.get(value[-1], value[-1])
    if kind == "entity":
        return html.unescape(value)
    return "'" if kind == "quote" else ""
