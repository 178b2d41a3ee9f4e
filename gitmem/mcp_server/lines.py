"""The lines that a host sends, before the SDK reads them."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from io import TextIOWrapper
from typing import Final

import anyio

_HALF: Final = re.compile(r"\\u[dD][89abcdefABCDEF]")
_MARKS: Final = re.compile(r'(?s)"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[{]|[\]}]')
_DEEPEST: Final = 190
"""Levels of a message; the SDK's parser reads 200, and would never answer what is deeper."""


def whole_characters(line: str) -> str:
    """A message without halves of characters, each in whose place U+FFFD stands.

    JavaScript sends them for a text that was cut within an emoji, and the SDK would never answer such a message.
    """
    if _HALF.search(line) is None:
        return line
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + "\n"


def shallow(line: str) -> str:
    """A message that can be read: for one that is nested too deeply, one whose only argument says so.

    The tool then refuses it by its id, since it has no such argument. What is no message stays as it is.
    """
    if line.count("[") + line.count("{") <= _DEEPEST:
        return line
    flat = _flattened(line)
    try:
        message = json.loads(flat) if flat != line else None
    except ValueError:
        return line
    if not isinstance(message, dict) or "id" not in message:
        return line
    params = message.get("params")
    if isinstance(params, dict) and "arguments" in params:
        params["arguments"] = {f"nested deeper than {_DEEPEST} levels": None}
    return json.dumps(message) + "\n"


def _flattened(line: str) -> str:
    """The line with null in the place of whatever lies deeper than can be read; without recursion."""
    kept: list[str] = []
    depth = start = 0
    for mark in _MARKS.finditer(line):
        if mark[0] in "[{":
            depth += 1
            if depth == _DEEPEST + 1:
                kept.append(f"{line[start : mark.start()]}null")
        elif mark[0] in "]}":
            if depth == _DEEPEST + 1:
                start = mark.end()
            depth -= 1
    return "".join([*kept, line[start:]]) if kept else line


class MessageLines(anyio.AsyncFile[str]):
    """Standard input as lines that the SDK can read."""

    def __init__(self, stream: TextIOWrapper) -> None:
        super().__init__(stream)

    async def __aiter__(self) -> AsyncIterator[str]:
        """Each line that comes."""
        while line := await self.readline():
            yield whole_characters(shallow(line))
