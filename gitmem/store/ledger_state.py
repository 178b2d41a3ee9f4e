"""What the refs of the ledger stand at, told by the files that hold them: a key for caches, never a source of truth.

Git itself takes a process to list refs. Here the loose files below ``refs/ai/`` are read, and ``packed-refs`` or the
list of reftables stands for the rest: git puts a new file in the place of either whenever one of its refs moves.
"""

# pathlib is a slow import, and every recall reads here:
# ruff: noqa: PTH116, PTH118, PTH123
from __future__ import annotations

import os
import zlib

from gitmem.git.interface import Layout
from gitmem.wire.loose_refs import loose_refs

_LEDGER = "refs/ai/"
_TABLES = "reftable/tables.list"


def ledger_state(layout: Layout) -> str:
    """Names the commits that all refs of the ledger hold; another name need not mean other commits."""
    folder = os.fspath(layout.common_dir)
    names, odd = loose_refs(folder, _LEDGER)
    told = zlib.crc32(b"")
    for name in sorted(names):
        if name not in odd:
            told = zlib.crc32(
                name.encode("utf-8", "surrogateescape") + _content(os.path.join(folder, name)), told
            )
    tables = zlib.crc32(_content(os.path.join(folder, _TABLES)))
    return f"{len(names)} {told:08x} {_stand(os.path.join(folder, 'packed-refs'))} {tables:08x}"


def _content(file: str) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(1 << 16)
    except OSError:
        return b""


def _stand(file: str) -> str:
    try:
        told = os.stat(file)
    except OSError:
        return "none"
    return f"{told.st_ino} {told.st_size} {told.st_mtime_ns}"
