"""Which elements hold which files, and what no element or more than one holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.knowledge_map.folders import Folders, architecture_files, with_parents
from gitmem.model.element import Element, Elements


class Holders:
    """The elements by path.

    Args:
        elements: The elements; answers are their positions.
    """

    def __init__(self, elements: Sequence[Element]) -> None:
        self._index = ScopeIndex([ScopeSpec(one.paths) for one in elements])
        self._known: dict[str, frozenset[int]] = {}

    def of(self, path: str) -> frozenset[int]:
        """Positions of the elements that hold a path."""
        if path not in self._known:
            self._known[path] = frozenset(self._index.matching(path.encode("utf-8", "surrogateescape")))
        return self._known[path]


class Overlap(NamedTuple):
    """Two elements, neither inside the other, that share files.

    Args:
        one: Name of the one that stands first.
        other: Name of the other.
        files: How many files they share.
        example: One of them.
    """

    one: str
    other: str
    files: int
    example: str


class Uncovered(NamedTuple):
    """A folder with source code that lies in no element; of nested ones the outermost."""

    folder: str
    files: int


class Coverage:
    """How elements lie over a tree.

    Args:
        elements: The elements.
        paths: Every path of the tree.
    """

    def __init__(self, elements: Elements, paths: Collection[str]) -> None:
        self._elements = elements.elements
        self._paths = sorted(paths)
        self._holders = Holders(self._elements)

    @cached_property
    def overlaps(self) -> tuple[Overlap, ...]:
        """Elements that share files and do not lie inside one another, most files first."""
        shared: dict[tuple[int, int], list[str]] = {}
        for path in self._paths:
            held = sorted(self._holders.of(path))
            for at, one in enumerate(held):
                for other in held[at + 1 :]:
                    shared.setdefault((one, other), []).append(path)
        above = ancestors(self._elements)
        found = [
            Overlap(self._elements[one].name, self._elements[other].name, len(files), files[0])
            for (one, other), files in shared.items()
            if not _are_nested(self._elements[one].name, self._elements[other].name, above)
        ]
        return tuple(sorted(found, key=lambda one: (-one.files, one.one, one.other)))

    def uncovered(self, generated: frozenset[str] = frozenset()) -> tuple[Uncovered, ...]:
        """Folders of source code without any element, most files first; single files are let be.

        Args:
            generated: As in `gitmem.knowledge_map.folders.architecture_files`.
        """
        files = architecture_files(self._paths, generated)
        bare = [path for path in files if not self._holders.of(path)]
        held = {
            up for path in files if self._holders.of(path) for up in with_parents(path.rpartition("/")[0])
        }
        folders = Folders(bare)
        found = [
            Uncovered(folder, folders.count(folder))
            for folder in _outermost(folders, held)
            if folders.count(folder) > 1
        ]
        return tuple(sorted(found, key=lambda one: (-one.files, one.folder)))


def _outermost(folders: Folders, held: set[str], folder: str = "") -> Iterator[str]:
    """The outermost folders that hold no file of an element."""
    if folder and folder not in held:
        yield folder
        return
    for child in folders.children(folder):
        yield from _outermost(folders, held, child)


def ancestors(elements: Sequence[Element]) -> Mapping[str, tuple[str, ...]]:
    """Names of the elements that each lies inside, nearest first; a ring ends where it began."""
    inside = {one.name: one.inside for one in elements}
    found = {}
    for name, nearest in inside.items():
        chain: list[str] = []
        step = nearest
        while step is not None and step in inside and step not in {name, *chain}:
            chain.append(step)
            step = inside[step]
        found[name] = tuple(chain)
    return found


def _are_nested(one: str, other: str, above: Mapping[str, tuple[str, ...]]) -> bool:
    return one in above[other] or other in above[one]
