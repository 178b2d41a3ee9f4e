"""Whether globs match anything, for many globs over many paths."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping

from gitmem.model.element import Elements
from gitmem.model.glob import parse_glob
from gitmem.model.policy import Routes
from gitmem.model.problem import Problem
from gitmem.store.positions import position_of

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
    """Entries of a route that name no file below ``.ai``."""
    below = Paths([file.removeprefix(".ai/") for file in files])
    problems = []
    for domain, include in routes.domains.items():
        for number, entry in enumerate(include):
            if not below.has_match(entry):
                line, column = position_of(path, data, ("routes", domain, "include"), number)
                field = f"routes.{domain}.include"
                problems.append(
                    Problem(path, line, column, field, f"{entry} matches nothing below .ai", "", "warning")
                )
    return problems


def element_problems(path: str, data: bytes, elements: Elements, paths: Paths) -> list[Problem]:
    """Globs of elements that match nothing."""
    problems = []
    for element in elements.elements:
        for number, glob in enumerate(element.paths):
            if not paths.has_match(glob):
                line, column = position_of(path, data, ("elements", element.name, "paths"), number)
                field = f"elements.{element.name}.paths"
                problems.append(Problem(path, line, column, field, f"{glob} matches nothing", "", "warning"))
    return problems
