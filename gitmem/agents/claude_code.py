"""Claude Code: hooks in ``.claude/settings.json``, the server in ``.mcp.json``, AGENTS.md by a line in CLAUDE.md.

Formats as measured with Claude Code 2.1: groups with a matcher, time limits in seconds. SessionStart fires again after
compaction, so nothing has to be injected before it. Where the project enables gitmem's plugin (``plugin/`` beside this
file), the plugin brings hooks and server, and neither is written a second time.
"""

from __future__ import annotations

from typing import Any, Final

from gitmem.agents.context import AGENTS_BLOCK
from gitmem.agents.hindering import Switch
from gitmem.agents.parts import Agent, Entry, JsonFile, Pointer, guarded

NAME: Final = "claude-code"


def group(matcher: str | None = None, *, agent: str = NAME, seconds: int = 10) -> dict[str, Any]:
    """One group of hooks: a matcher where there is something to match, and the command."""
    hooks = [{"type": "command", "command": guarded(agent), "timeout": seconds}]
    return {**({"matcher": matcher} if matcher else {}), "hooks": hooks}


HOOKS: Final = (
    Entry(("hooks", "SessionStart"), group("startup|resume|clear|compact|fork")),
    Entry(("hooks", "UserPromptSubmit"), group()),
    Entry(("hooks", "PostToolUse"), group("Bash")),
    Entry(("hooks", "PostToolUseFailure"), group("Bash")),
    Entry(("hooks", "PreCompact"), group()),
    Entry(("hooks", "SessionEnd"), group()),
)

_SWITCHES: Final = (
    Switch(("disableAllHooks",), True, "all hooks"),
    Switch(("disabledMcpjsonServers",), "gitmem", "the server"),
)

AGENT: Final = Agent(
    NAME,
    "Claude Code",
    (
        JsonFile(".claude/settings.json", HOOKS, switches=_SWITCHES),
        JsonFile(
            ".mcp.json", servers="mcpServers", server={"type": "stdio", "command": "gitmem", "args": ["mcp"]}
        ),
        AGENTS_BLOCK,
        Pointer("CLAUDE.md", "@AGENTS.md"),
    ),
    ("Claude Code asks once whether the server of .mcp.json may run.",),
    plugin="gitmem",
)
