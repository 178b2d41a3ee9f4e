"""Settings of an agent that keep gitmem's parts from being used though they are there. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Switch(NamedTuple):
    """A setting of the agent's own that switches gitmem's parts off.

    Args:
        keys: Where it is.
        value: What it is then, or what its list holds then.
        what: What is off, as words.
    """

    keys: tuple[str, ...]
    value: Any
    what: str


def hindrances_in(held: Any, switches: Iterable[Switch], servers: str | None) -> Iterator[str]:
    """What keeps gitmem's parts from being used though they are there, one clause each.

    Args:
        held: What the file says, as plain values.
        switches: What to look for in it.
        servers: Key of the mapping of MCP servers; None where it has none.
    """
    server = _at(held, (servers, "gitmem")) if servers is not None else None
    if server is not None and not _speaks_of_gitmem(server):
        yield "the server called gitmem runs another program"
    for one in switches:
        found = _at(held, one.keys)
        if found is one.value or (isinstance(found, list) and one.value in found):
            yield f"{'.'.join(one.keys)} switches {one.what} off"


def _at(held: Any, keys: Iterable[str]) -> Any:
    for key in keys:
        held = held.get(key) if isinstance(held, Mapping) else None
    return held


def _speaks_of_gitmem(server: Any) -> bool:
    return isinstance(server, Mapping) and any(
        "gitmem" in str(server.get(key, "")) for key in ("command", "args", "url")
    )
