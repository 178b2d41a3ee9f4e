"""What happens to an agent's files, as text and as JSON."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitmem.model.visible_text import visible_block
from gitmem.report.look import Look, Span
from gitmem.report.sanitise import visible

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


class FileChange(NamedTuple):
    """One file before and after.

    Args:
        path: Repository path.
        state: ``kept``, ``made``, ``changed`` or ``removed``.
        before: Its text; None when it is not there.
        after: Its text then; None when it goes.
    """

    path: str
    state: str
    before: bytes | None
    after: bytes | None


def changes_document(agent: str, changes: Sequence[FileChange], remarks: Sequence[str]) -> dict[str, object]:
    """``{"agent", "files": [{"file", "state"}], "remarks"}``."""
    files = [{"file": one.path, "state": one.state} for one in changes]
    return {"agent": agent, "files": files, "remarks": list(remarks)}


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
        for line in difflib.unified_diff(old, new, *names, lineterm=""):
            yield look.line(Span(visible_block(line), _STYLES.get(line[:1], "")))


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("utf-8", "replace").splitlines()
