"""Paths of any bytes as clean text: git's own quoting, used only where a path needs it.

A path that holds control, format or unassigned characters, a quote at its start, white space at an end, or bytes that
are not UTF-8 (surrogate escapes here) is written in double quotes with octal escapes, as ``git ls-files`` writes it.
Every other path, Korean or Japanese too, is written as it is.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_UNESCAPES = {mark: code for code, mark in _ESCAPES.items()}
_PLAIN = re.compile(r"[\w./+@#:-]+", re.ASCII)
_ESCAPED = re.compile(rb'\\([0-7]{3}|[abtnvfr"\\])')


def quote_path(path: str) -> str:
    """The path, quoted when it needs it; `unquote_path` is its inverse."""
    if _PLAIN.fullmatch(path) or not _needs_quotes(path):
        return path
    octets = path.encode("utf-8", "surrogateescape")
    return '"' + "".join(_escaped(octet) for octet in octets) + '"'


def _needs_quotes(path: str) -> bool:
    return (
        path.startswith('"')
        or path != path.strip()
        or any(unicodedata.category(c)[0] in "CZ" and c != " " for c in path)
    )


def _escaped(octet: int) -> str:
    if octet in _ESCAPES:
        return "\\" + _ESCAPES[octet]
    return chr(octet) if 32 <= octet < 127 else f"\\{octet:03o}"


def unquote_path(text: str) -> str:
    """The path that the text stands for.

    Raises:
        ValueError: A quote that does not end, or an escape that git does not write.
    """
    if not text.startswith('"'):
        return text
    inner = text[1:-1].encode("utf-8", "surrogateescape")
    if (
        len(text) < 2
        or not text.endswith('"')
        or b'"' in _ESCAPED.sub(b"", inner)
        or b"\\" in _ESCAPED.sub(b"", inner)
    ):
        raise ValueError(f"{text[:60]} is not quoted as git quotes paths")
    return _ESCAPED.sub(_unescaped, inner).decode("utf-8", "surrogateescape")


def _unescaped(found: re.Match[bytes]) -> bytes:
    mark = found[1].decode()
    code = _UNESCAPES.get(mark)
    return bytes([int(mark, 8) & 0xFF if code is None else code])
