"""What a rules file says, one fact each, before it becomes a candidate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gitmem.model.memory import Kind, Scope


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a file.

    Args:
        summary: The rule itself, on one line.
        source: Repository path of the file.
        line: Where it stands, from 1.
        scope: Where it holds.
        kind: What kind of knowledge.
        type: Policy type.
        headings: Under which it stands, outermost first.
        body: What follows it in the file and belongs to it.
        title: Only where the file itself names it, as decision records do.
        under_folder: The folder that a heading seems to name, when that is what `scope` is.
        also: Further places that say the same, as ``FILE:LINE``.
    """

    summary: str
    source: str
    line: int
    scope: Scope
    kind: Kind = Kind.CONVENTION
    type: str = "team_workflow_rule"
    headings: tuple[str, ...] = ()
    body: str = ""
    title: str | None = None
    also: tuple[str, ...] = ()
    under_folder: str | None = None

    @property
    def place(self) -> str:
        """``FILE:LINE``, as ``origin.imported`` has it."""
        return f"{self.source}:{self.line}"


class Skipped(NamedTuple):
    """What was not taken, and why.

    Args:
        source: Repository path.
        line: From 1; 0 for the whole file.
        reason: Why, for people.
    """

    source: str
    line: int
    reason: str


class Extracted(NamedTuple):
    """What one file gave.

    Args:
        facts: Its facts.
        skipped: What was not taken.
        short: Items too short to be understood without the others, their words as the reason.
    """

    facts: tuple[Fact, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    short: tuple[Skipped, ...] = ()
