"""The server as the process that a host starts."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import anyio
import pytest
from mcp import Client

from tests.support.cli import gitmem, gitmem_process
from tests.support.protocol import process, refused, told
from tests.support.repo import Repo, sealed_environment

pytestmark = pytest.mark.anyio


async def test_two_clients_of_both_eras_work_on_one_repository_at_once(shop: Repo) -> None:
    counted: dict[str, int] = {}

    async def work(client: Client, name: str) -> None:
        for number in range(5):
            await told(client, "run_event", type="finding_noted", payload={"finding": f"{name} {number}"})
            answer = await told(client, "recall", query="send", session=name)
            counted[name] = counted.get(name, 0) + len(answer["results"])
        await told(client, "end_session", session=name, summary=f"{name} is done", used_memories=["m-001"])

    async with process(shop, "auto") as new, process(shop, "legacy") as old:
        assert new.protocol_version != old.protocol_version
        assert len((await old.list_tools()).tools) == 12
        await told(new, "run_start", task="checkout")
        async with anyio.create_task_group() as group:
            group.start_soon(work, new, "s-new")
            group.start_soon(work, old, "s-old")
        assert "no such argument" in await refused(old, "recall", {"cwd": "/"})
        await told(old, "recall", query="send", session="s-last")  # and leaves at once
    assert counted == {"s-new": 5, "s-old": 5}
    events = gitmem("run", "log", "--json", at=shop.path).document["events"]
    found = sorted(one["payload"]["finding"] for one in events if one["type"] == "finding_noted")
    assert found == sorted(f"s-{name} {number}" for name in ("new", "old") for number in range(5))
    assert [one["seq"] for one in events] == list(range(1, len(events) + 1))
    assert sum(one["type"] == "session_ended" for one in events) == 2
    assert (events[-1]["type"], events[-1]["session"]) == ("memory_delivered", "s-last")
    assert gitmem("run", "verify", "--json", at=shop.path).document["ok"]


def test_lines_that_are_no_messages_end_nothing_and_stdout_stays_the_protocols(shop: Repo) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "human", "version": "1"},
        },
    }
    lines = [
        b"not json",
        b"\xff\xfe\x00",
        b"{}",
        b"[]",
        b"[" * 5_000,
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "recall", "arguments": []}}',
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(),
        b'{"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "memory_show", "arguments": {"id": "\\ud83d"}}}',
        json.dumps({"jsonrpc": "2.0", "id": 8, "method": "no/such"}).encode(),
        json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/list"}).encode(),
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "gitmem", "mcp"],
        cwd=shop.path,
        env=sealed_environment(shop.path.parent),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(b"\n".join([json.dumps(hello).encode(), *lines]) + b"\n")
        server.stdin.flush()
        answers: dict[object, Any] = {}
        while not {6, 9} <= answers.keys():
            answer = json.loads(server.stdout.readline())
            answers[answer.get("id")] = answer
        server.send_signal(signal.SIGINT)
        assert server.stdout.read() == b""
        assert server.stderr.read().endswith(b"gitmem: interrupted\n")
    assert server.returncode == 130
    assert "not a memory id: '\ufffd'" in answers[6]["result"]["content"][0]["text"]
    assert len(answers[9]["result"]["tools"]) == 12
    assert "error" in answers[7]
    assert "error" in answers[8]


def test_where_no_repository_is_it_says_so_and_does_not_serve(tmp_path: Path) -> None:
    done = gitmem_process("mcp", at=tmp_path)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("gitmem: error: not a git repository")


def test_without_the_sdk_the_cure_is_named(shop: Repo) -> None:
    missing = {name: None for name in list(sys.modules) if name.startswith("gitmem.mcp_server.serving")}
    with patch.dict(sys.modules, {**missing, "mcp_types": None}):
        sys.modules.pop("gitmem.mcp_server.serving", None)
        done = gitmem("mcp", at=shop.path)
    assert done.code == 3
    assert "mcp_types" in done.err
    assert "hint: pip install 'gitmem-ledger[full]'" in done.err
