"""What a test command was run on: the commit, and the files that differ from it; and what has changed since another time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.event import Event

DIRTY_FILES = "dirty_files"
"""Payload field of test events: the blob id of each file that differs from the commit ``code``, empty for one that is gone."""
MOST_DIRTY = 200
GONE = ""


class Inputs(NamedTuple):
    """Args:
    code: The commit that HEAD named.
    files: Blob id by path of everything that would be committed.
    dirty: Those that differ from the commit, in the form of `DIRTY_FILES`.
    """

    code: str | None
    files: Mapping[str, str]
    dirty: Mapping[str, str]

    def payload(self) -> dict[str, Any]:
        """What an event says of them; nothing when they are too many, and then more counts as changed later."""
        return {DIRTY_FILES: dict(self.dirty)} if 0 < len(self.dirty) <= MOST_DIRTY else {}

    def names(self) -> frozenset[str]:
        """Every folder's name and every file's, with and without its ending: what the project calls its modules."""
        parts = {part for path in self.files for part in path.split("/")}
        return frozenset(parts | {part.partition(".")[0] for part in parts})


def inputs_of(repo: Repository) -> Inputs | None:
    """The state of the work tree; None where there is none, or it cannot be told."""
    try:
        code = repo.head()
        files = {entry.path: entry.oid for entry in repo.worktree_entries()}
        committed = _committed(repo, code)
    except GitmemError:
        return None
    return Inputs(code, files, _difference(committed, files))


def changed_since(repo: Repository, now: Inputs, then: Event) -> frozenset[str] | None:
    """Paths that are new, gone or changed since a test event, or since any other event's commit; None: cannot be told."""
    if then.code is None or not repo.has(then.code):
        return None
    try:
        files = dict(_committed(repo, then.code))
    except GitmemError:
        return None
    dirty = then.payload.get(DIRTY_FILES)
    for path, oid in dirty.items() if isinstance(dirty, Mapping) else ():
        if oid == GONE:
            files.pop(path, None)
        else:
            files[path] = str(oid)
    return frozenset(_difference(files, now.files))


def _committed(repo: Repository, commit: str | None) -> dict[str, str]:
    return {entry.path: entry.oid for entry in repo.list_tree(commit)} if commit else {}


def _difference(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    changed = {path: oid for path, oid in new.items() if old.get(path) != oid}
    return {**changed, **dict.fromkeys((path for path in old if path not in new), GONE)}
