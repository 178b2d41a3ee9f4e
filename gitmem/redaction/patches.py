"""Secrets in patches, where one may run over several lines and each line begins with a sign.

What each side says is looked at without the signs, so that the rest of a key that begins above the hunk is seen as well; the
lines stay as many as they were, each with its sign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitmem.redaction.told import masked_lines

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def masked_patch(patch: str) -> str:
    """A unified patch without secrets, line for line.

    Args:
        patch: As git writes it; what stands before and between the hunks is masked as text.
    """
    lines = patch.split("\n")
    at = 0
    while at < len(lines):
        end = _end_of_hunk(lines, at)
        lines[at : at + 1] = masked_lines(lines[at : at + 1])
        lines[at + 1 : end] = _masked_hunk(lines[at + 1 : end])
        at = end
    return "\n".join(lines)


def _end_of_hunk(lines: Sequence[str], at: int) -> int:
    """Where the hunk ends that begins here, by the numbers that it names; the next line where none begins."""
    found = _HUNK.match(lines[at])
    if found is None:
        return at + 1
    left = {"-": int(found[1] or 1), "+": int(found[2] or 1)}
    end = at + 1
    while end < len(lines) and (left["-"] > 0 or left["+"] > 0 or lines[end].startswith("\\")):
        for side in _sides(lines[end]):
            left[side] -= 1
        end += 1
    return end


def _masked_hunk(lines: Sequence[str]) -> list[str]:
    shown = list(lines)
    for side in ("-", "+"):
        places = [at for at, line in enumerate(lines) if side in _sides(line)]
        texts = [lines[at][1:] for at in places]
        for at, text, clean in zip(places, texts, masked_lines(texts), strict=True):
            if clean != text:
                shown[at] = lines[at][:1] + clean
    return shown


def _sides(line: str) -> str:
    """The sides that a line of a hunk belongs to; git may leave the blank out of an empty one."""
    return {"-": "-", "+": "+", " ": "-+", "": "-+"}.get(line[:1], "")
