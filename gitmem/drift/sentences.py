"""The sentence around a place of a statement."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?。])\s|\n")


def sentence_around(text: str, first: int, last: int) -> tuple[int, int]:
    """Where the sentence begins and ends that a stretch of a text stands in.

    Args:
        text: The text.
        first: Where the stretch begins.
        last: One past its last character.
    """
    start = max((match.end() for match in _END.finditer(text, 0, first)), default=0)
    end = _END.search(text, last + 1)
    return start, end.start() if end else len(text)
