"""A repository that lives long, as a server's does: each call has its own time, and settings are kept for a while.

Settings are kept as long as the files that hold them stand as they stood, and for `KEPT_SECONDS` at most, since other
files may be included in them. Where HEAD, the branches and the work tree stand is asked once in a call, which so sees
one moment; what a call itself writes are refs of the ledger, and those are asked each time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar, cast

from gitmem.git.formatting import is_oid
from gitmem.git.interface import Found, Layout, Status, Tip
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
        self._moment: dict[tuple[str, ...], object] | None = None

    def until(self, deadline: float | None) -> None:
        """Begin a call, in which git ends with TimeoutError at a `time.monotonic` value; None lets it take its time."""
        self._runner.deadline = deadline
        self._moment = {}

    def head(self) -> str | None:
        return self._once(("head",), super().head)

    def head_ref(self) -> str | None:
        return self._once(("head_ref",), super().head_ref)

    def resolve(self, revision: str) -> str:
        is_commit = is_oid(revision, self.layout.object_format) and self.commit(revision) is not None
        return revision if is_commit else super().resolve(revision)

    def tips(self, names: Sequence[str]) -> Mapping[str, Tip] | None:
        return self._once(("tips", *names), lambda: super(_Timed, self).tips(names))

    def find_objects(self, expressions: Sequence[str]) -> tuple[Found | None, ...]:
        return self._once(("find", *expressions), lambda: super(_Timed, self).find_objects(expressions))

    def merge_base(self, one: str, other: str) -> str | None:
        return self._once(("base", one, other), lambda: super(_Timed, self).merge_base(one, other))

    def status(self, rows: bytes | None = None) -> Status:
        if rows is not None:
            return super().status(rows)
        return self._once(("status",), super().status)

    def _once(self, question: tuple[str, ...], ask: Callable[[], T]) -> T:
        """The answer of this call; outside of one it is asked each time."""
        if self._moment is None:
            return ask()
        if question not in self._moment:
            self._moment[question] = ask()
        return cast("T", self._moment[question])

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


def timed_repository(layout: Layout, held: dict[str, tuple[object, object]] | None = None) -> TimedRepository:
    """The repository of a layout, through libgit2 where that gives the same answers.

    Args:
        layout: Which one.
        held: Where it keeps what was made from it (`gitmem.git.keeping`), to be shared with others of the same layout.
    """
    opened = _opened(layout)
    if held is not None:
        opened.held = held
    return opened


def _opened(layout: Layout) -> TimedRepository:
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
