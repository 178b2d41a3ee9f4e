"""Codex: hooks in ``.codex/hooks.json``, the server in ``.codex/config.toml``; it reads AGENTS.md by itself.

A hook is trusted by a digest of its text, so the command stays the same for ever: a changed one is skipped in silence
until somebody trusts it again.
"""

from __future__ import annotations

from typing import Final

from gitmem.agents.claude_code import group
from gitmem.agents.context import AGENTS_BLOCK
from gitmem.agents.hindering import Switch
from gitmem.agents.parts import Agent, Entry, JsonFile, TomlFile

NAME: Final = "codex"

HOOKS: Final = (
    Entry(("hooks", "SessionStart"), group("startup|resume|clear|compact", agent=NAME)),
    Entry(("hooks", "UserPromptSubmit"), group(agent=NAME)),
    Entry(("hooks", "PostToolUse"), group("Bash", agent=NAME)),
    Entry(("hooks", "PreCompact"), group(agent=NAME)),
    Entry(("hooks", "SessionEnd"), group(agent=NAME, seconds=3)),  # Codex allows no more at the end
)

_SWITCHES: Final = (Switch(("features", "hooks"), False, "all hooks"),)

AGENT: Final = Agent(
    NAME,
    "Codex",
    (JsonFile(".codex/hooks.json", HOOKS), TomlFile(".codex/config.toml", switches=_SWITCHES), AGENTS_BLOCK),
    (
        "Codex reads .codex/ in trusted projects only, and skips a hook in silence until you trust it: /hooks in a session.",
    ),
)
