"""Writing the scope patch of a relocation into a memory's file: globs and watches that moved with their content."""

from __future__ import annotations

from pathlib import Path

from gitmem.errors import InvalidDataError, NotServedError
from gitmem.model.verdict import Judgement
from gitmem.model.watch import WatchKind
from gitmem.store.item_editing import add_item, replace_item
from gitmem.store.memories import parse_memory
from gitmem.usecases.work_files import refuse_links, replace_file

_SCOPE_FIELDS = (("scope", "paths"), ("scope",))
"""``scope`` may be written as a list of paths itself."""


def apply_patch(top: Path, judgement: Judgement) -> tuple[tuple[str, str], ...]:
    """Write what moved into the memory's file in the work tree.

    Args:
        top: Top of the work tree.
        judgement: The memory with its patch.

    Returns:
        The rows that were written; globs that come from an element, and watches that gitmem derives, stand in no file.

    Raises:
        NotServedError: The file is not in the work tree, or lies behind a symbolic link.
        InvalidDataError: It cannot be edited without changing more.
    """
    refuse_links(top, judgement.file)
    path = top / judgement.file
    if not path.is_file():
        raise NotServedError(
            f"{judgement.file} is not in the work tree", hint="check it out", path=judgement.file
        )
    data = path.read_bytes()
    written = []
    for old, new in judgement.patch:
        edited = _replaced(data, old, new, judgement.file)
        if edited != data:
            data = edited
            written.append((old, new))
    if written and parse_memory(judgement.file, data).memory is None:
        raise InvalidDataError(
            f"{judgement.file} would not load any more; nothing was written", path=judgement.file
        )
    if written:
        replace_file(top, judgement.file, data)
    return tuple(written)


def _replaced(data: bytes, old: str, new: str, file: str) -> bytes:
    if not old:
        return _added(data, new, file)
    kind, sep, target = old.partition(": ")
    if sep and kind in set(WatchKind):
        return replace_item(data, ("watch",), target, new.partition(": ")[2], path=file)
    for field in _SCOPE_FIELDS:
        edited = replace_item(data, field, old, new, path=file)
        if edited != data:
            return edited
    return data


def _added(data: bytes, new: str, file: str) -> bytes:
    for field in _SCOPE_FIELDS:
        edited = add_item(data, field, new, path=file)
        if edited != data:
            return edited
    return data
