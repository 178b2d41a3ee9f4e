r"""Texts inside of texts: what JSON or a terminal writes as an escape is a boundary, as the character itself would be.

``"failed\nAKIA…"`` holds a key at the start of a line, and ``{\"password\": \"…\"}`` a named value, however often it was
quoted. `readable` gives such a text with each escape as one character, for the rules; `Escaped.restored` puts back what
stood there. Pure.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_BREAK = "\u2028"  # white space to a regular expression, and next to never in a text
_ESCAPE = re.compile(
    r"(?:(?<!\\)\\++(?:u001[bB]|x1[bB]|033|e)|\x1b)\[[0-9;?]{0,20}[A-Za-z]"  # colours
    # A run of backslashes is looked at once, from its beginning: it may be as long as a file.
    r"|(?<!\\)\\++(?:[nrtbf]|u00[01][0-9a-fA-F]|u202[89])"
    rf"|{_BREAK}"
    r"|(?<!\\)\\++(?:\"|u0022)|\""
)
_WORTH = re.compile(r"\\[nrtbfux0e\"]|\x1b")


class Escaped(NamedTuple):
    """A text with its escapes as characters.

    Args:
        text: As the rules read it.
        originals: What stood for each break and quote, in order.
    """

    text: str
    originals: tuple[str, ...]

    def restored(self, text: str) -> str:
        """A text made from this one by masking, with the escapes put back.

        Where a mask swallowed some of them, nobody knows which are left: then breaks and quotes stay plain characters.
        """
        parts = re.split(rf"[{_BREAK}\"]", text)
        if len(parts) != len(self.originals) + 1:
            return text.replace(_BREAK, "\n")
        return "".join(part + original for part, original in zip(parts, (*self.originals, ""), strict=True))


def readable(text: str) -> Escaped | None:
    """A text for the rules to read; None where it holds no escape."""
    if _WORTH.search(text) is None:
        return None
    originals: list[str] = []

    def plain(match: re.Match[str]) -> str:
        originals.append(match[0])
        return '"' if match[0].endswith(('"', "u0022")) else _BREAK

    return Escaped(_ESCAPE.sub(plain, text), tuple(originals))
