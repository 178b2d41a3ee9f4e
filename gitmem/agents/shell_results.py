"""How a command of an agent's shell went, from the event that the agent tells after it. Pure.

Each agent has a shape of its own, and some tell no exit status:

* Claude Code calls ``PostToolUse`` for a command that succeeded, ``PostToolUseFailure`` with ``Exit code N`` before the
  output for one that did not.
* Codex gives the output as one text, without the exit status.
* Gemini CLI gives the output as ``returnDisplay``; into the text for the model it writes a line ``Exit Code: N`` when it is
  not 0, and ``Signal:`` when a signal ended the command.
* Cursor gives a JSON text with ``exitCode``.
* Copilot ends its text with ``<shellId: 0 completed with exit code N>``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

_SHELLS: Final = frozenset(
    (
        "bash",
        "shell",
        "run_shell_command",
        "local_shell",
        "exec_command",
        "unified_exec",
        "run_terminal_cmd",
        "powershell",
    )
)
_RESULTS: Final = (
    "tool_response",
    "tool_result",
    "toolResult",
    "tool_output",
    "output",
    "error",
    "error_message",
)
_TEXTS: Final = (
    "stdout",
    "returnDisplay",
    "llmContent",
    "textResultForLlm",
    "text_result_for_llm",
    "output",
    "content",
)
_CODES: Final = ("exitCode", "exit_code", "returnCode")
_LONGEST_COMMAND: Final = 20_000
_LAST_WORDS: Final = 300


class ShellResult(NamedTuple):
    """One command and how it went.

    Args:
        command: As the agent wrote it.
        output: What it printed.
        exit_code: None when it is not told.
        duration_s: Seconds; None when they are not told.
        key: What tells the event from others of the session: the agent's own id, or what was run and how it went.
    """

    command: str
    output: str
    exit_code: int | None
    duration_s: float | None
    key: str


def shell_result(host: str, event_name: str, event: Mapping[str, Any]) -> ShellResult | None:
    """The result; None for another tool, for what runs in the background, and for what somebody interrupted.

    Args:
        host: The agent.
        event_name: Its name for the event.
        event: The whole event.
    """
    tool = event.get("tool_name", event.get("toolName", "shell" if "command" in event else ""))
    if not isinstance(tool, str) or tool.lower() not in _SHELLS:
        return None
    given = _parsed(event.get("tool_input", event.get("toolArgs", event)))
    command = _command(given)
    result = next((_parsed(event[name]) for name in _RESULTS if event.get(name)), "")
    if not command or len(command) > _LONGEST_COMMAND or _is_unfinished(event, given, result):
        return None
    output = _output(result)
    is_failure = "failure" in event_name.lower() or (not event_name and "error" in event)
    code = _exit_code(host, result, output, is_failure=is_failure)
    if is_failure and host == "claude-code":
        output = output.partition("\n")[2] if code is not None else output
    milliseconds = event.get("duration_ms", event.get("duration"))
    duration = milliseconds / 1000 if isinstance(milliseconds, (int, float)) and milliseconds >= 0 else None
    key = event.get("tool_use_id")
    told = key if isinstance(key, str) else f"{command}\0{code}\0{output}"
    return ShellResult(command, output, code, duration, told)


def _command(given: Any) -> str:
    held = given.get("command", given.get("cmd", "")) if isinstance(given, dict) else ""
    if isinstance(held, list) and all(isinstance(word, str) for word in held):
        # Codex's older form: the program and its arguments, most often a shell and its script.
        return held[-1] if len(held) == 3 and held[1] in {"-c", "-lc"} else " ".join(held)
    return held if isinstance(held, str) else ""


def _is_unfinished(event: Mapping[str, Any], given: Any, result: Any) -> bool:
    held = (event, *(one for one in (given, result) if isinstance(one, dict)))
    names = ("is_interrupt", "interrupted", "run_in_background", "backgroundTaskId", "is_background")
    return any(one.get(name) for one in held for name in names)


def _output(result: Any) -> str:
    if isinstance(result, str):
        return result
    if not isinstance(result, dict):
        return ""
    said = next((result[name] for name in _TEXTS if isinstance(result.get(name), str)), "")
    more = result.get("stderr")
    return (
        f"{said}\n{more}"
        if said and isinstance(more, str) and more
        else said or (more if isinstance(more, str) else "")
    )


def _exit_code(host: str, result: Any, output: str, *, is_failure: bool) -> int | None:
    if isinstance(result, dict):
        told = next((result[name] for name in _CODES if isinstance(result.get(name), int)), None)
        if told is not None and not isinstance(told, bool):
            return int(told)
    if host == "claude-code":
        return _number_behind(output[:40], "Exit code ") if is_failure else 0
    if host == "copilot":
        return _number_behind(output[-_LAST_WORDS:].rpartition("\n<")[2], " with exit code ")
    return _of_gemini(result) if host == "gemini" else None


def _of_gemini(result: Any) -> int | None:
    told = result.get("llmContent") if isinstance(result, dict) else None
    if not isinstance(told, str) or not told.removeprefix("<untrusted_context>").lstrip().startswith(
        "Output: "
    ):
        return None
    end = told[-_LAST_WORDS:]
    if "\nExit Code: " in end:
        return _number_behind(end, "\nExit Code: ")
    return None if "\nSignal: " in end or "\nError: " in end else 0


def _number_behind(text: str, words: str) -> int | None:
    behind = text.rpartition(words)[2] if words in text else ""
    digits = behind[: len(behind) - len(behind.lstrip("0123456789"))]
    return int(digits) if digits and len(digits) < 6 else None


def _parsed(value: Any) -> Any:
    """A value; where it is the text of a JSON object, that object."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
