"""Events as the agents tell them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.agents.events import Told, read_event

BASE = {"session_id": "s-1", "cwd": "/p", "transcript_path": "/t.jsonl"}
GEMINI = {**BASE, "timestamp": "2026-07-13T10:00:00Z"}
COPILOT: dict[str, Any] = {"sessionId": "s-1", "timestamp": 1_704_614_400_000, "cwd": "/p"}
COMPATIBLE = {"session_id": "s-1", "timestamp": "2026-07-13T10:00:00Z", "cwd": "/p"}
CODEX = {**BASE, "model": "gpt", "permission_mode": "default", "turn_id": "1"}
CURSOR = {"conversation_id": "s-1", "workspace_roots": ["/p"], "cursor_version": "3.20.17"}


def read(name: str, event: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Told | None:
    return read_event(name, json.dumps(event).encode(), environment or {}, "/here")


@pytest.mark.parametrize(
    ("name", "event", "kind", "host"),
    [
        (
            "claude-code",
            {**BASE, "hook_event_name": "SessionStart", "source": "compact"},
            "start",
            "claude-code",
        ),
        (
            "claude-code",
            {**BASE, "hook_event_name": "UserPromptSubmit", "prompt": "x"},
            "prompt",
            "claude-code",
        ),
        (
            "claude-code",
            {**BASE, "hook_event_name": "PreCompact", "trigger": "auto"},
            "compact",
            "claude-code",
        ),
        ("claude-code", {**BASE, "hook_event_name": "SessionEnd", "reason": "clear"}, "end", "claude-code"),
        ("codex", {**CODEX, "hook_event_name": "SessionStart", "source": "startup"}, "start", "codex"),
        ("codex", {**CODEX, "hook_event_name": "UserPromptSubmit", "prompt": "x"}, "prompt", "codex"),
        (
            "codex",
            {**CODEX, "transcript_path": None, "hook_event_name": "PreCompact", "trigger": "manual"},
            "compact",
            "codex",
        ),
        ("cursor", {**CURSOR, "hook_event_name": "sessionStart"}, "start", "cursor"),
        ("cursor", {**CURSOR, "hook_event_name": "preCompact"}, "compact", "cursor"),
        ("cursor", {**CURSOR, "hook_event_name": "sessionEnd"}, "end", "cursor"),
        ("gemini", {**GEMINI, "hook_event_name": "SessionStart", "source": "startup"}, "start", "gemini"),
        ("gemini", {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": "x"}, "prompt", "gemini"),
        ("gemini", {**GEMINI, "hook_event_name": "PreCompress", "trigger": "manual"}, "compact", "gemini"),
        ("gemini", {**GEMINI, "hook_event_name": "SessionEnd", "reason": "exit"}, "end", "gemini"),
        ("copilot", {**COPILOT, "source": "new", "initialPrompt": "x"}, "start", "copilot"),
        ("copilot", {**COPILOT, "prompt": "x"}, "prompt", "copilot"),
        ("copilot", {**COPILOT, "trigger": "auto", "customInstructions": ""}, "compact", "copilot"),
        ("copilot", {**COPILOT, "stopReason": "end_turn", "transcriptPath": "/t.jsonl"}, "turn", "copilot"),
        ("copilot", {**COPILOT, "reason": "complete"}, "end", "copilot"),
        # hooks of Claude Code, run by others
        (
            "claude-code",
            {**COMPATIBLE, "hook_event_name": "SessionStart", "source": "new"},
            "start",
            "copilot",
        ),
        (
            "claude-code",
            {**COMPATIBLE, "hook_event_name": "SessionEnd", "reason": "complete"},
            "end",
            "copilot",
        ),
        ("claude-code", {**CURSOR, "hook_event_name": "sessionStart"}, "start", "cursor"),
        ("claude-code", {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": "x"}, "prompt", "gemini"),
        ("claude-code", {**GEMINI, "hook_event_name": "SessionEnd", "reason": "exit"}, "end", "gemini"),
    ],
)
def test_every_agent_is_understood_and_recognised(
    name: str, event: dict[str, Any], kind: str, host: str
) -> None:
    told = read(name, event)
    assert told is not None
    assert (told.kind, told.host, told.session, told.folders[0]) == (kind, host, "s-1", "/p")


def test_cursor_is_recognised_by_its_environment_too() -> None:
    event = {**BASE, "hook_event_name": "SessionStart", "source": "startup"}
    told = read("claude-code", event, {"CURSOR_VERSION": "3.20.17", "CURSOR_PROJECT_DIR": "/q"})
    assert told is not None
    assert (told.host, told.folders) == ("cursor", ("/p", "/q", "/here"))


PYTEST = {"command": "pytest"}
AFTER = {"hook_event_name": "AfterTool", "tool_name": "run_shell_command", "tool_input": PYTEST}


@pytest.mark.parametrize(
    ("name", "event", "output", "code"),
    [
        ("claude-code", {**BASE, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": PYTEST, "tool_response": {"stdout": "1 passed", "stderr": "w", "interrupted": False}}, "1 passed\nw", 0),
        ("claude-code", {**BASE, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": PYTEST, "error": "Exit code 2\n1 failed"}, "1 failed", 2),
        ("claude-code", {**BASE, "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": PYTEST, "error": "Command timed out"}, "Command timed out", None),
        ("codex", {**CODEX, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": PYTEST, "tool_response": "1 passed"}, "1 passed", None),
        ("codex", {**CODEX, "hook_event_name": "PostToolUse", "tool_name": "shell", "tool_input": {"command": ["bash", "-lc", "pytest"]}, "tool_response": "1 passed"}, "1 passed", None),
        ("gemini", {**GEMINI, **AFTER, "tool_response": {"llmContent": "<untrusted_context>\nOutput: 1 failed\nExit Code: 1\nProcess Group PGID: 7\n</untrusted_context>", "returnDisplay": "1 failed"}}, "1 failed", 1),
        ("gemini", {**GEMINI, **AFTER, "tool_response": {"llmContent": "<untrusted_context>\nOutput: 1 passed\nProcess Group PGID: 7\n</untrusted_context>", "returnDisplay": "1 passed"}}, "1 passed", 0),
        ("gemini", {**GEMINI, **AFTER, "tool_response": {"llmContent": "Output: 1\nSignal: 9", "returnDisplay": "1"}}, "1", None),
        ("gemini", {**GEMINI, **AFTER, "tool_response": {"llmContent": "Command was moved to background (PID: 7)."}}, "Command was moved to background (PID: 7).", None),
        ("cursor", {**CURSOR, "hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": PYTEST, "tool_output": '{"exitCode": 0, "stdout": "1 passed"}'}, "1 passed", 0),
        ("cursor", {**CURSOR, "hook_event_name": "afterShellExecution", "command": "pytest", "output": "1 passed", "duration": 5}, "1 passed", None),
        ("copilot", {**COPILOT, "toolName": "bash", "toolArgs": '{"command": "pytest"}', "toolResult": {"resultType": "success", "textResultForLlm": "1 failed\n<shellId: 0 completed with exit code 1>"}}, "1 failed\n<shellId: 0 completed with exit code 1>", 1),
        ("copilot", {**COPILOT, "toolName": "bash", "toolArgs": PYTEST, "error": "1 failed"}, "1 failed", None),
        ("claude-code", {**COMPATIBLE, "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": PYTEST, "tool_result": {"result_type": "success", "text_result_for_llm": "1 passed"}}, "1 passed", None),
    ],
)  # fmt: skip
def test_a_command_comes_with_its_output_and_the_exit_code_where_it_is_told(
    name: str, event: dict[str, Any], output: str, code: int | None
) -> None:
    told = read(name, event)
    assert told is not None
    assert told.shell is not None
    assert (told.shell.command, told.shell.output, told.shell.exit_code) == ("pytest", output, code)


@pytest.mark.parametrize(
    "more",
    [
        {"tool_name": "Edit", "tool_input": {"file_path": "a"}},
        {"tool_name": "Bash", "tool_input": {"command": "pytest", "run_in_background": True}},
        {"tool_name": "Bash", "tool_input": PYTEST, "tool_response": {"stdout": "", "interrupted": True}},
        {"tool_name": "Bash", "tool_input": PYTEST, "tool_response": {"stdout": "", "backgroundTaskId": "b"}},
        {"tool_name": "Bash", "tool_input": {"command": 3}},
        {"tool_name": "Bash", "tool_input": {"command": "x" * 50_000}},
        {"tool_name": ["Bash"], "tool_input": PYTEST},
    ],
)
def test_other_tools_and_what_is_unfinished_are_none(more: dict[str, Any]) -> None:
    assert read("claude-code", {**BASE, "hook_event_name": "PostToolUse", **more}) is None


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"[]", b"null", b"{}", b"[" * 100_000, b"\xff\xfe", b'{"hook_event_name": "SessionStart"}', b'{"session_id": 5}',
     b'{"session_id": "s", "hook_event_name": "Stop"}', b'{"session_id": "s", "hook_event_name": ["SessionStart"]}'],
)  # fmt: skip
def test_what_is_no_event_of_ours_is_none(data: bytes) -> None:
    assert read_event("claude-code", data, {}, "/here") is None


def test_what_gemini_tells_before_every_turn_is_none() -> None:
    assert read("gemini", {**GEMINI, "hook_event_name": "PreCompress", "trigger": "auto"}) is None


def test_what_a_hook_answered_is_not_what_the_user_said() -> None:
    prompt = "<hook_context># gitmem brief\n</hook_context>\n\nfix it"
    told = read("gemini", {**GEMINI, "hook_event_name": "BeforeAgent", "prompt": prompt})
    assert told is not None
    assert told.prompt.strip() == "fix it"


def test_an_odd_session_is_known_by_a_digest() -> None:
    event = {**BASE, "hook_event_name": "SessionStart", "session_id": "a'; rm -rf ~ #\n"}
    told = read("claude-code", event)
    assert told is not None
    assert told.session.startswith("session-")
    assert told.session.replace("-", "").isalnum()


names = st.sampled_from(
    ["session_id", "sessionId", "cwd", "hook_event_name", "tool_name", "toolName", "tool_input", "toolArgs", "tool_response",
     "error", "prompt", "source", "trigger", "workspace_roots", "duration_ms", "transcript_path"]
)  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["Bash", "PostToolUse", "SessionStart"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["command", "stdout", "exitCode"]), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["claude-code", "codex", "cursor", "gemini", "copilot", "x"]),
    st.dictionaries(names, values, max_size=9),
)
def test_any_event_is_read_or_none(name: str, event: dict[str, Any]) -> None:
    told = read(name, event)
    assert told is None or told.session
