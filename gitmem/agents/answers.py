"""What a hook answers: text for the agent to read, in the form that each agent takes. Pure.

Measured: Claude Code, Codex and Gemini CLI take ``hookSpecificOutput``, Codex without any other key; Copilot takes
``additionalContext`` at the top and ignores the former; Cursor takes ``additional_context``, and variables for its shell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

LARGEST = 9_000
"""UTF-8 bytes of one text: Claude Code cuts above 10,000 characters, Codex above 10,000 bytes."""


def context_answer(host: str, event: str, text: str, variables: Mapping[str, str]) -> bytes:
    """The answer that puts a text before the agent.

    Args:
        host: The agent.
        event: Its name for the event.
        text: What it is to read.
        variables: For the commands of the session, where the agent takes them so.
    """
    plain = text.encode("utf-8", "replace").decode()
    if host == "copilot":
        told: Mapping[str, object] = {"additionalContext": plain}
    elif host == "cursor":
        told = {"additional_context": plain, **({"env": dict(variables)} if variables else {})}
    else:
        told = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": plain}}
    # ASCII alone, so that no locale of the agent's can spoil it.
    return json.dumps(told, separators=(",", ":")).encode("ascii") + b"\n"
