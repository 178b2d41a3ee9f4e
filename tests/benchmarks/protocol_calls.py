"""Calls of the protocol server when nothing has changed since the last one, through the SDK's client in this process.

The goal is a time, not a ratio: ten milliseconds of CPU, the git programs that a call waits for included. A tool that
has to judge every memory against the code is shown beside, without a goal.
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
QUERY = "resolve the wallet of a user in the parser"
CALLS: tuple[tuple[str, Mapping[str, Any], float | None], ...] = (
    ("recall", {"query": QUERY}, 1.0),
    ("recall", {"query": QUERY, "session": "s-1"}, 1.0),
    ("brief", {}, 1.0),
    ("brief", {"task": QUERY}, 1.0),
    ("run_event", {"type": "finding_noted", "payload": {"finding": "the parser is slow"}}, 1.0),
    ("run_handoff", {}, 1.0),
    ("memory_show", {"id": "m-00007"}, None),
    ("confirm_memory", {"id": "m-00007"}, None),
    ("find_relevant_context", {"task": QUERY}, None),
    ("remember", {"content": "The parser resolves a wallet before the user", "paths": ["src/**"]}, None),
    ("review_queue", {}, None),
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


async def _row(
    client: Client, tool: str, arguments: Mapping[str, Any], goal: float | None, times: int
) -> Row:
    cpu, wall = [], []
    for _ in range(times + 1):
        began, spent = time.perf_counter(), time.process_time() + children_cpu()
        done = await client.call_tool(tool, dict(arguments))
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
    return Row(named, "10 ms of CPU", goal, ms / GOAL_MS, GOAL_MS, detail)
