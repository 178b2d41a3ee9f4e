"""What is compared when two lessons are told apart: their words, where they hold, and what they replace."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from gitmem.model.memory import Memory, Scope

BODY_HEAD: Final = 400
"""Characters of a body in which a contradiction is looked for; what stands further down is explanation, not the fact."""
ANYWHERE: Final = Scope()
LONGEST: Final = 2_000
"""Characters of a text that are compared."""
_EMPHASIS: Final = re.compile(r"(?<![A-Za-z0-9_*])(\*{1,3})(?=[^\s*])([^*\n]+)(?<=[^\s*])\1(?![A-Za-z0-9_*])")
_DECORATION: Final = re.compile(r"[`\"'“”‘’«»「」『』…]+")
_PUNCTUATION: Final = re.compile(r"[.,;:!?]+(?=[\s)]|$)|[、。！？，；：·]+|(?<!\S)[-–—]+(?!\S)|[()（）]")
"""Marks of a sentence. Those of code stay: ``a.b``, ``--no-cache``, ``!=``, ``*.py``."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One lesson as it is compared.

    Args:
        summary: The rule itself.
        id: Of the memory or candidate; empty for words that have none yet.
        title: Short name; counts when both sides have one.
        body: More words; two facts whose bodies differ anywhere are not the same.
        scope: Where it holds; an empty one overlaps everything.
        supersedes: Ids and titles of what it replaces on purpose.
        section: The file that it was imported from, and the headings that it stands under there; empty parts where untold.
    """

    summary: str
    id: str = ""
    title: str = ""
    body: str = ""
    scope: Scope = ANYWHERE
    supersedes: tuple[str, ...] = ()
    section: tuple[str, str] = ("", "")


def statement_of(memory: Memory) -> Statement:
    """What a memory, or the memory of a candidate, says."""
    return Statement(
        memory.summary,
        memory.id,
        memory.title or "",
        _body(memory),
        memory.scope,
        memory.supersedes,
        _section(memory),
    )


_WHERE_SAID: Final = re.compile(r"(?:^|\n\n)(?:Under: |Also said in )[^\n]*(?=\n\n|\Z)")


def _body(memory: Memory) -> str:
    """The body; of an imported rule without the paragraphs that only tell where its file says it."""
    body = memory.body or ""
    return _WHERE_SAID.sub("", body).strip() if memory.origin.imported else body


_UNDER: Final = re.compile(r"(?:^|\n\n)Under: ([^\n]*)(?=\n\n|\Z)")


def _section(memory: Memory) -> tuple[str, str]:
    place = memory.origin.imported or ""
    under = _UNDER.search(memory.body or "") if place else None
    return place.rpartition(":")[0], under[1] if under else ""


def told_apart(one: Statement, other: Statement) -> bool:
    """Whether one file says both under different headings: who wrote it told apart where each holds."""
    file, under = one.section
    return (
        bool(file and under and other.section[1]) and file == other.section[0] and under != other.section[1]
    )


def replaces(one: Statement, other: Statement) -> bool:
    """Whether either says that it supersedes the other, by id or title."""
    return _names(one, other) or _names(other, one)


def _names(heir: Statement, old: Statement) -> bool:
    wanted = {name for name in (old.id, old.title) if name}
    return any(name.strip("[] ") in wanted for name in heir.supersedes)


def bare(text: str) -> str:
    """The text in NFC, case folded, without the punctuation of sentences and with single spaces.

    Two texts that are equal so are the same words; marks that mean something in code stay.
    """
    plain = _DECORATION.sub("", _EMPHASIS.sub(r"\2", unicodedata.normalize("NFC", text[:LONGEST]).casefold()))
    return " ".join(unicodedata.normalize("NFC", _PUNCTUATION.sub(" ", plain)).split())
