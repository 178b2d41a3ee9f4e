"""Values that describe one parsed file: digests of its normalised content and its symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["syntax", "value", "leaves", "text"]
"""How finely a file was compared: by syntax tree, by value (JSON, TOML, YAML), by token leaves, by white space."""

DECLARATION = "declaration"
"""Kind of a function that is declared where it is not defined, as in a header."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """One definition in a file.

    Args:
        name: Dotted from the file's top, for example ``Session.request``.
        kind: ``function``, ``class``, ``method``, ``constant``, ``type`` …
        start: First line from 1, decorators included.
        end: Last line, included.
        digest: Of the normalised definition: no comments, docstrings, formatting.
        core: The same without type annotations.
        body: The same as `digest` with the symbol's own name masked, so that a renamed symbol compares equal.
        signature: Of name, parameters and result alone.
        uses: Names that it calls or reads and does not define itself.
        deprecated: Whether a deprecation mark stands on it.
        parts: Where several overloads share the name: digests of each, and of all but each.
    """

    name: str
    kind: str
    start: int
    end: int
    digest: str
    core: str
    body: str
    signature: str
    uses: frozenset[str] = frozenset()
    deprecated: bool = False
    parts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Outline:
    """One parsed file.

    Args:
        language: ``python``, ``typescript``, ``json`` … or ``text``.
        level: Which test answered.
        digest: Of the whole normalised content.
        core: The same without type annotations and imports.
        symbols: Definitions in file order; nested ones after their parent.
        note: Why a coarser test answered; None when the finest did.
    """

    language: str
    level: Level
    digest: str
    core: str
    symbols: tuple[Symbol, ...] = ()
    note: str | None = None

    def symbol(self, name: str) -> Symbol | None:
        """The first definition of that dotted name; a bare name also finds a unique nested one."""
        exact = next((one for one in self.symbols if one.name == name), None)
        if exact or "." in name:
            return exact
        nested = [one for one in self.symbols if one.name.rpartition(".")[2] == name]
        return nested[0] if len(nested) == 1 else None
