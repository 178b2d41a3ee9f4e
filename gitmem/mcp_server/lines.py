"""The lines that a host sends, before the SDK reads them."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from io import TextIOWrapper
from typing import Final

import anyio

_HALF: Final = re.compile(r"\\u[dD][89abcdefABCDEF]")


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


class MessageLines(anyio.AsyncFile[str]):
    """Standard input as lines of whole characters."""

    def __init__(self, stream: TextIOWrapper) -> None:
        super().__init__(stream)

    async def __aiter__(self) -> AsyncIterator[str]:
        """Each line that comes."""
        while line := await self.readline():
            yield whole_characters(line)
