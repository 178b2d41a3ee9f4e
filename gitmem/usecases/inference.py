"""Baselines of memories that nobody validated with gitmem, read from the history of their files.

Step 4 of the fallback ladder (drift.md): the commit that brought this ``last_validated_at``, or else the memory's
words, to the branch's first-parent history; its parent when that commit also changed the scope. Who asks decides whether
what the first words of a memory speak of came with them, so that the parent tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from gitmem.drift.words_digest import text_digest
from gitmem.git.interface import Repository
from gitmem.model.change import Change, Commit
from gitmem.model.memory import Memory
from gitmem.store.memories import parse_memory

MEMORY_FOLDER = ".ai/memory"


@dataclass(frozen=True, slots=True)
class Inferred:
    """A baseline read from history.

    Args:
        commit: Where the memory is taken to have been true; None when history does not reach back.
        reason: Why there is none; empty otherwise.
        first: The commit after it, where that one brought the memory's first words beside an edit of its scope.
    """

    commit: str | None
    reason: str = ""
    first: str | None = None


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
    wanted = {memory.file: memory for memory in memories}
    found: dict[str, Inferred] = {}

    @lru_cache(maxsize=8)
    def compare(parent: str, commit: str) -> tuple[Change, ...]:
        return repository.diff_trees(parent, commit, renames=False)

    for commit, changes in repository.log_changes(until=tip, under=[MEMORY_FOLDER], first_parent=True):
        if not wanted:
            break
        for row in changes:
            memory = wanted.get(row.new_path or "")
            if memory is None or row.new_path is None:
                continue
            if row.old_path is not None and not _brought(repository, memory, row):
                wanted.pop(row.new_path)
                wanted.setdefault(row.old_path, memory)
                continue
            wanted.pop(row.new_path)
            is_first = row.old_path is None
            found[memory.id] = _baseline(
                repository, commit, partial(touches, memory), compare, is_first=is_first
            )
    absent = "the file is not in the history of this branch yet"
    return {**{memory.id: Inferred(None, absent) for memory in wanted.values()}, **found}


def _brought(repository: Repository, memory: Memory, row: Change) -> bool:
    """Whether the row changed the words or the written date; other edits of the file validate nothing."""
    old = repository.read_blob(row.old_oid).data if row.old_oid else None
    before = parse_memory(row.old_path or memory.file, old).memory if old is not None else None
    if before is None:
        return True
    if memory.last_validated_at is not None and before.last_validated_at != memory.last_validated_at:
        return True
    return memory.last_validated_at is None and words_digest(before) != words_digest(memory)


def words_digest(memory: Memory) -> str:
    """Digest of the words a person approved: title, summary, body and watch."""
    return text_digest(memory.title, memory.summary, memory.body, memory.watch)


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
            return Inferred(None, "history is cut here (shallow clone)")
        return Inferred(commit.oid)
    parent = commit.parents[0]
    if not repository.has(parent):
        return Inferred(commit.oid)
    both = touches(compare(parent, commit.oid))
    if not both:
        return Inferred(commit.oid)
    return Inferred(parent, first=commit.oid if is_first else None)
