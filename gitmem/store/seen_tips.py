"""Which tips of other writers the own ref already has as ancestors, so that each becomes a parent once.

Remembered in ``<common git dir>/gitmem/cache/run-<run>.parents``, one commit id a line; found by a walk over the
history when the file is missing. Only ever a saving: a tip too many costs a parent that says nothing new.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from gitmem.git.event_commits import read_commits
from gitmem.git.program import ProgramRepository
from gitmem.model.ids import is_object_id
from gitmem.store.run_cache import cache_folder


class SeenTips:
    """The remembered tips of one run."""

    def __init__(self, repository: ProgramRepository, run: str) -> None:
        self._repository = repository
        self._file = cache_folder(repository.layout) / f"run-{run}.parents"
        self._known: set[str] | None = None
        self._is_new = False

    def not_in(self, tip: str, others: set[str]) -> list[str]:
        """Those of the others that `tip` does not reach, sorted."""
        if self._known is None:
            self._known = self._load()
        unknown = others - self._known
        if unknown and not self._known:
            self.add(self._reached(tip, unknown))
        return sorted(others - self._known)

    def add(self, commits: Iterable[str]) -> None:
        """Remember commits as ancestors of the own ref."""
        if self._known is None:
            return
        fresh = set(commits) - self._known
        if fresh:
            self._known |= fresh
            self._is_new = True

    def save(self) -> None:
        """Write what is new; nothing happens when that is not possible."""
        if not self._is_new or self._known is None:
            return
        self._is_new = False
        temporary = self._file.with_name(f"{self._file.name}.{os.getpid()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text("".join(f"{oid}\n" for oid in sorted(self._known)), "ascii")
            temporary.replace(self._file)
        except OSError:
            return

    def _load(self) -> set[str]:
        try:
            return set(filter(is_object_id, self._file.read_text("ascii", "replace").split()))
        except OSError:
            return set()

    def _reached(self, tip: str, wanted: set[str]) -> set[str]:
        left = set(wanted)
        for raw in read_commits(self._repository, [tip]):
            left.discard(raw.oid)
            if not left:
                break
        return wanted - left
