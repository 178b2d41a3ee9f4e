"""Problems of files, told the same way by every command."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from gitmem.model.problem import Problem
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import prose, visible


def problem_document(problem: Problem) -> dict[str, Any]:
    """One entry of ``problems``, the same in every document."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "field": problem.field,
        "message": problem.message,
        "hint": problem.hint,
        "severity": problem.severity,
    }


def problem_line(problem: Problem, look: Look = PLAIN) -> str:
    """``FILE:LINE:COLUMN: severity: MESSAGE (hint)``, places that are not known left out."""
    place = ":".join([visible(problem.file), *(str(part) for part in (problem.line, problem.column) if part)])
    style = "red" if problem.severity == "error" else "yellow"
    hint = f" ({prose(problem.hint)})" if problem.hint else ""
    return look.line(f"{place}: ", Span(problem.severity, style), f": {prose(problem.message)}{hint}")


def of_memories(problems: Iterable[Problem], files: Collection[str], ids: Collection[str]) -> list[Problem]:
    """Those that may bear on some memories: not the ones of another memory's file or of its validations.

    Args:
        problems: All.
        files: The memories' files.
        ids: Their ids.
    """
    folders = tuple(f"{_VALIDATIONS}{one}/" for one in ids)
    claims = tuple(f"id {one} is taken by " for one in ids)
    return [
        one
        for one in problems
        if not one.file.startswith((_MEMORIES, _VALIDATIONS))
        or one.file in files
        or one.file.startswith(folders)
        or one.message.startswith(claims)
    ]


_MEMORIES, _VALIDATIONS = ".ai/memory/", ".ai/validations/"


def unreadable(problems: Iterable[Problem]) -> list[Problem]:
    """Those that keep a file from loading; what merely could be better is `gitmem lint`'s to say."""
    return [problem for problem in problems if problem.severity == "error"]
