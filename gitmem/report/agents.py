"""What happens to an agent's files, as text and as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.visible_text import visible_block
from gitmem.report.look import Look, Span
from gitmem.report.sanitise import prose, visible

_BOM = "\ufeff"
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


class FileChange(NamedTuple):
    """One file before and after.

    Args:
        path: Repository path.
        state: ``kept``, ``made``, ``changed``, ``removed``, or ``refused`` for one to be changed by hand.
        before: Its text; None when it is not there.
        after: Its text then; None when it goes.
    """

    path: str
    state: str
    before: bytes | None
    after: bytes | None


class AgentState(NamedTuple):
    """One agent that gitmem knows.

    Args:
        agent: Its name.
        title: What people call it.
        state: ``installed``, ``incomplete``, ``broken``, or ``absent``.
        problems: What of it cannot be read.
    """

    agent: str
    title: str
    state: str
    problems: Sequence[GitmemError] = ()


def agents_document(states: Sequence[AgentState]) -> dict[str, object]:
    """``{"agents": [{"agent", "installed", "state", "problems"}]}``; what is broken was installed."""
    told = [
        {
            "agent": one.agent,
            "installed": one.state != "absent",
            "state": one.state,
            "problems": [error_document(error) for error in one.problems],
        }
        for one in states
    ]
    return {"agents": told}


def agents_lines(states: Sequence[AgentState]) -> Iterator[str]:
    """A line for each agent, and below it what of it cannot be read, with the cure."""
    for one in states:
        yield f"{'-' if one.state == 'absent' else one.state:<10} {one.agent:<12} {one.title}"
        for error in one.problems:
            yield f"{'':<10} {prose(error.message)}"
            yield f"{'':<10} → {prose(error.hint)}"


def changes_document(
    agent: str, changes: Sequence[FileChange], remarks: Sequence[str], problems: Sequence[GitmemError] = ()
) -> dict[str, object]:
    """``{"agent", "files": [{"file", "state"}], "remarks", "problems"}``."""
    return {
        "agent": agent,
        "files": [{"file": one.path, "state": one.state} for one in changes],
        "remarks": list(remarks),
        "problems": [error_document(one) for one in problems],
    }


def error_document(error: GitmemError) -> dict[str, object]:
    """``{"kind", "message", "hint", "path", "line", "column"}``, what is not known being null."""
    return {
        "kind": error.kind,
        "message": error.message,
        "hint": error.hint,
        "path": error.path,
        "line": error.line,
        "column": error.column,
    }


def error_lines(error: GitmemError) -> Iterator[str]:
    """As the command line tells a failure, for one that does not end the command."""
    yield f"gitmem: error: {prose(error.message)}"
    if error.hint:
        yield f"hint: {prose(error.hint)}"


def changes_lines(changes: Sequence[FileChange]) -> Iterator[str]:
    """A line for each file."""
    for one in changes:
        yield f"{one.state:<8} {visible(one.path)}"


def diff_lines(changes: Sequence[FileChange], look: Look) -> Iterator[str]:
    """The changes as one unified diff, as ``git diff`` names files."""
    for one in changes:
        if one.before == one.after:
            continue
        old, new = (_lines(one.before), _lines(one.after))
        names = (
            f"a/{one.path}" if one.before is not None else "/dev/null",
            f"b/{one.path}" if one.after is not None else "/dev/null",
        )
        marked = {lines[0] for lines in (old, new) if lines[:1] and lines[0].startswith(_BOM)}
        for line in difflib.unified_diff(old, new, *names):
            yield from _shown(line, look, is_marked=line[1:] in marked)


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    return [f"{line}\n" for line in text.split("\n")[:-1]] + [last for last in text.split("\n")[-1:] if last]


def _shown(line: str, look: Look, *, is_marked: bool) -> Iterator[str]:
    """A line of a diff that git can apply: a byte order mark at the file's start and a CR before a line's end stay."""
    text = line.removesuffix("\n")
    bare = text.removesuffix("\r")
    mark = _BOM if is_marked else ""
    shown = f"{bare[:1]}{mark}{visible_block(bare[1 + len(mark) :])}"
    told = look.line(Span(shown, _STYLES.get(line[:1], "")))
    yield f"{told}\r" if bare != text else told
    if text == line:
        yield "\\ No newline at end of file"
