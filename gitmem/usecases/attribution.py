"""Who changed what challenges a memory: looked up for flagged findings only (drift.md, step 9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from gitmem.errors import GitFailedError
from gitmem.git.interface import Repository
from gitmem.model.change import Change, Commit
from gitmem.model.verdict import CHALLENGING, Finding
from gitmem.usecases.contents import Contents
from gitmem.usecases.tracing import Trace, blobs_of, counts, is_at, rows_at, trace_of

COUNTED_COMMITS = 60
"""Commits of a path that are looked at, newest first."""
FEW = 4
"""Fewer look-ups are made one by one."""
ATTRIBUTED = 6
"""Findings of one memory that are looked up; the rest stands without a name."""
MOST_RENAMES = 4
"""Renames of one path that are followed."""

_Key = tuple[str | None, tuple[str, ...]]
"""The commit that is counted from, and the paths."""


class Attribution:
    """Looks commits up by path, once for each path and baseline, and tells which of them changed what is watched.

    Args:
        repository: The repository.
        contents: Shared blobs and outlines.
        until: The judged commit, or HEAD when uncommitted edits are judged.
        uncommitted: Paths whose content differs from `until`, each with the object id there and the judged one.
    """

    def __init__(
        self,
        repository: Repository,
        contents: Contents,
        until: str | None,
        uncommitted: Mapping[str, tuple[str | None, str | None]] | None = None,
    ) -> None:
        self._repository = repository
        self._contents = contents
        self._until = until
        self._uncommitted = uncommitted or {}
        self._touching: dict[_Key, Sequence[str]] = {}
        self._rows: dict[str, tuple[Change, ...]] = {}
        self._commits: dict[str, Commit | None] = {}

    def prepare(self, asked: Iterable[tuple[Iterable[Finding], str | None]]) -> None:
        """Look up what many memories will ask, in a few calls where history is a straight line.

        Args:
            asked: Findings of each memory, and the commit that they are counted from.
        """
        wanted = {(since, _paths(found)) for findings, since in asked for found in _told(findings)}
        known = {since: self._commit(since) for since, _ in wanted if since is not None}
        commits = [commit for commit in known.values() if commit is not None]
        if len(wanted) < FEW or self._until is None or len(commits) != len({since for since, _ in wanted}):
            return
        paths = tuple(dict.fromkeys(path for _, several in wanted for path in several))
        oldest = min(commits, key=lambda one: datetime.fromisoformat(one.committed_at))
        line = self._repository.straight_line(since=oldest.oid, until=self._until, paths=paths)
        if line is None:
            return
        places = {oid: place for place, (oid, _) in enumerate(line)} | {oldest.oid: len(line)}
        for since, several in wanted:
            if since in places:
                steps = line[: places[since]]
                touching = [oid for oid, names in steps if any(is_at(name, several) for name in names)]
                self._touching[since, several] = touching[:COUNTED_COMMITS]
        self._load(oid for several in self._touching.values() for oid in several)
        self._preload((self._touching[key], key[1]) for key in wanted if key in self._touching)

    def attribute(self, findings: Iterable[Finding], since: str | None) -> tuple[Finding, ...]:
        """The findings, the challenging ones with commit, author, date and count where a commit can be told."""
        found = tuple(findings)
        told = set(map(id, _told(found)))
        return tuple(self._one(one, since) if id(one) in told else one for one in found)

    def _one(self, found: Finding, since: str | None) -> Finding:
        trace = trace_of(found, self._contents, lambda path: self._content(since, path))
        if counts(trace, self._edits(trace.paths)):
            return replace(found, author="uncommitted edits")
        if self._until is None or since is None or self._commit(since) is None:
            return found
        guilty = self._guilty(trace, since)
        last = self._commit(guilty[0]) if guilty else None
        return replace(found, **_fields(last, len(guilty))) if last is not None else found  # type: ignore[arg-type]  # fields of Finding by name

    def _guilty(self, trace: Trace, since: str) -> list[str]:
        """Commits that changed what is traced, newest first, its file followed through renames."""
        for _ in range(MOST_RENAMES):
            touching = self._look_up(since, trace.paths)
            self._load(touching)
            further = _renamed((row for oid in touching for row in self._rows[oid]), trace.paths)
            if not further or trace.held is None:
                break
            trace = trace._replace(paths=(*trace.paths, *further))
        self._preload([(touching, trace.paths)])
        return [oid for oid in touching if self._is_guilty(oid, trace)]

    def _is_guilty(self, oid: str, trace: Trace) -> bool:
        commit = self._commit(oid)
        if commit is None or not commit.parents or not counts(trace, rows_at(self._rows[oid], trace.paths)):
            return False
        others = (self._repository.diff_trees(parent, oid) for parent in commit.parents[1:])
        return all(counts(trace, rows_at(rows, trace.paths)) for rows in others)

    # what is read
    def _look_up(self, since: str, paths: tuple[str, ...]) -> Sequence[str]:
        key = (since, paths)
        if key not in self._touching and self._until is not None:
            found = self._repository.log(since=since, until=self._until, paths=paths, limit=COUNTED_COMMITS)
            commits = {commit.oid: commit for commit in found}
            self._commits.update(commits)
            self._touching[key] = tuple(commits)
        return self._touching.get(key, ())

    def _load(self, oids: Iterable[str]) -> None:
        missing = [oid for oid in dict.fromkeys(oids) if oid not in self._rows]
        if missing:
            self._rows.update(dict.fromkeys(missing, ()))
            try:
                self._rows.update(self._repository.changes_of(missing))
            except GitFailedError:  # an object is damaged: what cannot be compared is not named
                if len(missing) > 1:
                    self._load_one_by_one(missing)

    def _load_one_by_one(self, oids: Iterable[str]) -> None:
        for oid in oids:
            with suppress(GitFailedError):
                self._rows.update(self._repository.changes_of([oid]))

    def _preload(self, asked: Iterable[tuple[Sequence[str], tuple[str, ...]]]) -> None:
        rows = (
            row for oids, paths in asked for oid in oids for row in self._rows[oid] if _is_exact(row, paths)
        )
        self._contents.preload(blobs_of(rows))

    def _commit(self, oid: str | None) -> Commit | None:
        if oid is not None and oid not in self._commits:
            self._commits[oid] = self._repository.commit(oid)
        return self._commits[oid] if oid is not None else None

    def _content(self, since: str | None, path: str) -> bytes | None:
        entry = self._repository.entry(since, path) if since is not None else None
        return self._contents.blob(entry.oid) if entry is not None else None

    def _edits(self, paths: tuple[str, ...]) -> list[Change]:
        return [_edit(path, old, new) for path, (old, new) in self._uncommitted.items() if is_at(path, paths)]


def _told(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that are looked up."""
    return [found for found in findings if found.verdict in CHALLENGING and found.path][:ATTRIBUTED]


def _paths(found: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for path in (found.path, found.new_path) if path))


def _is_exact(row: Change, paths: tuple[str, ...]) -> bool:
    return row.old_path in paths or row.new_path in paths


def _renamed(rows: Iterable[Change], paths: tuple[str, ...]) -> list[str]:
    """Further names that a file at one of the paths had."""
    ends = [
        path
        for row in rows
        if row.status == "renamed" and _is_exact(row, paths)
        for path in (row.old_path, row.new_path)
    ]
    return list(dict.fromkeys(path for path in ends if path is not None and path not in paths))


def _edit(path: str, old: str | None, new: str | None) -> Change:
    status = "added" if old is None else "deleted" if new is None else "modified"
    return Change(status, path if old else None, path if new else None, 0, 0, old, new)  # type: ignore[arg-type]  # a literal


def _fields(last: Commit, count: int) -> dict[str, object]:
    return {
        "commit": last.oid,
        "author": last.author.name,
        "at": last.authored_at,
        "commits": count,
        "subject": last.subject,
    }
