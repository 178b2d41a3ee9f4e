"""Whether the ledger saw a test pass on code that contains a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.event import Event, text_field, text_list
from gitmem.results.test_names import is_of_file, parse_test_name, same_test
from gitmem.usecases.gating.told import Told
from gitmem.usecases.runs.inputs import DIRTY_FILES

_LONGEST: Final = 80


class Seen(NamedTuple):
    """Whether a test counts as passing, and what was seen of it.

    Args:
        counts: Whether it counts.
        said: What was seen, one clause.
        is_nameless: Whether tests passed and nobody can tell which.
    """

    counts: bool
    said: str
    is_nameless: bool = False


class Passes:
    """Asks the test events of all runs.

    Args:
        repository: Where.
        told: What the runs tell.
    """

    def __init__(self, repository: Repository, told: Told) -> None:
        self._repository = repository
        self._events = tuple(reversed(told.of("test_passed", "test_failed")))
        self._held: dict[tuple[str, str], str | None] = {}

    def seen(self, reference: str, changes: Sequence[str]) -> Seen:
        """What the newest event that speaks of the test says, newest first, until one passes on the changes.

        Args:
            reference: The test as the evidence names it.
            changes: Commits that the tested code must contain; none when it may be any code.
        """
        why = ""
        for event in self._events:
            if event.type == "test_failed":
                if not why and any(_speaks_of(one, reference) for one in text_list(event.payload, "failing")):
                    return Seen(False, f"it failed when it was last seen ({_at(event)})")
            elif _lists(event, reference):
                missing = next((one for one in changes if not self._contains(event, one)), None)
                if missing is None:
                    return Seen(True, f"passed {_at(event)}")
                why = why or f"it passed {_at(event)}, on code without {missing[:12]}"
        return Seen(False, why) if why else self._unseen()

    def _unseen(self) -> Seen:
        newest = next((one for one in self._events if one.type == "test_passed"), None)
        if newest is None or text_list(newest.payload, "tests"):
            return Seen(False, "it exists and was never seen to pass")
        command = text_field(newest.payload, "command") or "the tests"
        said = f"`{command[:_LONGEST]}` passed {_at(newest)}, and its output names no test"
        return Seen(False, said, is_nameless=True)

    def _contains(self, event: Event, change: str) -> bool:
        """Whether the tested state holds what a commit changed: by history, or file by file."""
        if event.code is None:
            return False
        dirty = event.payload.get(DIRTY_FILES)
        files: Mapping[str, str] = dirty if isinstance(dirty, Mapping) else {}
        is_known = not event.dirty or bool(files)
        changed = self._changed(change)
        if self._is_ancestor(change, event.code) and is_known:
            return (
                changed is None
                or not set(files) & set(changed)
                or self._equal(event.code, files, change, changed)
            )
        return is_known and changed is not None and self._equal(event.code, files, change, changed)

    def _changed(self, commit: str) -> Sequence[str] | None:
        rows = self._repository.changes_of([commit]).get(commit)
        return (
            None if rows is None else [path for row in rows for path in (row.old_path, row.new_path) if path]
        )

    def _is_ancestor(self, commit: str, other: str) -> bool:
        if not (self._repository.has(commit) and self._repository.has(other)):
            return False
        return self._repository.merge_base(commit, other) == commit

    def _equal(self, code: str, dirty: Mapping[str, str], change: str, paths: Sequence[str]) -> bool:
        """Whether the tested files are those of the commit, wherever it changed something."""
        if not paths or not self._repository.has(code):
            return False
        return all(
            (dirty[path] or None if path in dirty else self._blob(code, path)) == self._blob(change, path)
            for path in paths
        )

    def _blob(self, commit: str, path: str) -> str | None:
        key = (commit, path)
        if key not in self._held:
            entry = self._repository.entry(commit, path)
            self._held[key] = entry.oid if entry else None
        return self._held[key]


def _speaks_of(test: str, reference: str) -> bool:
    told = parse_test_name(reference)
    if told.name:
        return told.name in test and same_test(test, reference)  # the first for speed: there may be thousands
    return bool(told.file) and is_of_file(test, told.file)


def _lists(event: Event, reference: str) -> bool:
    """Whether a pass is told of the test: in its list, or because the command asked for this test alone."""
    if any(_speaks_of(one, reference) for one in text_list(event.payload, "tests")):
        return True
    command = text_field(event.payload, "command") or ""
    return (
        bool(reference.strip())
        and reference in command.replace("'", " ").replace('"', " ").split()
        and _ran(event)
    )


def _ran(event: Event) -> bool:
    """Whether some test is known to have passed, and none to have been skipped."""
    counts = event.payload.get("counts")
    return isinstance(counts, Mapping) and bool(counts.get("passed")) and not counts.get("skipped")


def _at(event: Event) -> str:
    code = f" at {event.code[:12]}" if event.code else ""
    return f"{event.at[:10]}{code}, {event.run} #{event.seq}"
