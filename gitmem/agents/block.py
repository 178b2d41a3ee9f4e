"""The marked block in a Markdown file that agents read: put in, renewed in its place, taken out.

A marker counts on a line of its own, outside of fenced and indented code, whatever ends the lines: CR LF, LF or CR. The
block takes the line ends that most lines have.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

BEGIN: Final = "<!-- gitmem:begin -->"
END: Final = "<!-- gitmem:end -->"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\r\n]*[\r\n])|~{3,})")
_MARK = re.compile(rf" {{0,3}}({re.escape(BEGIN)}|{re.escape(END)})[ \t]*[\r\n]*")


class _Mark(NamedTuple):
    """A marker: what it is, the number of its line from 1, and where that line starts and ends."""

    text: str
    line: int
    start: int
    end: int


def is_broken(text: str) -> int | None:
    """The line of a marker without its partner, or of a second block; None when all is well."""
    marks = _marks(text)
    for mark, wanted in zip(marks, (BEGIN, END), strict=False):
        if mark.text != wanted:
            return mark.line
    return marks[2].line if len(marks) > 2 else marks[0].line if len(marks) == 1 else None


def other_line(text: str, known: str) -> int | None:
    """The number of the first line in the block that is none of the known ones; None when there is none.

    Args:
        text: The file's text.
        known: Lines that belong into a block.
    """
    span = _span(text)
    if span is None:
        return None
    belongs = {line.strip() for line in ["", *known.split("\n"), BEGIN, END]}
    first = _plain(text[: span[0]]).count("\n") + 1
    held = _plain(text[slice(*span)]).split("\n")
    return next((number for number, line in enumerate(held, first) if line.strip() not in belongs), None)


def with_block(text: str, body: str) -> str:
    """The text with the block: in the place where one stands, else at the end behind an empty line.

    A block that differs in its line ends alone is left as it is.

    Args:
        text: The file's text; empty for a new file.
        body: The block's lines, ended by a line end each.
    """
    line_end = _line_end(text)
    block = f"{BEGIN}\n{body}{END}\n"
    span = _span(text)
    if span is not None:
        held = text[slice(*span)]
        is_same = _plain(held).rstrip("\n") == block.rstrip("\n")
        return text if is_same else text[: span[0]] + block.replace("\n", line_end) + text[span[1] :]
    if not text:
        return block
    ends = len(text) - len(text.rstrip("\r\n"))
    gap = "" if _plain(text[len(text) - ends :]).count("\n") > 1 else line_end if ends else line_end * 2
    return text + gap + block.replace("\n", line_end)


def without_block(text: str) -> str:
    """The text without the block and without the empty line that was put before it."""
    span = _span(text)
    if span is None:
        return text
    before, after = text[: span[0]], text[span[1] :]
    for gap in ("\r\n\r\n", "\n\n", "\r\r"):
        if not after and before.endswith(gap):
            return before[: -len(gap) // 2]
    return before + after


def has_block(text: str, body: str) -> bool:
    """Whether the text has exactly this block."""
    return with_block(text, body) == text


def _span(text: str) -> tuple[int, int] | None:
    """Where the block stands, its last line end included."""
    marks = _marks(text)
    begin = next((at for at, one in enumerate(marks) if one.text == BEGIN), None)
    end = next((one.end for one in marks[begin:] if one.text == END), None) if begin is not None else None
    return (marks[begin].start, end) if begin is not None and end is not None else None


def _marks(text: str) -> list[_Mark]:
    """Every marker that counts. A fence that is never closed fences nothing: it may be a slip of the pen."""
    found: list[_Mark] = []
    fence, held = "", []  # type: tuple[str, list[_Mark]]
    for number, line in enumerate(_LINE.finditer(text), 1):
        opening = _FENCE.match(line[0])
        if fence:
            if _closes(line[0], fence):
                fence, held = "", []
                continue
        elif opening:
            fence = opening[1]
            continue
        mark = _MARK.fullmatch(line[0])
        if mark:
            (held if fence else found).append(_Mark(mark[1], number, line.start(), line.end()))
    return sorted([*found, *held], key=lambda one: one.line)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    indent = len(line) - len(line.lstrip(" "))
    return indent < 4 and len(bare) >= len(fence) and set(bare) == {fence[0]}


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _line_end(text: str) -> str:
    """The one that most lines have; LF for a text of one line."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=lambda end: counts[end])
