"""Rows between a tree and a listing that git has no tree for (the index, the work tree), renames paired.

Between two commits the whole-tree comparison of git answers; uncommitted states are paired here by the same rules:
exact content first, then the most alike file of the same extension, at least half equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import basename, splitext

from gitmem.drift.content.text import line_share
from gitmem.model.change import Change, TreeEntry

ALIKE = 0.5
COMPARED_PAIRS = 2_500

Read = Callable[[str], bytes | None]


def pair_listings(
    old: Iterable[TreeEntry], new: Iterable[TreeEntry], read_old: Read, read_new: Read
) -> tuple[Change, ...]:
    """What differs between two listings, as `Repository.diff_trees` would say it.

    Args:
        old: Entries before.
        new: Entries after.
        read_old: Content by path before.
        read_new: Content by path after.
    """
    before = {entry.path: entry for entry in old}
    after = {entry.path: entry for entry in new}
    gone = {path: entry for path, entry in before.items() if path not in after}
    come = {path: entry for path, entry in after.items() if path not in before}
    renames = dict(_exact(gone, come))
    renames.update(_similar(gone, come, renames, read_old, read_new))
    rows = [
        _modified(before[path], entry) for path, entry in after.items() if _differs(before.get(path), entry)
    ]
    rows += [_renamed(gone[one], come[other], score) for one, (other, score) in renames.items()]
    taken = {other for other, _ in renames.values()}
    rows += [
        Change("deleted", path, None, one.mode, 0, one.oid, None)
        for path, one in gone.items()
        if path not in renames
    ]
    rows += [
        Change("added", None, path, 0, one.mode, None, one.oid)
        for path, one in come.items()
        if path not in taken
    ]
    return tuple(sorted(rows, key=lambda row: row.new_path or row.old_path or ""))


def _differs(old: TreeEntry | None, new: TreeEntry) -> bool:
    return old is not None and (old.oid, old.mode) != (new.oid, new.mode)


def _modified(old: TreeEntry, new: TreeEntry) -> Change:
    status = "modified" if old.mode >> 12 == new.mode >> 12 else "type_changed"
    return Change(status, old.path, new.path, old.mode, new.mode, old.oid, new.oid)  # type: ignore[arg-type]  # a literal


def _renamed(old: TreeEntry, new: TreeEntry, score: int) -> Change:
    return Change("renamed", old.path, new.path, old.mode, new.mode, old.oid, new.oid, score)


def _exact(
    gone: Mapping[str, TreeEntry], come: Mapping[str, TreeEntry]
) -> Iterator[tuple[str, tuple[str, int]]]:
    places: dict[str, list[str]] = {}
    for path, entry in come.items():
        places.setdefault(entry.oid, []).append(path)
    for path, entry in gone.items():
        found = places.get(entry.oid)
        if found:
            best = max(found, key=lambda one: (basename(one) == basename(path), one))
            found.remove(best)
            yield path, (best, 100)


def _similar(
    gone: Mapping[str, TreeEntry],
    come: Mapping[str, TreeEntry],
    exact: Mapping[str, tuple[str, int]],
    read_old: Read,
    read_new: Read,
) -> Iterator[tuple[str, tuple[str, int]]]:
    taken = {other for other, _ in exact.values()}
    left = [path for path in gone if path not in exact]
    free = [path for path in come if path not in taken]
    pairs = [(one, other) for one in left for other in free if splitext(one)[1] == splitext(other)[1]]
    scored = [
        (1 - share, one, other)
        for one, other in pairs[:COMPARED_PAIRS]
        if (share := _share(read_old(one), read_new(other))) <= 1 - ALIKE
    ]
    used: set[str] = set()
    for score, one, other in sorted(scored, reverse=True):
        if one not in used and other not in used:
            used.update((one, other))
            yield one, (other, round(score * 100))


def _share(old: bytes | None, new: bytes | None) -> float:
    return line_share(old, new) if old and new else 1.0
