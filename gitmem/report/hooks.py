"""Git hooks as text and as JSON."""

from __future__ import annotations

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


def hooks_lines(states: Sequence[HookState], top: Path) -> Iterator[str]:
    """A line for each hook; for a refused one its cure and the line to add by hand.

    Args:
        states: What was found or done.
        top: Folder that files are named from.
    """
    for one in states:
        file = one.file.relative_to(top) if one.file.is_relative_to(top) else one.file
        detail = f": {visible(one.detail)}" if one.detail else ""
        yield f"{one.state:<9} {visible(str(file)) if one.file.name else one.hook}{detail}"
        if one.cure:
            yield f"          {visible(one.cure)}"
        if one.state == "refused" and "below" in one.cure:
            yield f"          {line_to_add(one.hook)}"
