"""Which objects lie loose in an object folder, listed once for a walk over many."""

from __future__ import annotations

import os


def listed(objects: str) -> frozenset[bytes]:
    """Ids, as bytes, of all loose objects."""
    found: list[bytes] = []
    for first in range(256):
        prefix = f"{first:02x}"
        try:
            names = os.listdir(f"{objects}/{prefix}")  # noqa: PTH208 - 100,000 names: pathlib would cost more than git
        except (FileNotFoundError, NotADirectoryError):
            continue
        for name in names:
            try:
                found.append(bytes.fromhex(prefix + name))
            except ValueError:  # a temporary file
                continue
    return frozenset(found)
