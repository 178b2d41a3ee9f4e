"""What was read out of blobs, kept in a few files under ``gitmem/parses/`` of the git directory; never a source of truth.

An entry's key holds all that its bytes depend on besides gitmem itself and its grammars: what is kept, how the file's
name says it is read, and the blob's id. It lies in one of sixteen files by the first digit of that id, so that what few
new blobs add rewrites little. A file holds at most `MOST_BYTES`; what was used longest ago goes first.

A file is read when something of it is asked for, and written once at the end, after taking in what another process
wrote meanwhile. Another version of gitmem or of a grammar, a truncated, damaged or foreign file, or no right to read or
write is the same as nothing kept: nothing here ever fails the caller.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from gitmem.store.cache import read_content, write_content
from gitmem.store.shelf import edition

FORMAT = 1
"""Raise it whenever the shape or the meaning of an entry changes."""
MOST_BYTES = 3 * 1024 * 1024
"""Of one of the sixteen files."""
_OVERHEAD = 80


class Parses:
    """Bytes by key.

    Args:
        common_dir: The git directory shared by all work trees.
    """

    def __init__(self, common_dir: str | os.PathLike[str]) -> None:
        self._directory = os.path.join(os.fspath(common_dir), "gitmem", "parses")  # noqa: PTH118 - as in `store.cache`
        self._edition = f"{FORMAT} {edition()}"
        self._held: dict[str, dict[str, bytes]] = {}
        self._used: dict[str, dict[str, bytes]] = {}
        self._new: set[str] = set()

    def get(self, kind: str, name: str, oid: str) -> bytes | None:
        """The bytes that were kept; None when there are none."""
        shard, key = oid[:1], f"{kind}:{name}:{oid}"
        found = self._of(shard).get(key)
        if found is not None:
            self._used.setdefault(shard, {})[key] = found
        return found

    def put(self, kind: str, name: str, oid: str, data: bytes) -> None:
        """Keep some bytes; `save` writes them."""
        shard, key = oid[:1], f"{kind}:{name}:{oid}"
        self._of(shard)[key] = data
        self._used.setdefault(shard, {})[key] = data
        self._new.add(shard)

    def save(self) -> None:
        """Write the files that something new belongs to, each at once and whole."""
        for shard in sorted(self._new):
            used = self._used[shard]
            kept = {key: data for key, data in self._read(shard).items() if key not in used}
            write_content(self._file(shard), {"edition": self._edition, "held": _newest(kept | used)})
        self._new.clear()

    def _of(self, shard: str) -> dict[str, bytes]:
        if shard not in self._held:
            self._held[shard] = self._read(shard)
        return self._held[shard]

    def _read(self, shard: str) -> dict[str, bytes]:
        content = read_content(self._file(shard))
        held: Any = content.get("held")
        if content.get("edition") != self._edition or not isinstance(held, dict):
            return {}
        return held

    def _file(self, shard: str) -> str:
        return os.path.join(self._directory, f"{shard}.marshal")  # noqa: PTH118 - as in `store.cache`


def _newest(entries: Mapping[str, bytes]) -> dict[str, bytes]:
    """As many of the last entries as there is room for, in their order."""
    room, first = MOST_BYTES, len(entries)
    pairs = list(entries.items())
    for key, data in reversed(pairs):
        room -= len(key) + len(data) + _OVERHEAD
        if room < 0:
            break
        first -= 1
    return dict(pairs[first:])
