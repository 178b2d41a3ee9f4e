"""Baselines of memories that nobody validated with gitmem, read from the history of their files.

Step 4 of the fallback ladder (drift.md): the commit that brought this ``last_validated_at``, or else the memory's
words, to the branch's first-parent history; its parent when that commit also changed the scope. Who asks decides whether
what the first words of a memory speak of came with them, so that the parent tells nothing. Words that say the same as
before (`gitmem.usecases.rewording`) brought nothing; where the statement was written anew, both baselines are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import PurePosixPath
from typing import Literal

from gitmem.git.interface import Repository
from gitmem.model.change import Change, Commit
from gitmem.model.memory import Memory
from gitmem.store.memories import parse_memory
from gitmem.usecases.rewording import MEMORY_FOLDER, is_restated


@dataclass(frozen=True, slots=True)
class Inferred:
    """A baseline read from history.

    Args:
        commit: Where the memory is taken to have been true; None when history does not reach back.
        reason: Why there is none; empty otherwise.
        first: The commit after it, where that one brought the memory's first words beside an edit of its scope.
        earlier: Where the memory's first statement was taken to have been true; None when this one is the first.
    """

    commit: str | None
    reason: str = ""
    first: str | None = None
    earlier: Inferred | None = None

    @property
    def is_cut(self) -> bool:
        """Whether a shallow clone alone keeps it from being known."""
        return self.reason == _CUT


_CUT = "history is cut here (shallow clone)"


def apart(memories: Sequence[Memory]) -> Iterator[Sequence[Memory]]:
    """Groups in which no two share a name: an approved memory and its edit have one file, and each is looked for by itself."""
    first = {memory.id: memory for memory in reversed(memories)}
    edits = [memory for memory in memories if first[memory.id] is not memory]
    yield from (group for group in (list(first.values()), edits) if group)


def infer_baselines(
    repository: Repository,
    tip: str,
    memories: Iterable[Memory],
    touches: Callable[[Memory, Iterable[Change]], bool],
) -> Mapping[str, Inferred]:
    """Baselines by memory id, from one walk over the first-parent history.

    Args:
        repository: The repository.
        tip: Commit whose history is walked.
        memories: The memories to look for.
        touches: Whether any of some changed rows lies in a memory's scope.
    """

    @lru_cache(maxsize=8)
    def compare(parent: str, commit: str) -> tuple[Change, ...]:
        return repository.diff_trees(parent, commit, renames=False)

    def baseline(memory: Memory, commit: Commit, *, is_first: bool) -> Inferred:
        return _baseline(repository, commit, partial(touches, memory), compare, is_first=is_first)

    walk = _Walk(repository, memories, baseline)
    for commit, changes in repository.log_changes(until=tip, under=[MEMORY_FOLDER], first_parent=True):
        walk.take(commit, changes)
        if walk.is_over:
            break
    return walk.results()


class _Walk:
    """What one walk back through history has found of some memories' files.

    A file that was removed and brought back says what it said before: nobody looked at it meanwhile, so its history goes
    on where it was removed, by the name that is its id.
    """

    def __init__(
        self, repository: Repository, memories: Iterable[Memory], baseline: Callable[..., Inferred]
    ) -> None:
        self._repository = repository
        self._baseline = baseline
        self._wanted = {memory.file: memory for memory in memories}
        self._added: dict[str, Memory] = {}
        self._found: dict[str, Inferred] = {}
        self._restated: dict[str, Inferred] = {}

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to find further back."""
        return not self._wanted and not self._added

    def take(self, commit: Commit, rows: Sequence[Change]) -> None:
        """Read what a commit did to the files that are still looked for."""
        for row in rows:
            memory = self._wanted.pop(row.new_path or "", None)
            if memory is not None:
                self._meet(memory, row, commit)
        for row in rows:
            name = PurePosixPath(row.old_path or "").stem
            if row.new_path is None and name in self._added:
                self._resume(self._added.pop(name), row)

    def results(self) -> Mapping[str, Inferred]:
        """The baselines by memory id, as far as the walk went."""
        absent = Inferred(None, "the file is not in the history of this branch yet")
        reached = {memory.id: absent for memory in self._wanted.values()} | self._found
        return {name: _latest(one, self._restated.get(name)) for name, one in reached.items()}

    def _meet(self, memory: Memory, row: Change, commit: Commit) -> None:
        edit = _edit(self._repository, memory, row)
        if edit == "restated":
            self._restated.setdefault(memory.id, self._baseline(memory, commit, is_first=False))
        if row.old_path is not None and edit != "dated":
            self._wanted.setdefault(row.old_path, memory)
            return
        self._found[memory.id] = self._baseline(memory, commit, is_first=row.old_path is None)
        if row.old_path is None:
            self._added[memory.id] = memory

    def _resume(self, memory: Memory, removal: Change) -> None:
        edit = _edit(self._repository, memory, removal)
        if edit == "dated":
            return
        if edit == "restated":
            self._restated.setdefault(memory.id, self._found[memory.id])
        self._wanted.setdefault(removal.old_path or "", memory)


def _latest(first: Inferred, restated: Inferred | None) -> Inferred:
    return first if restated is None else replace(restated, earlier=first)


def _edit(repository: Repository, memory: Memory, row: Change) -> Literal["dated", "restated", "other"]:
    """What the row did to a memory's file; where the words or the date were not read before, it is taken for their first.

    A row that brought another statement than the memory's is newer than its words: an edit that is not approved.
    """
    old = repository.read_blob(row.old_oid).data if row.old_oid else None
    before = parse_memory(row.old_path or memory.file, old).memory if old is not None else None
    if before is None:
        return "dated"
    if memory.last_validated_at is not None:
        return "dated" if before.last_validated_at != memory.last_validated_at else "other"
    new = repository.read_blob(row.new_oid).data if row.new_oid else None
    after = parse_memory(row.new_path or memory.file, new).memory if new is not None else None
    if after is not None and is_restated(after, memory):
        return "other"
    return "restated" if is_restated(before, memory) else "other"


def _baseline(
    repository: Repository,
    commit: Commit,
    touches: Callable[[Iterable[Change]], bool],
    compare: Callable[[str, str], Iterable[Change]],
    *,
    is_first: bool,
) -> Inferred:
    if not commit.parents:
        if repository.layout.shallow:
            return Inferred(None, _CUT)
        return Inferred(commit.oid)
    parent = commit.parents[0]
    if not repository.has(parent):
        return Inferred(commit.oid)
    both = touches(compare(parent, commit.oid))
    if not both:
        return Inferred(commit.oid)
    return Inferred(parent, first=commit.oid if is_first else None)
