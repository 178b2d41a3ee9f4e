"""Which files of a tree hold rules for agents, and where what each says holds.

| file | holds for |
|---|---|
| ``AGENTS.md``, ``CLAUDE.md``, ``GEMINI.md``, ``.cursorrules`` | the folder it lies in; at the top, or in a hidden folder there, the project |
| ``.cursor/rules/**/*.mdc`` | its globs, below the folder that holds ``.cursor`` |
| ``.github/instructions/**/*.instructions.md`` | its ``applyTo`` |
| ``.github/copilot-instructions.md`` | the project |
| numbered Markdown in a folder ``adr``, ``adrs``, ``decisions`` … | the folder that holds the documentation |
| any other Markdown, when it is named | the folder it lies in |
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from gitmem.drift.exclusions import is_excluded
from gitmem.model.memory import Scope


class SourceKind(StrEnum):
    """What kind of file it is, by its path."""

    AGENTS = "agents"
    CURSOR = "cursor"
    INSTRUCTIONS = "instructions"
    DECISION = "decision"
    NOTES = "notes"


_AGENTS: Final = re.compile(
    r"(?:^|/)(?:AGENTS|CLAUDE|GEMINI)\.md$|(?:^|/)\.cursorrules$|^\.github/copilot-instructions\.md$"
)
_CURSOR: Final = re.compile(r"(?:^|/)\.cursor/rules/(?:[^/]+/)*[^/]+\.mdc$")
_INSTRUCTIONS: Final = re.compile(r"(?:^|/)\.github/instructions/(?:[^/]+/)*[^/]+\.instructions\.md$")
_DECISION_FOLDER: Final = re.compile(
    r"(?i)(?:^|/)(?:adrs?|decisions|decision-records|architecture-decisions|architecture-decision-records|architectural-decisions)/"
)
_NUMBERED: Final = re.compile(r"(?i)^(?:adr[-_ ]?)?\d{1,6}[-_. ].*\.(?:md|markdown)$")
_MARKDOWN: Final = re.compile(r"(?i)\.(?:md|markdown|mdc|mdx)$|(?:^|/)\.cursorrules$")
_ELSEWHERE: Final = re.compile(
    r"(?:^|/)(?:node_modules|vendor|third_party|skills|fixtures|testdata|__fixtures__|templates?|examples?)/"
)
"""Folders whose rules speak to other people's projects, or to an agent about one task."""
_DOCUMENTATION: Final = frozenset({"doc", "docs", "documentation", "architecture", "design"})


def kind_of(path: str) -> SourceKind | None:
    """What a path holds, by the names that agents give their files; None for anything else."""
    if _AGENTS.search(path):
        return SourceKind.AGENTS
    if _CURSOR.search(path):
        return SourceKind.CURSOR
    if _INSTRUCTIONS.search(path):
        return SourceKind.INSTRUCTIONS
    if _DECISION_FOLDER.search(path) and _NUMBERED.match(path.rpartition("/")[2]):
        return SourceKind.DECISION
    return None


def named_kind(path: str) -> SourceKind | None:
    """What a path holds that somebody names: any Markdown, too."""
    return kind_of(path) or (SourceKind.NOTES if _MARKDOWN.search(path) else None)


def is_found(path: str) -> bool:
    """Whether an import without a source takes a path."""
    return kind_of(path) is not None and not _ELSEWHERE.search(path) and not is_excluded(path)


def base_of(path: str) -> str:
    """The folder that a file speaks for; empty for the whole project."""
    folders = path.split("/")[:-1]
    hidden = next((at for at, name in enumerate(folders) if name.startswith(".")), len(folders))
    folders = folders[:hidden]
    if kind_of(path) is SourceKind.DECISION:
        while folders and (
            _DECISION_FOLDER.match(f"{folders[-1]}/") or folders[-1].lower() in _DOCUMENTATION
        ):
            folders.pop()
    elif kind_of(path) is None and folders and folders[-1].lower() in _DOCUMENTATION:
        folders.pop()
    return "/".join(folders)


def scope_of(base: str) -> Scope:
    """Everything below a folder, or the project for the top."""
    return Scope(paths=(f"{escaped(base)}/**",)) if base else Scope(project=True)


def escaped(folder: str) -> str:
    """A folder's name as a glob that means it alone."""
    return re.sub(r"([*?\[\]{},\\])", r"\\\1", folder)
