"""Definitions that give one name one value in one line: constants, fields, enumerators, macros."""

from __future__ import annotations

import re

from gitmem.drift.content.outline import Symbol

_KINDS = frozenset({"constant", "field", "variable", "property", "macro"})
_SHOWN, _READ = 60, 400
_COMMENT = re.compile(r"""(?<!\s)\s++(?:#\s|//|/\*|--\s)[^"'`]*$""")
_MOST_LINES = 4
_BRACKET = re.compile(r"\s*+(?:(?:const|var|let)\s*+)?[(){};,]*+\s*+(?://.*)?")
_HEAD = re.compile(
    r"(?P<type>[^=\n]{0,200}?)(?:(?<![=<>!:])=(?![=>])|:=|(?<=[A-Z\d_])[ \t]+(?=[^:=\s(]))\s*(?P<value>\S.*)"
)
_ENTRY = re.compile(r"\s*:\s*(?P<value>\S.*)")


def line_of(symbol: Symbol, data: bytes | None) -> str | None:
    """The one line in which a definition gives its name a value; None when it takes more or is no value.

    Rewriting such a line whole is no more than changing the value. Brackets around a group of one (``const (``) do not
    count as lines.
    """
    if symbol.kind not in _KINDS or symbol.end - symbol.start > _MOST_LINES:
        return None
    lines = (data or b"").decode("utf-8", "replace").splitlines()[symbol.start - 1 : symbol.end]
    inner = [line for line in lines if not _BRACKET.fullmatch(line)]
    return inner[0] if len(inner) == 1 else None


def value_in(line: str | None, name: str) -> str | None:
    """The value that a line gives a name, as it is written, shortened; None when the line does not show one.

    Args:
        line: As `line_of` gives it.
        name: Dotted; its last part stands in the line.
    """
    bare = re.search(rf"(?<![\w$]){re.escape(name.rpartition('.')[2])}(?![\w$])[\"']?", line or "")
    if bare is None or line is None:
        return None
    found = _HEAD.match(line, bare.end()) or _ENTRY.match(line, bare.end())
    if found is None:
        return None
    value = _COMMENT.sub("", found["value"][:_READ]).rstrip().rstrip(",;").rstrip()
    return value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
