"""Paths as globs that mean exactly them (`gitmem.model.glob`)."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[*?{},\\]")
"""Not the brackets: a glob also means its brackets as they stand."""


def as_glob(path: str) -> str:
    """A path as the glob that means it and nothing else."""
    return _SPECIAL.sub(r"\\\g<0>", path)
