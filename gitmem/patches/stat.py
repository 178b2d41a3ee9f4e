"""How much a patch changes in each file (``git diff --stat``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from gitmem.model.change import Change

if TYPE_CHECKING:  # slow to import, and most briefs tell of no patch
    from gitmem.patches.reading import FilePatch


class FileStat(NamedTuple):
    """One file: lines are None where they cannot be told (binary content, a patch that was not read)."""

    path: str
    status: str
    added: int | None = None
    removed: int | None = None
    old_path: str | None = None


class DiffStat(NamedTuple):
    """What a run has changed.

    Args:
        source: Where it was read: ``diff.patch``, or from which commit on.
        files: In the order of the patch or the tree.
        uncommitted: Paths that differ from HEAD in the work tree.
        see: The command that shows all of it.
    """

    source: str
    files: tuple[FileStat, ...]
    uncommitted: tuple[str, ...] = ()
    see: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether the lines of at least one file are known; of very many files they are not."""
        return any(one.added is not None for one in self.files)

    @property
    def added(self) -> int:
        return sum(one.added or 0 for one in self.files)

    @property
    def removed(self) -> int:
        return sum(one.removed or 0 for one in self.files)


def patch_stats(files: Iterable[FilePatch]) -> tuple[FileStat, ...]:
    """The files of a patch, as it names them."""
    return tuple(
        FileStat(
            one.new_path or one.old_path or "(no name)",
            one.status,
            *_lines(one),
            one.old_path if one.new_path and one.old_path != one.new_path else None,
        )
        for one in files
    )


def tree_stats(changes: Iterable[Change], files: Iterable[FilePatch]) -> tuple[FileStat, ...]:
    """The files that a tree comparison names, with the lines of a patch of the same trees where it has them."""
    by_path: Mapping[str | None, FilePatch] = {one.new_path or one.old_path: one for one in files}
    stats = []
    for change in changes:
        path = change.new_path or change.old_path or ""
        found = by_path.get(path)
        lines = _lines(found) if found else (None, None)
        old = change.old_path if change.status == "renamed" else None
        stats.append(FileStat(path, change.status, *lines, old))
    return tuple(stats)


def _lines(file: FilePatch) -> tuple[int | None, int | None]:
    if not file.hunks and "binary" in file.note:
        return None, None
    return file.added, file.removed
