"""Gemini CLI: hooks, the server and the names of context files, all in ``.gemini/settings.json``.

Time limits are in milliseconds. ``PreCompress`` with the trigger ``auto`` is told before every turn, whether anything is
compressed or not, so only ``manual`` is listened to. It reads GEMINI.md alone unless ``context.fileName`` names more.
"""

from __future__ import annotations

from typing import Any, Final

from gitmem.agents.context import AGENTS_BLOCK, FILE
from gitmem.agents.hindering import Switch
from gitmem.agents.parts import Agent, Entry, JsonFile, guarded

NAME: Final = "gemini"


def _group(matcher: str | None = None) -> dict[str, Any]:
    hook = {"name": "gitmem", "type": "command", "command": guarded(NAME), "timeout": 10_000}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


HOOKS: Final = (
    Entry(("hooks", "SessionStart"), _group()),
    Entry(("hooks", "BeforeAgent"), _group()),
    Entry(("hooks", "AfterTool"), _group("run_shell_command")),
    Entry(("hooks", "PreCompress"), _group("manual")),
    Entry(("hooks", "SessionEnd"), _group()),
)

AGENT: Final = Agent(
    NAME,
    "Gemini CLI",
    (
        JsonFile(
            ".gemini/settings.json",
            HOOKS,
            servers="mcpServers",
            names=((("context", "fileName"), (FILE, "GEMINI.md")),),
            switches=(
                Switch(("hooksConfig", "enabled"), False, "all hooks"),
                Switch(("mcp", "excluded"), "gitmem", "the server"),
            ),
        ),
        AGENTS_BLOCK,
    ),
    ("Gemini CLI loads a project's settings in trusted folders only.",),
)
