"""What a memory rests on: watches, and their one text form.

A watch is written in YAML as a mapping with one kind and its target, and in marks and reports as ``KIND TARGET``:

| kind | target | holds |
|---|---|---|
| symbol | ``src/a.py#Class.method`` | the definition's normalised content |
| key | ``package.json#scripts.lint`` | the value |
| key | ``ci.yml#jobs.test.steps[run=pnpm test]`` | whether a step there runs the command (`gitmem.drift.steps`) |
| lines | ``src/a.py:40-58`` with a quote | the quoted text, wherever it moved |
| ident | ``idArgumentResolvers``, polarity asserts or prohibits | whether code still has the name |
| import | ``app/ui/`` or ``react``, polarity asserts or prohibits | whether code imports the folder, file or package |
| path | ``src/checkout/legacy/`` | whether it exists and is the same thing |
| file | ``src/a.py`` | the whole file's normalised content |
| verifier | a test, a probe's file or the contract version | the check that proved the memory |

An identifier or import may say where it counts, instead of in the memory's scope: ``import app/ui/ in app/core/``, ``ident
charge outside billing/, tests/``. A prohibition ends with ``(prohibited)``: ``ident moment (prohibited)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class WatchKind(StrEnum):
    SYMBOL = "symbol"
    KEY = "key"
    LINES = "lines"
    IDENT = "ident"
    IMPORT = "import"
    PATH = "path"
    FILE = "file"
    VERIFIER = "verifier"


class Polarity(StrEnum):
    """Whether the memory says that the name is used, or that it must not be."""

    ASSERTS = "asserts"
    PROHIBITS = "prohibits"


NAMED = frozenset({WatchKind.IDENT, WatchKind.IMPORT})
"""Kinds that look for a name in many files: they may be prohibited, and may say where they count."""


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
        kind: Which of the kinds.
        path: The file or folder; None for identifiers, imports and the contract version.
        name: Symbol, key or identifier, dotted where nested; what is imported; None for the others.
        lines: First and last line from 1, both included; only for LINES.
        quote: The quoted text; only for LINES.
        polarity: Only for the `NAMED` kinds.
        inside: Globs of the files where a `NAMED` watch counts; empty for the memory's scope.
        outside: Globs of files among those where it does not.
    """

    kind: WatchKind
    path: str | None = None
    name: str | None = None
    lines: tuple[int, int] | None = None
    quote: Quote | None = None
    polarity: Polarity = Polarity.ASSERTS
    inside: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()

    @property
    def is_prohibition(self) -> bool:
        return self.polarity is Polarity.PROHIBITS

    @property
    def target(self) -> str:
        """The text form without the kind, for example ``src/a.py#Class.method``."""
        if self.kind is WatchKind.LINES and self.lines:
            return f"{self.path}:{self.lines[0]}-{self.lines[1]}"
        if self.path is not None and self.name is not None:
            return f"{self.path}#{self.name}"
        return self.path if self.path is not None else f"{self.name or ''}{self._where}"

    @property
    def _where(self) -> str:
        inside = f" in {', '.join(self.inside)}" if self.inside else ""
        return f"{inside} outside {', '.join(self.outside)}" if self.outside else inside

    def __str__(self) -> str:
        return f"{self.kind} {self.target}{_PROHIBITED if self.is_prohibition else ''}"


_PROHIBITED = " (prohibited)"
_WHERE = re.compile(r"(?P<name>.+?)(?: in (?P<inside>\S.*?))?(?: outside (?P<outside>\S.*))?")


def parse_watch(kind: str, target: str, *, quote: Quote | None = None, polarity: str = "asserts") -> Watch:
    """Read a watch from its kind and target; what ``str(watch)`` writes behind the kind is a target, too.

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
        case WatchKind.IDENT | WatchKind.IMPORT:
            return _parse_named(parsed, target, Polarity(polarity))
        case WatchKind.PATH | WatchKind.FILE | WatchKind.VERIFIER:
            return Watch(parsed, path=target)


def _parse_named(kind: WatchKind, target: str, polarity: Polarity) -> Watch:
    plain = target.removesuffix(_PROHIBITED)
    parts = _WHERE.fullmatch(plain)
    if parts is None:
        raise ValueError(f"watch {kind} has no target")
    return Watch(
        kind,
        name=parts["name"],
        polarity=polarity if plain == target else Polarity.PROHIBITS,
        inside=parse_places(parts["inside"]),
        outside=parse_places(parts["outside"]),
    )


def parse_places(text: str | None) -> tuple[str, ...]:
    """Globs that stand in one text, separated by commas and blanks."""
    return tuple(one for part in (text or "").split(", ") if (one := part.strip()))
