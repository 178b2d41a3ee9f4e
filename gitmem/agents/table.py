"""Every agent that gitmem knows, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gitmem.agents import claude_code, codex, copilot, cursor, gemini
from gitmem.agents.parts import Agent

AGENTS: Final[Mapping[str, Agent]] = {
    one.name: one for one in (claude_code.AGENT, codex.AGENT, cursor.AGENT, gemini.AGENT, copilot.AGENT)
}
