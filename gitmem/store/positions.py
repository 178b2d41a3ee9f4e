"""Where in a file a field stands, for problems that only show against other files."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import GitmemError
from gitmem.store.memories import spelling_of
from gitmem.store.yaml_reading import Fields, Items, read_yaml


def position_of(path: str, data: bytes, names: Sequence[str], item: int | None = None) -> tuple[int, int]:
    """Line and column of a value, or of one item of its list; (0, 0) when it is not written.

    Args:
        path: Repository path of the file.
        data: Its bytes.
        names: Names of nested mappings.
        item: Index into the list.
    """
    try:
        node = read_yaml(path, data).root
    except GitmemError:
        return 0, 0
    for name in names:
        entry = node.entries.get(name) if isinstance(node, Fields) else None
        if entry is None:
            return 0, 0
        node = entry.value
    if item is not None and isinstance(node, Items) and item < len(node.items):
        node = node.items[item]
    return node.line, node.column


def memory_position(path: str, data: bytes, field: str, item: int | None = None) -> tuple[int, int]:
    """The same for a field of a memory, in whatever spelling the file has."""
    try:
        names = spelling_of(path, data, field)
        if names is None and field.startswith("evidence."):
            # Untyped references stand in one list, whose places say nothing about the kind.
            names, item = spelling_of(path, data, "evidence.mixed"), None
    except GitmemError:
        return 0, 0
    return position_of(path, data, names, item) if names else (0, 0)
