"""Git hooks as text and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from gitmem.report.sanitise import visible
from gitmem.usecases.hooks import HookState, line_to_add


def hooks_document(states: Sequence[HookState]) -> dict[str, object]:
    """``{"hooks": [{"hook", "file", "state", "detail", "cure"}]}``."""
    return {
        "hooks": [
            {
                "hook": one.hook,
                "file": str(one.file),
                "state": one.state,
                "detail": one.detail,
                "cure": one.cure,
            }
            for one in states
        ]
    }


def _short(file: Path, top: Path) -> str:
    """A path from a folder, upwards too where that is shorter: a submodule's hooks lie outside of its work tree."""
    relative = os.path.relpath(file, top)
    return min(str(file), relative, key=len)


def hooks_lines(states: Sequence[HookState], top: Path) -> Iterator[str]:
    """A line for each hook; for one that cannot take the line its cure and the line to add by hand.

    Args:
        states: What was found or done.
        top: Folder that files are named from.
    """
    for one in states:
        detail = f": {visible(one.detail)}" if one.detail else ""
        yield f"{one.state:<9} {visible(_short(one.file, top)) if one.file.name else one.hook}{detail}"
        if one.cure:
            yield f"          {visible(one.cure)}"
        if "below" in one.cure:
            yield f"          {line_to_add(one.hook)}"
