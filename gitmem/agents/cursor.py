"""Cursor: hooks in ``.cursor/hooks.json``, the server in ``.cursor/mcp.json``; it reads AGENTS.md by itself.

Entries are flat and events are camelCase. With its third-party skills on, Cursor runs the hooks of
``.claude/settings.json`` too: the hook knows both and answers once for each session and event.
"""

from __future__ import annotations

from typing import Any, Final

from gitmem.agents.context import AGENTS_BLOCK
from gitmem.agents.parts import Agent, Entry, JsonFile, guarded

NAME: Final = "cursor"
_HOOK: Final[dict[str, Any]] = {"command": guarded(NAME), "timeout": 10}
_SHELL: Final = {**_HOOK, "matcher": "Shell"}
_EVENTS: Final[dict[str, dict[str, Any]]] = {
    "sessionStart": _HOOK,
    "postToolUse": _SHELL,
    "postToolUseFailure": _SHELL,
    "preCompact": _HOOK,
    "sessionEnd": _HOOK,
}

AGENT: Final = Agent(
    NAME,
    "Cursor",
    (
        JsonFile(
            ".cursor/hooks.json",
            tuple(Entry(("hooks", event), hook) for event, hook in _EVENTS.items()),
            base={"version": 1},
        ),
        JsonFile(".cursor/mcp.json", servers="mcpServers"),
        AGENTS_BLOCK,
    ),
)
