"""What a coding agent tells its hook, in one shape for all of them. Pure, and light: most events are told in vain.

Claude Code, Codex and Gemini CLI name the event in ``hook_event_name`` and write keys in snake_case; Cursor does so with
names in camelCase; Copilot writes keys in camelCase and does not name the event, so its fields tell. Copilot and Cursor
run the hooks of ``.claude/settings.json`` too, and `gemini hooks migrate` copies them: whoever says claude-code is looked
at twice.

Why a session starts is told as ``source``, and each source is a context that holds no brief yet:

=========== ================================= ===========================================================================
claude-code startup, resume, clear, compact,  compact follows a compaction
            fork
codex       startup, resume, clear, compact   compact follows a compaction
gemini      startup, resume, clear            nothing starts after a compaction: the next prompt is answered with the brief
cursor      none                              one start for each conversation; after a compaction the next command is
copilot     new, startup, resume              nothing starts after a compaction: the next tool of any kind is
=========== ================================= ===========================================================================
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from gitmem.agents.shell_results import ShellResult, shell_result

Kind = Literal["start", "prompt", "tool", "turn", "compact", "end"]

_KINDS: Final[Mapping[str, Kind]] = {
    "sessionstart": "start",
    "userpromptsubmit": "prompt",
    "userpromptsubmitted": "prompt",
    "beforeagent": "prompt",
    "beforesubmitprompt": "prompt",
    "posttooluse": "tool",
    "posttoolusefailure": "tool",
    "aftertool": "tool",
    "aftershellexecution": "tool",
    "agentstop": "turn",
    "precompact": "compact",
    "precompress": "compact",
    "sessionend": "end",
}
_GEMINI_ALONE: Final = frozenset({"BeforeAgent", "AfterAgent", "BeforeTool", "AfterTool", "PreCompress"})
_PROJECT: Final = ("CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR")
_SESSION_KEYS: Final = ("session_id", "sessionId", "conversation_id")
_SESSION_CHARACTERS: Final = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:@/+-"
)
_LONGEST_SESSION: Final = 128
HEARS_TOOLS: Final = frozenset({"copilot", "cursor", "gemini"})
"""Agents that read what a hook answers to the end of a tool; two of them have no other event after a compaction."""


class Told(NamedTuple):
    """One event.

    Args:
        kind: What happened.
        host: The agent that tells it, as `gitmem.agents.table` names it.
        event: Its own name for the event, for the answer; empty where it has none.
        session: Its id of the session.
        folders: Where the project may be, the likeliest first.
        source: Why a session starts, or a context is compacted; empty when not told.
        prompt: What the user asked; at the start where the agent knows it then.
        shell: How a command of the agent's shell went; None for all else.
        transcript: File with what was said in the session.
        said: The agent's last words, where they are told.
        model: The model, where it is told.
        mark: What the agent's own record of the session holds once this event is in it; empty when not known.
    """

    kind: Kind
    host: str
    event: str
    session: str
    folders: tuple[str, ...]
    source: str = ""
    prompt: str = ""
    shell: ShellResult | None = None
    transcript: str = ""
    said: str = ""
    model: str = ""
    mark: str = ""


def read_event(name: str, data: bytes, environment: Mapping[str, str], folder: str) -> Told | None:
    """The event; None for what is none, or concerns nobody here.

    Args:
        name: The agent whose hook was called.
        data: What stood on stdin.
        environment: The hook's.
        folder: Where the hook runs.
    """
    try:
        event = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    host = _host(name, event, environment)
    named = _text(event, "hook_event_name", "hookEventName")
    kind = _KINDS.get(named.lower()) if named else _unnamed(event)
    session = _session(event)
    if kind is None or not session:
        return None
    if kind == "compact" and host == "gemini" and _text(event, "trigger") != "manual":
        return None  # told before every turn
    shell = shell_result(host, named, event) if kind == "tool" else None
    if kind == "tool" and shell is None and host not in HEARS_TOOLS:
        return None
    return Told(
        kind,
        host,
        named,
        session,
        _folders(event, environment, folder),
        source=_text(event, "source", "trigger", "reason")[:40],
        prompt=_without_context(_text(event, "prompt", "initialPrompt", "initial_prompt")),
        shell=shell,
        transcript=_text(event, "transcript_path", "transcriptPath"),
        said=_text(event, "last_assistant_message", "prompt_response"),
        model=_text(event, "model")[:100],
        mark=str(event.get("timestamp", ""))[:40],
    )


def is_accompanied(environment: Mapping[str, str]) -> bool:
    """Whether `gitmem run exec --as agent` is around the agent, which opens and ends the session itself."""
    return bool(environment.get("GITMEM_CONTEXT") and environment.get("GITMEM_SESSION"))


def ledger_session(told: Told, environment: Mapping[str, str]) -> str:
    """The session's id in the ledger: of the one that stands around it, else the agent's own."""
    return environment["GITMEM_SESSION"] if is_accompanied(environment) else told.session


def _host(name: str, event: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Who really calls: only the hooks of Claude Code are run by others."""
    if name != "claude-code":
        return name
    if "CURSOR_VERSION" in environment or "conversation_id" in event or "cursor_version" in event:
        return "cursor"
    if _text(event, "hook_event_name") in _GEMINI_ALONE or "GEMINI_SESSION_ID" in environment:
        return "gemini"
    # Claude Code tells no time of day; of those that do, Gemini CLI names a transcript with every event.
    is_copilot = "sessionId" in event or "initial_prompt" in event or event.get("source") == "new"
    if is_copilot or "timestamp" in event:
        return "copilot" if is_copilot or "transcript_path" not in event else "gemini"
    return name


def _unnamed(event: Mapping[str, Any]) -> Kind | None:
    """The kind of an event that Copilot tells, by its fields."""
    if "toolName" in event:
        return "tool" if "toolResult" in event or "error" in event else None
    if "prompt" in event:
        return "prompt"
    if "trigger" in event:
        return "compact"
    if "stopReason" in event:
        return "turn"
    if "source" in event:
        return "start"
    return "end" if "reason" in event else None


def _session(event: Mapping[str, Any]) -> str:
    """Its id; a digest in the place of an odd one, since it ends up in a shell's environment and in events."""
    session = _text(event, *_SESSION_KEYS)
    if not session or (len(session) <= _LONGEST_SESSION and _SESSION_CHARACTERS.issuperset(session)):
        return session
    from hashlib import sha256

    return f"session-{sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _folders(event: Mapping[str, Any], environment: Mapping[str, str], folder: str) -> tuple[str, ...]:
    roots = event.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    told = [_text(event, "cwd"), first, *(environment.get(name, "") for name in _PROJECT), folder]
    fit = (
        one
        for one in told
        if isinstance(one, str) and one.startswith("/") and "\0" not in one and len(one) < 4096
    )
    return tuple(dict.fromkeys(fit))


def _without_context(prompt: str) -> str:
    """What the user said: Gemini CLI puts what a hook answered at the start before the first prompt."""
    before, begin, rest = prompt.partition("<hook_context>")
    _, end, after = rest.partition("</hook_context>")
    return before + after if begin and end else prompt


def _text(event: Mapping[str, Any], *names: str) -> str:
    return next((event[name] for name in names if isinstance(event.get(name), str)), "")
