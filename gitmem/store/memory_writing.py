"""A memory as a new file: the fields in the order of the format's table, what is absent left out.

For files that exist see `gitmem.store.editing`: an author's comments and order are never rewritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from gitmem.model.memory import Memory
from gitmem.store.baselines import plain_baseline, plain_watch
from gitmem.store.defaults import schema_line
from gitmem.store.validations import format_moment
from gitmem.store.yaml_writing import Plain, write_yaml

_ORDER = (
    "id", "title", "aliases", "kind", "type", "status", "summary", "body", "scope", "watch", "claim", "evidence",
    "verification", "origin", "created_at", "created_by", "approved_at", "approved_by", "validated_by",
    "last_validated_at", "review_after", "expires_at", "challenged_at", "challenged_because", "drift", "supersedes",
    "superseded_by", "baseline",
)  # fmt: skip
_GROUPS = frozenset({"scope", "evidence", "verification", "origin"})


def format_memory(memory: Memory) -> bytes:
    """The file of a memory; `gitmem.store.memories.parse_memory` reads the same value back.

    Raises:
        InvalidDataError: A text holds half a character, which no YAML can.
    """
    text = write_yaml(plain_memory(memory), frozenset({"marks"}))
    return (schema_line(memory.file, "memory") + text).encode()


def plain_memory(memory: Memory) -> dict[str, Plain]:
    """The fields as plain data, as they stand in the file; what is absent is left out."""
    fields = {name: _plain(name, getattr(memory, name)) for name in _ORDER}
    written: dict[str, Plain] = {name: value for name, value in fields.items() if value is not None}
    extra: Mapping[str, Any] = memory.extra
    written.update({name: value for name, value in extra.items() if value is not None})
    return written


def _plain(name: str, value: Any) -> Plain:
    if value is None or value == ():
        return None
    if name == "watch":
        return [plain_watch(watch) for watch in value]
    if name == "baseline":
        return plain_baseline(value)
    if name in _GROUPS:
        return _group(value)
    if isinstance(value, datetime | date):
        return format_moment(value)
    return list(value) if isinstance(value, tuple) else str(value)


def _group(value: Any) -> Plain:
    held: dict[str, Plain] = {}
    for name, part in asdict(value).items():
        if name == "project":
            held.update({"project": "true"} if part else {})
        elif part:
            held[name] = list(part) if isinstance(part, tuple) else part
    if held == {"project": "true"}:
        return "project"
    return held or None
