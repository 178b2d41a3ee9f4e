"""The marked block in a Markdown file that agents read: put in, renewed in its place, taken out."""

from __future__ import annotations

import re
from typing import Final

BEGIN: Final = "<!-- gitmem:begin -->"
END: Final = "<!-- gitmem:end -->"
_MARK = re.compile(rf"^[ \t]*(?:{re.escape(BEGIN)}|{re.escape(END)})[ \t]*\r?$", re.MULTILINE)
_BLOCK = re.compile(
    rf"^[ \t]*{re.escape(BEGIN)}[ \t]*\r?\n.*?^[ \t]*{re.escape(END)}[ \t]*(?:\r?\n|\Z)",
    re.DOTALL | re.MULTILINE,
)


def is_broken(text: str) -> int | None:
    """The line of a marker without its partner, or of a second block; None when all is well."""
    marks = [(found[0].strip(), text.count("\n", 0, found.start()) + 1) for found in _MARK.finditer(text)]
    for (mark, line), wanted in zip(marks, (BEGIN, END), strict=False):
        if mark != wanted:
            return line
    return marks[2][1] if len(marks) > 2 else marks[0][1] if len(marks) == 1 else None


def with_block(text: str, body: str) -> str:
    """The text with the block: in the place where one stands, else at the end behind an empty line.

    Args:
        text: The file's text; empty for a new file.
        body: The block's lines, ended by a line end each.
    """
    line_end = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}\n{body}{END}\n".replace("\n", line_end)
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _: block, text, count=1)
    if not text:
        return block
    gap = "" if text.endswith(("\n\n", "\r\n\r\n")) else line_end if text.endswith("\n") else line_end * 2
    return text + gap + block


def without_block(text: str) -> str:
    """The text without the block and without the empty line that was put before it."""
    found = _BLOCK.search(text)
    if found is None:
        return text
    before, after = text[: found.start()], text[found.end() :]
    for gap in ("\r\n\r\n", "\n\n"):
        if not after and before.endswith(gap):
            before = before[: -len(gap) // 2]
    return before + after


def has_block(text: str, body: str) -> bool:
    """Whether the text has exactly this block."""
    return with_block(text, body) == text
