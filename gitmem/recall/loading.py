"""Which rules files a coding agent loads by itself, and what these load in turn. Pure.

Measured on the agents, or as their documentation has it: Claude Code reads CLAUDE.md with its ``@imports`` and the rules
without ``paths``, and not AGENTS.md; Codex AGENTS.md; Cursor AGENTS.md and the rules that always apply; Gemini CLI
GEMINI.md, or what ``context.fileName`` names, with its imports; Copilot CLI all of them but Cursor's.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

GEMINI_SETTINGS: Final = ".gemini/settings.json"
MOST_HOPS: Final = 5
"""Claude Code follows no more imports of imports."""
_IMPORT: Final = re.compile(r"(?:^|(?<=\s))@([^\s@]{1,300})")
_POINTER: Final = re.compile(r"[\w.@+/-]{1,200}\.md")
"""All that the blob of a symbolic link says."""
_SPAN: Final = re.compile(r"`[^`\n]*`")


class Loaded(NamedTuple):
    """What an agent loads at the start of a session.

    Args:
        files: Repository paths.
        folders: Of files of which only some are loaded always: `gitmem.recall.repeating.is_always_loaded`.
        imports: Whether ``@path`` in a file loads another one.
    """

    files: tuple[str, ...]
    folders: tuple[str, ...] = ()
    imports: bool = False


BY_HOST: Final[Mapping[str, Loaded]] = {
    "claude-code": Loaded(("CLAUDE.md", ".claude/CLAUDE.md"), (".claude/rules",), imports=True),
    "codex": Loaded(("AGENTS.md",)),
    "cursor": Loaded(("AGENTS.md", ".cursorrules"), (".cursor/rules",)),
    "gemini": Loaded(("GEMINI.md",), imports=True),
    "copilot": Loaded(
        ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"),
        (".github/instructions", ".claude/rules"),
    ),
}
ANY: Final = Loaded(
    (
        "AGENTS.md",
        "CLAUDE.md",
        "GEMINI.md",
        ".cursorrules",
        ".windsurfrules",
        ".clinerules",
        ".github/copilot-instructions.md",
        ".claude/CLAUDE.md",
    ),
    (".cursor/rules", ".github/instructions", ".claude/rules"),
)
"""What counts while it is unknown which agent asks."""


def host_of(name: str) -> str:
    """The agent that an actor or the client of a protocol is; empty for a person and for one that is not known.

    Args:
        name: Such as ``claude-code``, ``codex-mcp-client`` or ``human``.
    """
    plain = name.strip().lower().removeprefix("github-")
    return next((host for host in BY_HOST if re.match(rf"{host}(?![a-z0-9])", plain)), "")


def imported(path: str, text: str, *, imports: bool = True) -> tuple[str, ...]:
    """Repository paths that ``@path`` in a rules file loads, none of them in code or outside of the repository.

    Args:
        path: Of the file.
        text: Of the file; where a symbolic link leads.
        imports: Whether ``@path`` loads anything, or a symbolic link alone leads elsewhere.
    """
    folder = posixpath.dirname(path)
    lines = _outside_of_code(text) if imports else ()
    named = [one.rstrip(".,;:!?)]\"'") for line in lines for one in _IMPORT.findall(line)]
    named += [text] if _POINTER.fullmatch(text) else []
    joined = (posixpath.normpath(posixpath.join(folder, one)) for one in named if one[:1] not in "~/")
    return tuple(dict.fromkeys(one for one in joined if one.partition("/")[0] not in {"..", "."}))


def context_files(settings: str) -> tuple[str, ...]:
    """Names of the files that Gemini CLI reads by its settings; empty where they name none or are no JSON."""
    import json

    try:
        told = json.loads(settings)
        named = told.get("contextFileName") or told.get("context", {}).get("fileName")
    except (ValueError, AttributeError, RecursionError):
        return ()
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    return tuple(
        one for one in names if isinstance(one, str) and one.strip("./") and ".." not in one.split("/")
    )


def _outside_of_code(text: str) -> Iterator[str]:
    is_code = False
    for line in text.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code:
            yield _SPAN.sub(" ", line)
