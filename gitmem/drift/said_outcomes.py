"""Statements that tell of a function only how it ends: "`find()` MUST raise `KeyError` for unknown names, never return `None`".

While each line that raises what is told stands in the function as it did, and nothing that is denied came, the words hold, whatever
else the function does on its way there. A condition counts as told only where the line that raises speaks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gitmem.drift.speaking import telling_words

_TOLD = re.compile(
    r"(?i)^\W*`(?P<name>[A-Za-z_][\w.]*)(?:\([^()`]*\))?`\s+(?:(?:must|should|shall|will|always)\s+)*(?:raises?|throws?)\s+(?:an?\s+)?`(?P<error>[A-Za-z_]\w*)`"
    r"(?P<when>\s+(?:for|on|if|when)\s+[^`.;:—–]{3,60}?)?(?:\s*[,;—–-]+\s*(?:and\s+)?(?:must\s+)?never\s+returns?\s+`?(?P<denied>\w+)`?)?\s*\.?\s*$"
)


def ends_as_told(text: str, name: str, old: str, new: str) -> str | None:
    """The line by which a changed function still ends as a statement tells; None where more is told, or it does not.

    Args:
        text: The statement.
        name: The function's bare name.
        old: Its body at the baseline, without comments.
        new: The same as it is now.
    """
    told = _TOLD.match(text.strip().replace("**", ""))
    if told is None or told["name"].rpartition(".")[2] != name:
        return None
    before, after = list(_raising(told["error"], old)), list(_raising(told["error"], new))
    if (
        not before
        or not set(before) <= set(after)
        or _denied(told["denied"], new) - _denied(told["denied"], old)
    ):
        return None
    if told["when"] and not _speaks(told["when"], before):
        return None
    return before[0]


def _raising(error: str, body: str) -> Iterator[str]:
    said = re.compile(rf"(?<!\w)(?:raise|throw)\s+(?:new\s+)?{re.escape(error)}\b")
    return (" ".join(line.split()) for line in body.split("\n") if said.search(line))


def _denied(value: str | None, body: str) -> frozenset[str]:
    """Lines that return a value that the words deny; a bare return is none."""
    said = re.compile(rf"(?<!\w)return\s+{re.escape(value)}\b|(?<!\w)return\s*;?$" if value else r"(?!)")
    return frozenset(line.strip() for line in body.split("\n") if said.search(line.strip()))


def _speaks(when: str, lines: Sequence[str]) -> bool:
    return any(len(telling_words(when) & telling_words(line)) >= 1 for line in lines)
