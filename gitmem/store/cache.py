"""What was parsed, kept in one file under the git directory; rebuilt at will, never a source of truth.

The file is a line of text that names gitmem's version and the format, four bytes of checksum, and a marshal of
``{kind: {key: value}}``. Another version, a truncated or damaged file, or no right to read or write is the same as
an empty cache: nothing here ever fails the caller.
"""

# pathlib is a slow import, and the warm brief reads this file:
# ruff: noqa: PTH103, PTH105, PTH108, PTH118, PTH120, PTH123
from __future__ import annotations

import marshal
import os
import sys
import zlib
from typing import Any

from gitmem import __version__

FORMAT = 4
"""Raise it whenever `gitmem.store.freezing` or the meaning of a parsed file changes."""

_HEADER = f"gitmem {__version__} cache {FORMAT} marshal {marshal.version} python {sys.version_info[0]}.{sys.version_info[1]}\n".encode()
_MOST = 50_000


class Cache:
    """Values of plain marshal types by kind and key.

    The key must hold all that the value depends on: for a parsed file its blob id and its path.
    """

    def __init__(self, directory: str | os.PathLike[str], name: str = "parsed") -> None:
        self._file = os.path.join(os.fspath(directory), f"{name}.marshal")
        self._held: dict[str, dict[str, Any]] | None = None
        self._used: set[tuple[str, str]] = set()
        self._is_dirty = False

    def get(self, kind: str, key: str) -> Any:
        """The value, or None when it is not known."""
        value = self._content().get(kind, {}).get(key)
        if value is not None:
            self._used.add((kind, key))
        return value

    def put(self, kind: str, key: str, value: Any) -> None:
        """Remember a value; `save` writes it."""
        self._content().setdefault(kind, {})[key] = value
        self._used.add((kind, key))
        self._is_dirty = True

    def save(self) -> None:
        """Write what is new, atomically. When the file has grown too long, only what this process used is kept."""
        if not self._is_dirty:
            return
        self._is_dirty = False
        write_content(self._file, self._kept())

    def _kept(self) -> dict[str, dict[str, Any]]:
        content = self._content()
        if sum(map(len, content.values())) <= _MOST:
            return content
        kinds = {kind for kind, _ in self._used}
        return {kind: {key: content[kind][key] for one, key in self._used if one == kind} for kind in kinds}

    def _content(self) -> dict[str, dict[str, Any]]:
        if self._held is None:
            self._held = read_content(self._file)
        return self._held


def read_content(file: str) -> dict[str, Any]:
    """What a file of this format holds; empty when it is none, or not whole."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        return {}
    start = len(_HEADER) + 4
    payload = memoryview(data)[start:]
    if not data.startswith(_HEADER) or data[len(_HEADER) : start] != zlib.crc32(payload).to_bytes(4, "big"):
        return {}
    try:
        content = marshal.loads(payload)  # noqa: S302 - this clone wrote it under its own git directory, with a checksum
    except (EOFError, ValueError, TypeError):
        return {}
    return content if isinstance(content, dict) else {}


def write_content(file: str, content: dict[str, Any]) -> bool:
    """Write a file of this format, atomically.

    Returns:
        Whether it was written; it is not where this clone cannot be written.
    """
    try:
        payload = marshal.dumps(content)
        _write(file, _HEADER + zlib.crc32(payload).to_bytes(4, "big") + payload)
    except (OSError, ValueError):
        return False
    return True


def _write(file: str, data: bytes) -> None:
    directory = os.path.dirname(file)
    os.makedirs(directory, exist_ok=True)
    temporary = f"{file}.{os.getpid()}.tmp"
    descriptor = os.open(
        temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o666
    )
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(temporary, file)
    except OSError:
        os.unlink(temporary)
        raise
