"""Copilot: a hook file of its own in ``.github/hooks/``, the server in ``.mcp.json``; it reads AGENTS.md by itself.

It runs the hooks of ``.claude/settings.json`` too: the hook knows both and answers once for each session and event.
``preToolUse`` fails closed, and what ``userPromptSubmitted`` answers is dropped, so neither is registered.
``agentStop`` alone tells where the record of the session lies.
"""

from __future__ import annotations

from typing import Any, Final

from gitmem.agents.context import AGENTS_BLOCK
from gitmem.agents.parts import HOOK, Agent, Entry, JsonFile, guarded

NAME: Final = "copilot"
_HOOK: Final[dict[str, Any]] = {
    "type": "command",
    "bash": guarded(NAME),
    "powershell": f"if (Get-Command gitmem -ErrorAction SilentlyContinue) {{ {HOOK}{NAME} }}",
    "timeoutSec": 10,
}
_EVENTS: Final = (
    "sessionStart",
    "postToolUse",
    "postToolUseFailure",
    "agentStop",
    "preCompact",
    "sessionEnd",
)

AGENT: Final = Agent(
    NAME,
    "Copilot",
    (
        JsonFile(
            ".github/hooks/gitmem.json",
            tuple(Entry(("hooks", event), _HOOK) for event in _EVENTS),
            base={"version": 1},
        ),
        JsonFile(
            ".mcp.json", servers="mcpServers", server={"type": "stdio", "command": "gitmem", "args": ["mcp"]}
        ),
        AGENTS_BLOCK,
    ),
    ("Copilot runs a project's hooks in trusted folders only.",),
)
