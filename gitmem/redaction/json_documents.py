"""JSON documents as bytes of text: each text in them is masked as what it says, and all else stays byte for byte. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

MaskText = Callable[[str, str], str]
"""Masks one text, told the key that it stands under (empty for a key itself)."""

_LARGEST = 32 * 1024 * 1024
_LITERAL = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"(\s*+:)?', re.DOTALL)
_START = re.compile(r"\ufeff?\s*[{\[\"]")


def mask_documents(text: str, mask: MaskText, mask_lines: Callable[[str], str]) -> str | None:
    """Mask a JSON document, or lines of JSON among others.

    Args:
        text: The document.
        mask: For each text in it.
        mask_lines: For lines that are no JSON.

    Returns:
        The document with nothing but the masked texts written anew; None when it is none.
    """
    if len(text) > _LARGEST or _START.match(text) is None:
        return None
    if _is_json(text.removeprefix("\ufeff")):
        return _masked(text, mask)
    lines = text.splitlines(keepends=True)
    groups = [(told, "".join(block)) for told, block in itertools.groupby(lines, _is_document)]
    if not any(told for told, _ in groups):
        return None
    return "".join(_masked(block, mask) if told else mask_lines(block) for told, block in groups)


def may_hide_words(text: str) -> bool:
    """Whether words may stand in a document as escapes, so that looking for them in its text says nothing."""
    return "\\u" in text and _START.match(text) is not None


def _is_document(line: str) -> bool:
    return _START.match(line) is not None and _is_json(line)


def _is_json(text: str) -> bool:
    import json  # what looks for secrets is loaded by quick commands, few of whose texts are documents

    try:
        json.loads(text, strict=False, parse_int=len, parse_float=len)
    except (ValueError, RecursionError):
        return False
    return True


def _masked(text: str, mask: MaskText) -> str:
    import json

    name = ""

    def literal(match: re.Match[str]) -> str:
        nonlocal name
        colon = match[1] or ""
        written = match[0][: len(match[0]) - len(colon)]
        said = json.loads(written, strict=False)
        masked = mask(said, "" if colon else name)
        if colon:
            name = said
        return match[0] if masked == said else _written(masked, written) + colon

    return _LITERAL.sub(literal, text)


def _written(text: str, before: str) -> str:
    """A text as JSON; escaped where the one before was, since what was escaped may be what no encoding holds."""
    import json

    return json.dumps(text, ensure_ascii="\\u" in before)
