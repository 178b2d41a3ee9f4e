"""Calls of the protocol server when the code has not changed since the last one, through the SDK's client in this process.

The goal is a time, not a ratio: ten milliseconds of CPU, the git programs that a call waits for included. No task is
asked for twice, and what writes moves the ledger before the next call.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

from gitmem.git.discovery import discover
from gitmem.mcp_server.serving import make_server
from tests.benchmarks.measure import children_cpu, command_cpu, gitmem_program
from tests.benchmarks.memories import with_memories
from tests.benchmarks.repositories import HistorySpec, history
from tests.benchmarks.rows import NotRunError, Row

GOAL_MS = 10.0
MEMORIES, BASELINES = 1_000, 50
QUERY = "resolve the {} of a user in the {}"
WORDS = [
    "wallet",
    "order",
    "parser",
    "queue",
    "ledger",
    "basket",
    "index",
    "branch",
    "server",
    "client",
    "retry",
    "commit",
    "merge",
    "cache",
    "handler",
    "limit",
]
CALLS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("recall", {"query": QUERY}),
    ("recall", {"query": QUERY, "session": "s-1"}),
    ("brief", {}),
    ("brief", {"task": QUERY}),
    ("run_event", {"type": "finding_noted", "payload": {"finding": "the parser is slow"}}),
    ("run_handoff", {}),
    ("memory_show", {"id": "m-00007"}),
    ("confirm_memory", {"id": "m-00007"}),
    ("find_relevant_context", {"task": QUERY}),
    ("find_relevant_context", {"task": QUERY, "session": "s-1"}),
    ("remember", {"content": "The parser resolves a wallet before the user", "paths": ["src/**"]}),
    ("review_queue", {}),
    ("end_session", {"session": "s-1", "used_memories": ["m-00007"]}),
)


def rows(quick: bool) -> Iterator[Row]:
    spec = HistorySpec(commits=2_000, span=1_500) if quick else HistorySpec()
    path = with_memories(history(spec), MEMORIES, BASELINES).path
    command_cpu([gitmem_program(), "run", "start", "protocol"], cwd=path)
    command_cpu([gitmem_program(), "drift"], cwd=path)
    yield from anyio.run(_measured, path, 7 if quick else 15)


async def _measured(path: Path, times: int) -> list[Row]:
    async with Client(make_server(discover(path), seconds=120)) as client:
        return [await _row(client, *call, times) for call in CALLS]


async def _row(client: Client, tool: str, arguments: Mapping[str, Any], times: int) -> Row:
    cpu, wall = [], []
    for number in range(times + 1):
        asked = {name: _filled(value, number) for name, value in arguments.items()}
        began, spent = time.perf_counter(), time.process_time() + children_cpu()
        done = await client.call_tool(tool, asked)
        if done.is_error:
            raise NotRunError(f"{tool}: {done.content[0].text}")  # type: ignore[union-attr]
        wall.append(time.perf_counter() - began)
        cpu.append(time.process_time() + children_cpu() - spent)
    said = {name: value for name, value in arguments.items() if name in {"session", "task"}}
    named = f"MCP {tool}{' with ' + ', '.join(said) if said else ''}, warm"
    ms = statistics.median(cpu[1:]) * 1000
    elapsed = statistics.median(wall[1:]) * 1000
    detail = (
        f"{ms:.1f} ms of CPU, {elapsed:.1f} ms elapsed, first {wall[0] * 1000:.0f} ms; {MEMORIES} memories"
    )
    return Row(named, "10 ms of CPU", 1.0, ms / GOAL_MS, GOAL_MS, detail)


def _filled(value: Any, number: int) -> Any:
    """The value with words of its own for each call."""
    one, other = WORDS[number % len(WORDS)], WORDS[(number * 7 + 3) % len(WORDS)]
    return value.format(one, other) if isinstance(value, str) else value
