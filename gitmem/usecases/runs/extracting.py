"""Record what a run teaches as candidates, once (`gitmem.promotion.extraction`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from gitmem.errors import GitmemError, UsageError
from gitmem.git.interface import Repository
from gitmem.model.event import Event, text_field
from gitmem.model.ids import is_object_id
from gitmem.promotion.extraction import extract
from gitmem.promotion.run_facts import Surroundings
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.remember import Lesson, Remembered, Remembering
from gitmem.usecases.runs.recording import Teller

MOST_EVENTS: Final = 1000
"""The newest events whose commits are looked up where they do not say their files."""
_COMMITS: Final = frozenset({"commit_recorded", "branch_merged"})


def extract_candidates(ledger: RunLedger, run: Run, teller: Teller) -> tuple[Remembered, ...]:
    """Record the candidates of a run; what was recorded before, known, or denied is not recorded again.

    Returns:
        What became of each that was not recorded before, best first; those that cannot be written down are left out.
    """
    events = run.events()
    around = Surroundings(_files(ledger.repository, events), _existing(ledger.repository))
    found = extract(events, around)
    if not found:
        return ()
    remembering = Remembering(ledger, run, teller, datetime.now().astimezone())
    remembered = []
    for one in found:
        if remembering.has(one.memory.id):
            continue
        lesson = Lesson(
            one.memory, requires_human_review=True, fixed_by=one.fixed_by, key=one.key, is_extracted=True
        )
        try:
            remembered.append(remembering.remember(lesson))
        except UsageError:  # a secret that was masked by older rules, or letters that no file can hold
            continue
    return tuple(remembered)


def _files(repository: Repository, events: Sequence[Event]) -> dict[str, tuple[str, ...]]:
    """What the commits changed whose events do not say it: a merge, all that it brought."""
    found: dict[str, tuple[str, ...]] = {}
    before: str | None = None
    for one in events[-MOST_EVENTS:]:
        commit = text_field(one.payload, "commit") if one.type in _COMMITS else None
        if commit and is_object_id(commit) and not one.payload.get("files"):
            found[commit] = _changed(repository, before if one.type == "branch_merged" else None, commit)
        before = commit or one.code or before
    return found


def _changed(repository: Repository, old: str | None, new: str) -> tuple[str, ...]:
    try:
        if old and repository.has(old) and repository.has(new):
            changes = repository.diff_trees(old, new, renames=False)
        else:
            changes = repository.changes_of([new])[new] if repository.has(new) else ()
    except GitmemError:  # a history that cannot be read whole tells no files
        return ()
    return tuple(path for one in changes if (path := one.new_path))


def _existing(repository: Repository) -> Callable[[str], bool]:
    """Whether HEAD has a file or folder; everything counts as there where HEAD cannot be read."""

    @lru_cache(maxsize=1)
    def paths() -> frozenset[str] | None:
        head = repository.head()
        try:
            files = [one.path for one in repository.list_tree(head)] if head else []
        except GitmemError:
            return None
        folders = {path[:at] for path in files for at, letter in enumerate(path) if letter == "/"}
        return frozenset(folders).union(files)

    def exists(path: str) -> bool:
        known = paths()
        return known is None or path.rstrip("/") in known

    return exists
