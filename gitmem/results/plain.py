"""A command's output as text to read: no colours, cursor movements or other terminal control, one kind of line end."""

from __future__ import annotations

import re

_CONTROL = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    rb"|\x1b[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # OSC, DCS and other strings, to their terminator
    rb"|\x1b[ -/]*[0-~]"  # two-character sequences
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]",
)
_RETURNS = re.compile(rb"\r+\n?")


def plain_log(data: bytes) -> bytes:
    """Output without control sequences; what overwrote its line stands on a line of its own. Other bytes stay."""
    return _RETURNS.sub(b"\n", _CONTROL.sub(b"", data))


def plain_text(data: bytes) -> str:
    """The same as text, bytes that are not UTF-8 replaced."""
    return plain_log(data).decode("utf-8", "replace")


def tail(text: str, limit: int) -> str:
    """The last lines of a text, at most `limit` characters; a line that is longer alone is cut at its front."""
    text = text.rstrip()
    if len(text) <= limit:
        return text
    if limit <= 0:
        return ""
    cut = text[-limit:]
    newline = cut.find("\n")
    return cut[newline + 1 :] if 0 <= newline < len(cut) - 1 else cut
