"""A repository that lives long, as a server's does: each question has its own time, and settings are kept for a while.

Settings are kept as long as the files that hold them stand as they stood, and for `KEPT_SECONDS` at most, since other
files may be included in them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeVar, cast

from gitmem.git.interface import Layout
from gitmem.git.library import LibraryRepository
from gitmem.git.opening import fits_library
from gitmem.git.program import ProgramRepository
from gitmem.model.change import Person, TreeEntry

T = TypeVar("T")
KEPT_SECONDS: Final = 5.0
_MOST_KEPT_TREES = 8
_LARGEST_KEPT_TREE = 20_000


class _Timed(ProgramRepository):
    def __init__(self, layout: Layout, *, deadline: float | None = None) -> None:
        super().__init__(layout, deadline=deadline)
        self._kept: dict[str, tuple[object, float, object]] = {}
        self._trees: dict[tuple[str, str], tuple[TreeEntry, ...]] = {}

    def until(self, deadline: float | None) -> None:
        """Let git end with TimeoutError at a `time.monotonic` value; None lets it take as long as it needs."""
        self._runner.deadline = deadline

    def settings(self, pattern: str) -> Mapping[str, str]:
        return self._keep(f"settings {pattern}", lambda: super(_Timed, self).settings(pattern))

    def config(self, key: str) -> str | None:
        return self._keep(f"config {key}", lambda: super(_Timed, self).config(key))

    def identity(self) -> Person:
        return self._keep("identity", super().identity)

    def list_tree(self, tree: str, *, under: str = "") -> tuple[TreeEntry, ...]:
        """See the interface; what was listed lately is kept, since a tree never changes."""
        held = self._trees.pop((tree, under), None)
        found = super().list_tree(tree, under=under) if held is None else held
        if len(found) <= _LARGEST_KEPT_TREE:
            self._trees[tree, under] = found
        if len(self._trees) > _MOST_KEPT_TREES:
            del self._trees[next(iter(self._trees))]
        return found

    def _keep(self, question: str, ask: Callable[[], T]) -> T:
        stand = _stand(self.layout)
        held = self._kept.get(question)
        if held is not None and held[0] == stand and time.monotonic() - held[1] < KEPT_SECONDS:
            return cast("T", held[2])
        answer = ask()
        self._kept[question] = (stand, time.monotonic(), answer)
        return answer


class TimedProgram(_Timed):
    """Through the git program alone."""


class TimedLibrary(_Timed, LibraryRepository):
    """Through libgit2 where it can be trusted."""


TimedRepository = TimedProgram | TimedLibrary


def timed_repository(layout: Layout) -> TimedRepository:
    """The repository of a layout, through libgit2 where that gives the same answers."""
    if fits_library(layout):
        try:
            return TimedLibrary(layout)
        except Exception:  # noqa: BLE001 - what libgit2 cannot open or is not there for, the git program can
            return TimedProgram(layout)
    return TimedProgram(layout)


def _stand(layout: Layout) -> tuple[tuple[int, int, int], ...]:
    """How the files of the configuration that are known by name stand."""
    home = os.environ.get("HOME", "")
    personal = os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    own = (layout.common_dir / "config", layout.git_dir / "config.worktree")
    named = os.environ.get("GIT_CONFIG_GLOBAL")
    others = [named] if named else [f"{home}/.gitconfig", f"{personal}/git/config"]
    return tuple(map(_told, (*own, *map(Path, others))))


def _told(file: Path) -> tuple[int, int, int]:
    try:
        found = file.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, found.st_size, found.st_mtime_ns)
