"""The knowledge map: one cell per element, what is known of it, how fresh, and the gaps (domain.md section 5, end).

A memory belongs to an element when its scope names the element or one of its globs lies inside the element's paths:
every file that the glob finds is the element's. A wide glob such as ``**`` says nothing of one element. An element is
documented by an active or challenged memory other than a session's outcome.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.knowledge_map.covering import Holders
from gitmem.model.element import Element
from gitmem.model.memory import Kind, Memory
from gitmem.recall.factors import DRIFT_FACTOR, HALF_LIFE_DAYS

CHURN_DAYS = 90


@dataclass(frozen=True, slots=True)
class Known:
    """One memory as the map counts it.

    Args:
        memory: As its file says.
        status: Its effective status.
        known_at: When it was last known to be true; None when nothing tells.
        warning: What must be read with it; empty when nothing is against it.
    """

    memory: Memory
    status: str
    known_at: date | None = None
    warning: str = ""

    @property
    def is_challenged(self) -> bool:
        return self.status == "challenged"

    @property
    def documents(self) -> bool:
        """Whether it counts as documentation: a living memory that is no session's outcome."""
        return self.status in {"active", "challenged"} and self.memory.kind is not Kind.SESSION_OUTCOME


@dataclass(frozen=True, slots=True)
class Cell:
    """What is known of one element.

    Args:
        element: The element.
        files: Files that its paths find.
        memories: Those that document it.
        churn: Commits that touched it in `CHURN_DAYS`.
        freshness: From 1 (found true today) towards 0, the mean over its memories; None without any.
    """

    element: Element
    files: int
    memories: tuple[Known, ...]
    churn: int
    freshness: float | None

    @property
    def pitfalls(self) -> int:
        return sum(one.memory.kind is Kind.PITFALL for one in self.memories)

    @property
    def challenged(self) -> int:
        return sum(one.is_challenged for one in self.memories)

    @property
    def is_all_doubted(self) -> bool:
        """Whether there are memories and each one is to be verified."""
        return bool(self.memories) and self.challenged == len(self.memories)

    @property
    def is_documented(self) -> bool:
        return bool(self.memories)


@dataclass(frozen=True, slots=True)
class KnowledgeMap:
    """The whole map.

    Args:
        cells: In the order of the elements file.
        outside: Living memories that belong to no element: project-wide ones, and those wider than any one.
    """

    cells: tuple[Cell, ...]
    outside: tuple[Known, ...] = ()

    @property
    def documented(self) -> int:
        return sum(cell.is_documented for cell in self.cells)

    @property
    def headline(self) -> str:
        noun = "element" if len(self.cells) == 1 else "elements"
        return f"{self.documented} of {len(self.cells)} {noun} documented"

    @property
    def gaps(self) -> tuple[Cell, ...]:
        """Elements that nobody wrote of: what changes most first, then what is largest."""
        bare = [cell for cell in self.cells if not cell.is_documented]
        return tuple(sorted(bare, key=lambda cell: (-cell.churn, -cell.files, cell.element.name)))


def draw_map(
    elements: Sequence[Element],
    paths: Collection[str],
    memories: Iterable[Known],
    churn: Mapping[str, int],
    today: date,
) -> KnowledgeMap:
    """Make the cells.

    Args:
        elements: The elements.
        paths: Every path of the tree.
        memories: All that may count; those that document nothing are passed over.
        churn: Commits by the name of the element (`count_commits`).
        today: The day that freshness is told for.
    """
    holders = Holders(elements)
    living = [one for one in memories if one.documents]
    owned = belonging(elements, holders, paths, living)
    files = [0] * len(elements)
    for path in paths:
        for number in holders.of(path):
            files[number] += 1
    cells = []
    for number, element in enumerate(elements):
        own = tuple(living[one] for one in sorted(owned[number]))
        cells.append(Cell(element, files[number], own, churn.get(element.name, 0), _freshness(own, today)))
    inside = set().union(*owned)
    outside = tuple(one for number, one in enumerate(living) if number not in inside)
    return KnowledgeMap(tuple(cells), outside)


def count_commits(elements: Sequence[Element], commits: Iterable[Collection[str]]) -> Mapping[str, int]:
    """How many commits touched each element.

    Args:
        elements: The elements.
        commits: The paths that each commit touched, of files that are gone too.
    """
    holders = Holders(elements)
    counts = [0] * len(elements)
    for paths in commits:
        for number in frozenset().union(*map(holders.of, paths)):
            counts[number] += 1
    return {element.name: count for element, count in zip(elements, counts, strict=True)}


def freshness_of(known_at: date, today: date) -> float:
    """1 on the day something was found true, half of it `HALF_LIFE_DAYS` later."""
    return float(0.5 ** (max((today - known_at).days, 0) / HALF_LIFE_DAYS))


def _freshness(memories: Sequence[Known], today: date) -> float | None:
    """The mean over the memories, doubtful ones counted at the factor that recall takes for them."""
    told = [
        freshness_of(one.known_at, today) * (DRIFT_FACTOR if one.is_challenged else 1)
        for one in memories
        if one.known_at
    ]
    return round(sum(told) / len(told), 3) if told else None


def belonging(
    elements: Sequence[Element], holders: Holders, paths: Collection[str], memories: Sequence[Known]
) -> list[set[int]]:
    """For each element the positions of the memories that belong to it (see the module).

    Args:
        elements: The elements.
        holders: The same, by path.
        paths: Every path of the tree.
        memories: The memories.
    """
    by_name = {element.name: number for number, element in enumerate(elements)}
    owned: list[set[int]] = [set() for _ in elements]
    for number, one in enumerate(memories):
        for name in one.memory.scope.elements:
            if name in by_name:
                owned[by_name[name]].add(number)
    globs = [(number, glob) for number, one in enumerate(memories) for glob in one.memory.scope.paths]
    for (number, glob), held in zip(globs, _held_by(globs, holders, paths, memories), strict=True):
        for element in held if held is not None else holders.of(_example(glob)):
            owned[element].add(number)
    return owned


def _held_by(
    globs: Sequence[tuple[int, str]], holders: Holders, paths: Collection[str], memories: Sequence[Known]
) -> list[frozenset[int] | None]:
    """The elements that hold every file of a glob; None for one that finds no file."""
    index = ScopeIndex([ScopeSpec((glob,), memories[number].memory.scope.exclude) for number, glob in globs])
    held: list[frozenset[int] | None] = [None] * len(globs)
    for path in paths:
        found = index.matching(path.encode("utf-8", "surrogateescape"))
        for at in found:
            before = held[at]
            held[at] = holders.of(path) if before is None else before & holders.of(path)
    return held


def _example(glob: str) -> str:
    """A path that a glob would find: what a memory spoke of may be gone, and it still belongs where that was."""
    return re.sub(r"\*+|\?|\[[^]]*\]|\{[^}]*\}", "_", glob).rstrip("/") or "_"
