"""The words of a lesson that it says itself: without code, names in backticks and what it merely quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MAX_TEXT = 20_000
"""Characters that are looked at; what is longer is refused for its length alone."""
_SHOWN = 60

_FENCE = re.compile(r"^[ \t]*+(```++|~~~++)[^\n]*+\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(
    r"`[^`\n]{1,300}`|\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|«[^»\n]{1,200}»"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s|[^\x00-\x7f]|$)|[;；\n]")


def spoken(text: str) -> str:
    """The text with fences, code spans and quotations blanked; places stay true."""
    plain = _blank(_FENCE, text[:MAX_TEXT])
    return _blank(_QUOTED, plain)


def sentences(text: str) -> Iterator[str]:
    """What `spoken` leaves, sentence by sentence."""
    yield from (one for one in _SENTENCE_END.split(spoken(text)) if one.strip())


def first_match(patterns: Iterable[re.Pattern[str]], text: str) -> str:
    """The words that the first pattern to match found in what is spoken; empty when none does."""
    for sentence in sentences(text):
        for pattern in patterns:
            if found := pattern.search(sentence):
                return shorten(found.group().strip())
    return ""


def shorten(words: str) -> str:
    """Words as a reason quotes them, on one line."""
    line = " ".join(words.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…"


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
