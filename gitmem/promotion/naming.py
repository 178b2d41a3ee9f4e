"""What a thing that can be said of a lesson or a run is called: as an option, in a memory file, as an argument of a tool.

Cures and errors are written with options, as people type them. For whoever edits a file, or calls a tool, they are told
in their own words; what stands in quotes, or is a whole command to be run, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

FIELDS: Final[Mapping[str, str]] = {
    "--element": "scope.elements",
    "--evidence": "evidence",
    "--exclude": "scope.exclude",
    "--expires": "expires_at",
    "--failure-class": "origin.failure_class",
    "--failure-type": "origin.failure_type",
    "--for": "scope.applies_to",
    "--from-event": "origin.source_events",
    "--kind": "kind",
    "--not-for": "scope.does_not_apply_to",
    "--path": "scope.paths",
    "--probe": "verification.probe",
    "--root-cause": "origin.root_cause",
    "--supersedes": "supersedes",
    "--title": "title",
    "--type": "type",
}
"""Options of ``gitmem remember`` and the fields of a memory file that they write."""
ARGUMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "--allow": ("allowed_files",),
    "--artifact": ("artifact",),
    "--element": ("elements", "element"),
    "--from-event": ("source_events",),
    "--path": ("paths",),
    "--seen": ("token",),
    "--task": ("task",),
    "-n": ("limit",),
}
"""Options whose argument has another name; the others' is the same with underscores."""
_OPTION = re.compile(
    r"(?P<kept>`[^`]*`|(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|\bgitmem [^;,:]*|\bgit [^;,:]*)"
    r"|(?<![\w-])(?P<option>--[a-z][a-z-]*|-n\b)"
)


def in_fields(text: str) -> str:
    """A cure for somebody who edits a memory file."""
    return _OPTION.sub(lambda found: found["kept"] or FIELDS.get(found["option"], found["option"]), text)


def in_arguments(text: str, spelled: Mapping[str, str]) -> str:
    """A sentence for somebody who calls a tool.

    Args:
        text: The sentence.
        spelled: The tool's arguments by name, as the call spells them; an option that is none of them stays as it is.
    """

    def told(found: re.Match[str]) -> str:
        option = found["option"]
        if not option:
            return found["kept"]
        names = ARGUMENTS.get(option, (option.removeprefix("--").replace("-", "_"),))
        return next((spelled[name] for name in names if name in spelled), option)

    return _OPTION.sub(told, text)
