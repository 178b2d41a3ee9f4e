"""The files below ``.ai/`` of the trusted tip and of the judged tree: which exist, which differ, what they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, MODE_TREE, TreeEntry
from gitmem.model.problem import Problem

AI_FOLDER = ".ai"
MEMORY_FOLDER = ".ai/memory"
VALIDATION_FOLDER = ".ai/validations"
READ_LIMIT = 1 << 20
"""Larger files are named and not read; each format has its own, smaller limit."""


def is_memory_file(path: str) -> bool:
    return path.startswith(f"{MEMORY_FOLDER}/") and path.endswith((".yaml", ".yml", ".md"))


def is_note(path: str) -> bool:
    """Whether a memory file is a Markdown note, which has no fields and so no free ones."""
    return path.endswith(".md")


def is_validation_file(path: str) -> bool:
    return path.startswith(f"{VALIDATION_FOLDER}/") and path.endswith((".yaml", ".yml"))


class Files(NamedTuple):
    """The regular files below ``.ai/`` of one tree, by path, and what stands there that is none."""

    files: Mapping[str, TreeEntry]
    problems: tuple[Problem, ...] = ()


def list_files(repo: Repository, tree: str | None) -> Files:
    if tree is None:
        return Files({})
    entries = repo.list_tree(tree, under=AI_FOLDER)
    if not entries:
        top = repo.entry(tree, AI_FOLDER)
        entries = (top,) if top and top.mode != MODE_TREE else ()
    return regular_files(entries)


def list_judged(repo: Repository, tree: str | None, entries: Sequence[TreeEntry] | None) -> Files:
    if entries is None:
        return list_files(repo, tree)
    return regular_files(
        [one for one in entries if one.path == AI_FOLDER or one.path.startswith(f"{AI_FOLDER}/")]
    )


def regular_files(entries: Iterable[TreeEntry]) -> Files:
    """Sort a listing into regular files and problems: no symbolic link is followed, no submodule entered."""
    files, problems = {}, []
    for one in entries:
        if one.mode in {MODE_FILE, MODE_EXECUTABLE} and one.path != AI_FOLDER:
            files[one.path] = one
        else:
            what = _MODES.get(one.mode, f"of mode {one.mode:o}")
            message = f"{one.path} is {what}; only ordinary files are read below {AI_FOLDER}/"
            problems.append(Problem(one.path, 0, 0, "", message, "put an ordinary file in its place"))
    return Files(files, tuple(problems))


_MODES = {MODE_SYMLINK: "a symbolic link", MODE_GITLINK: "a submodule", MODE_FILE: "a file and no folder"}


def own_files(
    repo: Repository,
    trusted: str | None,
    head: str | None,
    merged: Files,
    judged: Files,
    *,
    committed: bool,
) -> tuple[TreeEntry, ...]:
    """What the judged tree has of its own: neither as the trusted tip has it nor as both had it when they parted.

    A branch that merely lags behind proposes nothing: it does not bring back what was edited or removed since.
    """
    changed = _differing(judged, merged)
    if not changed or trusted is None or head is None:
        return changed
    base = repo.merge_base(trusted, head) if repo.commit(head) else None
    if base is None or base == trusted:
        return changed
    if base == head and committed:
        return ()
    since = {one.path for one in _differing(judged, list_files(repo, base))}
    return tuple(one for one in changed if one.path in since)


def _differing(judged: Files, other: Files) -> tuple[TreeEntry, ...]:
    held = {path: one.oid for path, one in other.files.items()}
    return tuple(one for path, one in judged.files.items() if held.get(path) != one.oid)


class Contents:
    """Contents by path and blob; what is asked for together is read in one batch."""

    def __init__(
        self, repo: Repository, read: Callable[[str], bytes | None] | None, own: Sequence[TreeEntry]
    ) -> None:
        self._repo = repo
        self._read = read
        self._from_work_tree = {(one.path, one.oid) for one in own} if read else set()
        self._held: dict[str, bytes | None] = {}
        self._sizes: dict[str, int | None] = {}

    def preload(self, entries: Iterable[TreeEntry]) -> None:
        wanted: dict[str, None] = {}
        for one in entries:
            if self._read and (one.path, one.oid) in self._from_work_tree:
                self._held[one.oid] = self._read(one.path)
            elif one.oid not in self._held:
                wanted[one.oid] = None
        for blob in self._repo.read_blobs(wanted, limit=READ_LIMIT):
            self._held[blob.oid] = blob.data
            self._sizes[blob.oid] = blob.size

    def of(self, entry: TreeEntry) -> bytes | None:
        if entry.oid not in self._held:
            self.preload([entry])
        return self._held[entry.oid]

    def size(self, entry: TreeEntry) -> int | None:
        """Bytes of a file that was asked for; None when its object is missing."""
        return self._sizes.get(entry.oid)


def unreadable(entry: TreeEntry, size: int | None) -> Problem:
    """What is said of a file whose content is not there: its object is missing, or it is over `READ_LIMIT`."""
    if size is None:
        message = f"{entry.path} cannot be read: its object {entry.oid[:12]} is missing"
        return Problem(entry.path, 0, 0, "", message, "run git fsck")
    from gitmem.store.yaml_reading import FILE_LIMITS

    message = f"{entry.path}: {size} bytes, over the limit of {FILE_LIMITS.size}"
    return Problem(entry.path, 0, 0, "", message, "split the file")
