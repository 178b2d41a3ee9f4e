"""Large plain values, each in a file of its own under ``gitmem/cache/`` of the git directory, the oldest thrown out.

The format is that of `gitmem.store.cache`, with the key beside the value. Another version of gitmem or of a grammar, a
truncated, damaged or foreign file, or no right to read or write is the same as nothing kept.
"""

# pathlib is a slow import, and every check reads here:
# ruff: noqa: PTH100, PTH108, PTH110, PTH116, PTH118, PTH120, PTH208
from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from gitmem import __version__
from gitmem.store.cache import read_content, write_content

FORMAT = 3
"""Raise it whenever the shape or the meaning of a kept value changes."""

_MOST = 8
_SOURCES = ("drift", "drift/content", "model", "store", "trust", "usecases")


class Shelf:
    """Values of plain marshal types, each with a key that holds all that the value depends on besides gitmem itself.

    Args:
        common_dir: The git directory shared by all work trees.
    """

    def __init__(self, common_dir: str | os.PathLike[str]) -> None:
        self._directory = os.path.join(os.fspath(common_dir), "gitmem", "cache")
        self._edition = edition()

    def get(self, kind: str, key: str) -> Any:
        """The value; None when it is not known."""
        held = read_content(self._file(kind, key))
        return held.get("value") if held.get("key") == (self._edition, key) else None

    def put(self, kind: str, key: str, value: Any) -> None:
        """Keep a value, where this clone can be written."""
        file = self._file(kind, key)
        is_new = not os.path.exists(file)
        if write_content(file, {"key": (self._edition, key), "value": value}) and is_new:
            self._prune(kind)

    def _file(self, kind: str, key: str) -> str:
        name = zlib.crc32(key.encode("utf-8", "surrogatepass"))
        return os.path.join(self._directory, f"{kind}-{name:08x}.marshal")

    def _prune(self, kind: str) -> None:
        try:
            files = [
                (os.stat(path).st_mtime_ns, path)
                for name in os.listdir(self._directory)
                if name.startswith(f"{kind}-")
                for path in (os.path.join(self._directory, name),)
            ]
            for _, path in sorted(files)[:-_MOST]:
                os.unlink(path)
        except OSError:  # another process was quicker
            return


def edition() -> str:
    """Names this very gitmem and the grammars beside it: its version, its files, and where packages are installed."""
    return f"{FORMAT} {__version__} {source_state(_SOURCES)} {' '.join(_installed())}"


def source_state(folders: Iterable[str]) -> str:
    """Names the modules in some folders of this package, so that what an edited one makes is not taken for the same."""
    found = list(map(_folder_state, folders))
    count, size, newest = (
        sum(one[0] for one in found),
        sum(one[1] for one in found),
        max(one[2] for one in found),
    )
    return f"{count} {size} {newest}"


@cache
def _folder_state(folder: str) -> tuple[int, int, int]:
    """How many modules it has, how large they are together, and the time of the newest."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    count = newest = size = 0
    try:
        with os.scandir(os.path.join(package, folder)) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    told = entry.stat()
                    count, size = count + 1, size + told.st_size
                    newest = max(newest, told.st_mtime_ns)
    except OSError:  # not installed as files
        pass
    return count, size, newest


def _installed() -> list[str]:
    found = []
    for folder in sys.path:
        if folder.endswith("-packages"):
            try:
                found.append(str(os.stat(folder).st_mtime_ns))
            except OSError:
                continue
    return found
