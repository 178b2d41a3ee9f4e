"""The memory files of a branch that are to become knowledge, in the work tree or in a commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gitmem.errors import NotFoundError
from gitmem.git.interface import Repository
from gitmem.model.change import TreeEntry
from gitmem.store.memories import Parsed, parse_memory
from gitmem.store.notes import parse_note
from gitmem.usecases.ai_files import (
    READ_LIMIT,
    Files,
    is_memory_file,
    is_note,
    list_files,
    list_judged,
    own_files,
)

_ENDINGS = (".yaml", ".yml", ".md")


@dataclass(frozen=True)
class JudgedFiles:
    """One state of the files below ``.ai/``.

    Args:
        repository: Where.
        trusted: The commit that holds what is approved.
        entries: The whole listing of the work tree; None to judge HEAD.
    """

    repository: Repository
    trusted: str | None
    entries: Sequence[TreeEntry] | None = None

    @cached_property
    def _judged(self) -> Files:
        return list_judged(self.repository, self.repository.head(), self.entries)

    @cached_property
    def paths(self) -> Mapping[str, TreeEntry]:
        """Every memory file of this state."""
        return {path: one for path, one in self._judged.files.items() if is_memory_file(path)}

    @cached_property
    def own(self) -> tuple[TreeEntry, ...]:
        """The memory files that this state has of its own, as proposals."""
        merged = list_files(self.repository, self.trusted)
        head = self.repository.head()
        own = own_files(
            self.repository, self.trusted, head, merged, self._judged, committed=self.entries is None
        )
        return tuple(one for one in own if is_memory_file(one.path))

    def entry(self, path: str) -> TreeEntry:
        """One memory file.

        Raises:
            NotFoundError: There is none.
        """
        found = self.paths.get(path)
        if found is None:
            raise NotFoundError(
                f"{path}: no such memory file",
                hint="a file below .ai/memory/, or the id of a candidate",
                path=path,
            )
        return found

    def read(self, path: str) -> bytes | None:
        """The content of any file of this state; None when it is not there or too large."""
        if self.entries is not None:
            return self.repository.worktree_blob(path)
        head = self.repository.head()
        entry = self.repository.entry(head, path) if head else None
        return self.repository.read_blob(entry.oid, limit=READ_LIMIT).data if entry else None

    def parse(self, entry: TreeEntry) -> Parsed:
        data = self.read(entry.path) or b""
        if is_note(entry.path):
            note = parse_note(entry.path, data)
            return Parsed(note.memory, note.problems)
        return parse_memory(entry.path, data)


def names_file(word: str) -> bool:
    """Whether a word of the command line means a file and no id."""
    return "/" in word or word.endswith(_ENDINGS)
