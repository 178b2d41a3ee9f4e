"""Definitions of a Python file that this Python cannot parse, told by their indentation."""

from __future__ import annotations

import re

from gitmem.drift.content.leaves import leaves
from gitmem.drift.content.outline import Symbol
from gitmem.drift.content.tape import MASK, digest

_HEAD = re.compile(r"([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+([^\W\d]\w*)")
_MAX_SYMBOLS = 2_000
_MAX_DEPTH = 20


def symbols(text: str) -> tuple[Symbol, ...]:
    """Functions and classes with digests of their token leaves; a name's later definition replaces the earlier.

    Nested functions are left out. Decorators count as part of what they stand on.
    """
    lines = text.split("\n")
    found: dict[str, Symbol] = {}
    open_: list[tuple[int, str, str]] = []
    for at, line in enumerate(lines):
        match = _HEAD.match(line)
        if not match or len(found) >= _MAX_SYMBOLS:
            continue
        indent = len(match[1].expandtabs())
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        nested = any(kind == "def" for _, kind, _ in open_)
        open_.append((indent, match[2], match[3]))
        if not nested and len(open_) <= _MAX_DEPTH:
            one = _symbol(lines, at, indent, [name for _, _, name in open_], match[2])
            found[one.name] = one
    return tuple(found.values())


def _symbol(lines: list[str], at: int, indent: int, names: list[str], keyword: str) -> Symbol:
    start, end = at, at + 1
    while start and lines[start - 1].lstrip().startswith("@") and _indent(lines[start - 1]) == indent:
        start -= 1
    while end < len(lines) and (
        not lines[end].strip() or _indent(lines[end]) > indent or lines[end].strip()[0] in ")]}"
    ):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    tokens = leaves("python", "\n".join(line[indent:] for line in lines[start:end]))
    head = leaves("python", lines[at].strip())
    whole = digest(tokens, "l")
    kind = "class" if keyword == "class" else "method" if len(names) > 1 else "function"
    return Symbol(
        name=".".join(names),
        kind=kind,
        start=start + 1,
        end=end,
        digest=whole,
        core=whole,
        body=digest([MASK if token == names[-1] else token for token in tokens], "l"),
        signature=digest(head, "l"),
        uses=frozenset(token for token in tokens if token.isidentifier()) - {names[-1]},
    )


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs())
