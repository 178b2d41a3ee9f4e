"""Files of what the quick ways told, as plain marshal values below ``gitmem/cache/``; the standard library alone.

Whatever cannot be read is the same as nothing kept, and what cannot be written is not kept.
"""

# pathlib is a slow import:
# ruff: noqa: PTH103, PTH105, PTH108, PTH116, PTH119, PTH120, PTH123, PTH208
from __future__ import annotations

import marshal
import os
import zlib

from gitmem import __version__

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from typing import Any

_HEADER = f"gitmem answer 2 {__version__}\n".encode()
_MOST = 8


def read_answer(file: str) -> Any:
    """The value; None when nothing whole is kept there."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError:
        return None
    start = len(_HEADER) + 4
    check = zlib.crc32(data[start:]).to_bytes(4, "big")
    if not data.startswith(_HEADER) or data[start - 4 : start] != check:
        return None
    try:
        return marshal.loads(data[start:])  # noqa: S302 - this clone wrote it under its own git directory, with a checksum
    except (EOFError, ValueError, TypeError):
        return None


def write_answer(file: str, value: Any) -> bool:
    """Keep a value beside the newest of its kind, which the file's name begins with; whether it could be."""
    data = marshal.dumps(value)
    temporary = f"{file}.{os.getpid()}.tmp"
    folder = os.path.dirname(file)
    kind = os.path.basename(file).partition("-")[0]
    try:
        os.makedirs(folder, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with open(os.open(temporary, flags, 0o666), "wb") as stream:
            stream.write(_HEADER + zlib.crc32(data).to_bytes(4, "big") + data)
        os.replace(temporary, file)
        kept = [f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(f"{kind}-")]
        for one in sorted(kept, key=lambda one: os.stat(one).st_mtime_ns)[:-_MOST]:
            os.unlink(one)
    except OSError:
        return False
    return True
