"""What a memory rests on: watches, and their one text form.

A watch is written in YAML as a mapping with one kind and its target, and in marks and reports as ``KIND TARGET``:

| kind | target | holds |
|---|---|---|
| symbol | ``src/a.py#Class.method`` | the definition's normalised content |
| key | ``package.json#scripts.lint`` | the value |
| lines | ``src/a.py:40-58`` with a quote | the quoted text, wherever it moved |
| ident | ``idArgumentResolvers``, polarity asserts or prohibits | whether code still has the name |
| path | ``src/checkout/legacy/`` | whether it exists and is the same thing |
| file | ``src/a.py`` | the whole file's normalised content |
| verifier | a test, a probe's file or the contract version | the check that proved the memory |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WatchKind(StrEnum):
    SYMBOL = "symbol"
    KEY = "key"
    LINES = "lines"
    IDENT = "ident"
    PATH = "path"
    FILE = "file"
    VERIFIER = "verifier"


class Polarity(StrEnum):
    """Whether the memory says that the name is used, or that it must not be."""

    ASSERTS = "asserts"
    PROHIBITS = "prohibits"


@dataclass(frozen=True, slots=True)
class Quote:
    """The quoted lines and a little text around them, for finding them again."""

    exact: str
    prefix: str = ""
    suffix: str = ""


@dataclass(frozen=True, slots=True)
class Watch:
    """One thing that a memory rests on.

    Args:
        kind: Which of the seven kinds.
        path: The file or folder; None for identifiers and the contract version.
        name: Symbol, key or identifier, dotted where nested; None for the others.
        lines: First and last line from 1, both included; only for LINES.
        quote: The quoted text; only for LINES.
        polarity: Only for IDENT.
    """

    kind: WatchKind
    path: str | None = None
    name: str | None = None
    lines: tuple[int, int] | None = None
    quote: Quote | None = None
    polarity: Polarity = Polarity.ASSERTS

    @property
    def target(self) -> str:
        """The text form without the kind, for example ``src/a.py#Class.method``."""
        if self.kind is WatchKind.LINES and self.lines:
            return f"{self.path}:{self.lines[0]}-{self.lines[1]}"
        if self.path is not None and self.name is not None:
            return f"{self.path}#{self.name}"
        return self.path if self.path is not None else self.name or ""

    def __str__(self) -> str:
        prohibits = " (prohibited)" if self.polarity is Polarity.PROHIBITS else ""
        return f"{self.kind} {self.target}{prohibits}"


def parse_watch(kind: str, target: str, *, quote: Quote | None = None, polarity: str = "asserts") -> Watch:
    """Read a watch from its kind and target.

    Raises:
        ValueError: When the kind is unknown or the target lacks a part; the message names the form.
    """
    try:
        parsed = WatchKind(kind)
    except ValueError:
        raise ValueError(f"unknown watch {kind!r}: one of {', '.join(WatchKind)}") from None
    if not target.strip():
        raise ValueError(f"watch {kind} has no target")
    match parsed:
        case WatchKind.SYMBOL | WatchKind.KEY:
            path, sep, name = target.partition("#")
            if not (sep and path and name):
                raise ValueError(f"watch {kind} {target!r}: write PATH#NAME")
            return Watch(parsed, path=path, name=name)
        case WatchKind.LINES:
            path, sep, span = target.rpartition(":")
            first, _, last = span.partition("-")
            if not (sep and path and first.isdecimal() and (not last or last.isdecimal())):
                raise ValueError(f"watch lines {target!r}: write PATH:FIRST-LAST")
            lines = (int(first), int(last or first))
            if not 1 <= lines[0] <= lines[1]:
                raise ValueError(f"watch lines {target!r}: the first line comes first, counted from 1")
            return Watch(parsed, path=path, lines=lines, quote=quote)
        case WatchKind.IDENT:
            return Watch(parsed, name=target, polarity=Polarity(polarity))
        case WatchKind.PATH | WatchKind.FILE | WatchKind.VERIFIER:
            return Watch(parsed, path=target)
