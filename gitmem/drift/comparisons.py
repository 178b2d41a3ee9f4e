"""How files of two states differ, each pair compared once: many memories share one baseline and the files in their scopes."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.drift.content.coarse import compared
from gitmem.drift.content.difference import Difference, of_outlines
from gitmem.drift.content.reading import compare, line_share
from gitmem.drift.view import TreeView

Stop = tuple[TreeView, str]
"""A file in one state."""
Finely = Callable[[tuple[str, str], tuple[str, str]], Difference | None]
"""How a file, by path and object id, differs from another by syntax or value; None where only outlines tell."""


class Comparisons:
    """The files of two states.

    What cannot be read is asked for anew each time, so that it is known of each memory that rests on it.

    Args:
        then: The older state; None when it is not here.
        now: The newer one.
        finely: Tells how two files differ where that is known, or costs less than their outlines.
    """

    def __init__(self, then: TreeView | None, now: TreeView, finely: Finely | None = None) -> None:
        self._then, self._now, self._finely = then, now, finely
        self._differences: dict[tuple[str, str], Difference] = {}
        self._told_finely: set[tuple[str, str]] = set()
        self._shares: dict[tuple[str, str], float] = {}

    def difference(self, old_path: str, new_path: str) -> Difference | None:
        """How the file differs; None when one side is not here."""
        known = self._differences.get((old_path, new_path))
        if known is not None or self._then is None:
            return known
        found = self._fine(old_path, new_path)
        found = found or stop_difference((self._then, old_path), (self._now, new_path))
        if found is not None:
            self._differences[old_path, new_path] = found
        return found

    def _fine(self, old_path: str, new_path: str) -> Difference | None:
        if self._finely is None or self._then is None:
            return None
        old, new = self._then.paths().get(old_path), self._now.paths().get(new_path)
        found = self._finely((old_path, old), (new_path, new)) if old and new and old != new else None
        if found is not None:
            self._told_finely.add((old_path, new_path))
        return found

    def said(self, old_path: str, new_path: str) -> str:
        """How the two were compared, in words; empty by the finest test, or when the old one is not here."""
        if self._then is None or (old_path, new_path) in self._told_finely:
            return ""
        return compared(new_path, self._then.outline(old_path), self._now.outline(new_path))

    def share(self, old_path: str, new_path: str) -> float | None:
        """Part of the old lines that are gone or replaced; None when one side is not here."""
        known = self._shares.get((old_path, new_path))
        if known is not None or self._then is None:
            return known
        found = stop_share((self._then, old_path), (self._now, new_path))
        if found is not None:
            self._shares[old_path, new_path] = found
        return found


def stop_difference(one: Stop, other: Stop) -> Difference | None:
    """How a file differs between two stops; None when one side is not here."""
    (old_view, old_path), (new_view, new_path) = one, other
    if old_view.paths().get(old_path) == new_view.paths().get(new_path):
        return Difference.SAME
    before, after = old_view.outline(old_path), new_view.outline(new_path)
    if (
        before is not None
        and after is not None
        and (before.level, before.language) == (after.level, after.language)
    ):
        return of_outlines(before, after)
    old, new = old_view.read(old_path), new_view.read(new_path)
    return compare(new_path, old, new).difference if old is not None and new is not None else None


def stop_share(one: Stop, other: Stop) -> float | None:
    """Part of the lines at one stop that are gone or replaced at the other; None when one side is not here."""
    old, new = one[0].read(one[1]), other[0].read(other[1])
    return line_share(old, new) if old is not None and new is not None else None
