"""The protocol server, spoken to with the SDK's own client: in this process, or as a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from gitmem.git.discovery import discover
from gitmem.mcp_server.serving import make_server
from tests.support.repo import Repo, sealed_environment

MODES = ("auto", "legacy")


@asynccontextmanager
async def connected(repo: Repo | Path, mode: str = "auto", *, seconds: float = 30) -> AsyncIterator[Client]:
    """A client of a server in this process."""
    path = repo.path if isinstance(repo, Repo) else repo
    async with Client(make_server(discover(path), seconds=seconds), mode=mode) as client:
        yield client


def process(repo: Repo, mode: str) -> Client:
    """A client of a server that is a process of its own, as a host starts it."""
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "gitmem", "mcp"],
        cwd=repo.path,
        env=sealed_environment(repo.path.parent),
    )
    return Client(stdio_client(started), mode=mode)


async def told(client: Client, tool: str, /, **arguments: Any) -> Any:
    """The structured answer of a call that must succeed; the text for older clients says the same."""
    done = await client.call_tool(tool, arguments)
    assert not done.is_error, text_of(done)
    assert json.loads(text_of(done)) == done.structured_content
    return done.structured_content


async def refused(client: Client, tool: str, /, arguments: Mapping[str, Any]) -> str:
    """The words of a call that must be refused."""
    done = await client.call_tool(tool, dict(arguments))
    assert done.is_error, text_of(done)
    return text_of(done)


def text_of(done: Any) -> str:
    (content,) = done.content
    return str(content.text)
