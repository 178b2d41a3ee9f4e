"""Whether globs match anything, for many globs over many paths."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping
from functools import cached_property

from gitmem.knowledge_map.covering import Coverage
from gitmem.model.element import Elements
from gitmem.model.glob import parse_glob
from gitmem.model.policy import Routes
from gitmem.model.problem import Problem
from gitmem.recall.routing import AI_ROOT
from gitmem.store.elements import ELEMENTS_LIMITS
from gitmem.store.field_reading import glob_fault, shown
from gitmem.store.positions import position_of
from gitmem.store.yaml_reading import Entry, Fields, Items, read_yaml

_LITERAL = re.compile(r"[^*?\[{\\]*")


class Paths:
    """The paths of a tree, sorted, so that a glob looks only where its literal beginning leads."""

    def __init__(self, paths: Collection[str]) -> None:
        self.names = frozenset(paths)
        self._sorted = sorted(path.encode("utf-8", "surrogateescape") for path in self.names)
        self._known: dict[str, bool] = {}

    def has_match(self, glob: str) -> bool:
        """Whether the glob means at least one path."""
        if glob not in self._known:
            self._known[glob] = self._matches(glob)
        return self._known[glob]

    def _matches(self, glob: str) -> bool:
        try:
            parsed = parse_glob(glob)
        except ValueError:
            return True
        found = _LITERAL.match(glob.removeprefix("./"))
        prefix = (found[0] if found else "").rstrip("/").encode("utf-8", "surrogateescape")
        for index in range(bisect_left(self._sorted, prefix), len(self._sorted)):
            path = self._sorted[index]
            if not path.startswith(prefix):
                return False
            if parsed.matches_gitlink(path):
                return True
        return False


def route_problems(path: str, data: bytes, routes: Routes, files: Mapping[str, bytes]) -> list[Problem]:
    """Entries of a route that are no path pattern, or name no file below ``.ai``; what routing reads of them decides."""
    below = Paths([file.removeprefix(AI_ROOT) for file in files])
    problems = []
    for domain, include in routes.domains.items():
        for number, entry in enumerate(include):
            glob = entry.removeprefix(AI_ROOT)
            fault = glob_fault(glob)
            if fault or not below.has_match(glob):
                line, column = position_of(path, data, ("routes", domain, "include"), number)
                said = f"is no path pattern: {fault}" if fault else "matches nothing below .ai"
                message = f"{shown(entry)} {said}"
                problems.append(
                    Problem(path, line, column, f"routes.{domain}.include", message, "", "warning")
                )
    return problems


def element_problems(
    path: str, data: bytes, elements: Elements, paths: Paths, generated: frozenset[str] = frozenset()
) -> list[Problem]:
    """Globs of elements that match nothing, elements that share files, and folders of code without an element.

    Nothing is said of uncovered folders while there is no element at all.
    """
    place = _Places(path, data)
    problems = [
        place.problem(element.name, f"{glob} matches nothing", "", number)
        for element in elements.elements
        for number, glob in enumerate(element.paths)
        if not paths.has_match(glob)
    ]
    if not elements.elements:
        return problems
    coverage = Coverage(elements, paths.names)
    for one in coverage.overlaps[:_MOST_TOLD]:
        message = f"{shown(one.one)} and {shown(one.other)} share {_files(one.files)}, {one.example} for one"
        problems.append(
            place.problem(one.other, message, "take them apart, or say inside: of the one in the other")
        )
    for bare in coverage.uncovered(generated)[:_MOST_TOLD]:
        message = f"{bare.folder} lies in no element ({_files(bare.files)} of source code)"
        problems.append(place.problem(None, message, "add it to an element, or as one"))
    return problems


_MOST_TOLD = 10


def _files(number: int) -> str:
    return f"{number} file{'' if number == 1 else 's'}"


class _Places:
    """Where the elements stand in their file, which is read once and only when something is to be said."""

    def __init__(self, path: str, data: bytes) -> None:
        self._path = path
        self._data = data

    def problem(self, name: str | None, message: str, hint: str, number: int | None = None) -> Problem:
        line, column = self._position(name, number)
        field = "elements" if name is None else f"elements.{name}{'' if number is None else '.paths'}"
        return Problem(self._path, line, column, field, message, hint, "warning")

    @cached_property
    def _elements(self) -> Entry | None:
        root = read_yaml(self._path, self._data, ELEMENTS_LIMITS).root
        return root.entries.get("elements") if isinstance(root, Fields) else None

    def _position(self, name: str | None, number: int | None) -> tuple[int, int]:
        entry = self._elements
        if name is not None and entry is not None and isinstance(entry.value, Fields):
            entry = entry.value.entries.get(name)
        if entry is None:
            return 0, 0
        if number is None:
            return entry.line, entry.column
        node = entry.value
        if isinstance(node, Fields) and "paths" in node.entries:
            node = node.entries["paths"].value
        if isinstance(node, Items) and number < len(node.items):
            return node.items[number].line, node.items[number].column
        return node.line, node.column
