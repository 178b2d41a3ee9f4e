"""Values of a payload that may have any shape, read for what they are meant to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gitmem.model.event import text_field


def list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def finding_text(item: object) -> str:
    """A review's finding as text; reviewers write texts or small records."""
    if isinstance(item, str):
        return item
    if not isinstance(item, Mapping):
        return ""
    said = next(
        (text for name in ("message", "finding", "summary", "title") if (text := text_field(item, name))), ""
    )
    where = text_field(item, "file") or text_field(item, "path")
    return f"{where}: {said}" if where and said else said


def pairs_of(value: object) -> list[tuple[str, str]]:
    pairs = [item for item in list_of(value) if isinstance(item, (list, tuple)) and len(item) == 2]
    return [(old, new) for old, new in pairs if isinstance(old, str) and isinstance(new, str)]
