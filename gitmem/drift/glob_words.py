"""What a glob says before its first wildcard."""

from __future__ import annotations

_WILD = frozenset("*?[{")


def is_literal(glob: str) -> bool:
    """Whether a glob has no wildcard and names a file."""
    return not (_WILD & set(glob)) and not glob.endswith("/")


def static_prefix(glob: str) -> str:
    """The folder before the first wildcard of a glob, without a trailing slash; empty at the root."""
    parts = glob.rstrip("/").split("/")
    kept = []
    for part in parts if glob.endswith("/") else parts[:-1]:
        if _WILD & set(part):
            break
        kept.append(part)
    return "/".join(kept)
