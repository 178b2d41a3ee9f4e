"""The coarsest test: text with its white space collapsed; and how much of a text's lines another one has lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from gitmem.drift.content.leaves import decode
from gitmem.drift.content.tape import digest


def text_digest(data: bytes) -> str:
    return digest(decode(data).split(), "t")


def line_share(old: bytes, new: bytes) -> float:
    """Part of the old lines that are deleted or replaced, 0.0 to 1.0.

    Lines are compared as bags: a line is kept as often as it still occurs anywhere in the new content, so a
    block that only moved within the file counts as kept (git's diff counts it as removed and added). Linear in
    both sizes. White space within a line is collapsed; blank lines do not count; no old lines gives 0.0.
    """
    before = _lines(old)
    total = sum(map(bool, map(bytes.strip, before)))
    # most lines are the same to the byte: only the others are collapsed
    had, has = Counter(before), Counter(_lines(new))
    left, came = _collapsed(had.items() - has.items()), _collapsed(has.items() - had.items())
    return (left - came).total() / total if total else 0.0


def _lines(data: bytes) -> list[bytes]:
    return data.replace(b"\r", b"\n").split(b"\n")


def _collapsed(counted: Iterable[tuple[bytes, int]]) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    for line, count in counted:
        if joined := b" ".join(line.split()):
            found[joined] += count
    return found
