"""What an agent said, in the records that the agents keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gitmem.recall.citing import cited_ids
from gitmem.usecases.sessions.closing import said_in


@pytest.mark.parametrize(
    "lines",
    [
        [
            {"type": "user", "message": {"role": "user", "content": "(memory: sign-header)"}},
            {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "(memory: sign-header)"}]}},
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "input": {"text": "(memory: sign-header)"}}]}},
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Kept (memory: pay-retry, m-999)."}]}},
        ],
        [
            {"type": "response_item", "payload": {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "(memory: sign-header)"}]}},
            {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Kept (memory: pay-retry)."}]}},
        ],
        [{"messages": [{"type": "user", "content": "(memory: sign-header)"}, {"type": "gemini", "content": "(memory: pay-retry)"}]}],
        [{"type": "user.message", "data": {"content": "(memory: sign-header)"}}, {"type": "assistant.message", "data": {"content": "(memory: pay-retry)"}}],
    ],
    ids=["claude-code", "codex", "gemini", "copilot"],
)  # fmt: skip
def test_only_what_the_agent_itself_said_is_read(tmp_path: Path, lines: list[Any]) -> None:
    file = tmp_path / "transcript.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert "pay-retry" in cited_ids(said_in(str(file)))
    assert "sign-header" not in cited_ids(said_in(str(file)))


@pytest.mark.parametrize("path", ["", "/no/such", "/dev/zero", "/", "\0", "relative"])
def test_what_is_no_file_says_nothing(path: str) -> None:
    assert list(said_in(path)) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[]",
        b"[" * 100_000,
        b"null\n{\n{memory",
        b'{"role": "assistant"}\n{"role": ["memory"]}',
    ],
    ids=range(7),
)
def test_a_broken_record_says_nothing(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "transcript.jsonl"
    file.write_bytes(data)
    assert list(said_in(str(file))) == []
