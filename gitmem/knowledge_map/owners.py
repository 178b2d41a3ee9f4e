"""Folders that a CODEOWNERS file names: parts that people already tell apart."""

from __future__ import annotations

import re

FILES = ("CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS", "docs/CODEOWNERS")


def owned_folders(data: bytes) -> tuple[str, ...]:
    """The folders that have owners of their own, in the order of the file; patterns with wildcards in them name none.

    Args:
        data: The file's content.
    """
    found: dict[str, None] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        pattern = re.split(r"(?<!\\)\s+", line.strip())[0]
        if not pattern or pattern[0] in "#[!^":
            continue
        folder = re.sub(r"/\*{1,2}(?:/\*)?$", "/", pattern).strip("/")
        if folder and not re.search(r"[*?\[\\]", folder):
            found.setdefault(folder)
    return tuple(found)
