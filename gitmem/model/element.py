"""The architecture's elements, as ``.ai/elements.yaml`` names them (domain.md section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

ADR_FOLDERS = ("docs/adr", "docs/decisions", "doc/adr")


class Level(StrEnum):
    """The three levels of C4 that have code."""

    SYSTEM = "system"
    CONTAINER = "container"
    COMPONENT = "component"


@dataclass(frozen=True, slots=True)
class Element:
    """One element.

    Args:
        name: What memories call it, in their scope and as ``[[Name]]``.
        level: Its level.
        paths: Globs of its code.
        description: One sentence.
        tags: Other words for it.
        inside: The element that holds it.
    """

    name: str
    level: Level = Level.COMPONENT
    paths: tuple[str, ...] = ()
    description: str | None = None
    tags: tuple[str, ...] = ()
    inside: str | None = None


@dataclass(frozen=True, slots=True)
class Elements:
    """All of them, in the order of the file, and where the decision records lie."""

    elements: tuple[Element, ...] = ()
    adr: tuple[str, ...] = ADR_FOLDERS

    def named(self, name: str) -> Element | None:
        return next((element for element in self.elements if element.name == name), None)

    def paths_of(self, names: Iterable[str]) -> tuple[str, ...]:
        """The globs that these names stand for, each once; a name that is unknown stands for none."""
        wanted = set(names)
        globs = (glob for element in self.elements if element.name in wanted for glob in element.paths)
        return tuple(dict.fromkeys(globs))
