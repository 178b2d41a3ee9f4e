"""Who changed what challenges a memory: looked up for flagged findings only (drift.md, step 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from gitmem.git.interface import Repository
from gitmem.model.change import Commit
from gitmem.model.verdict import CHALLENGING, Finding

COUNTED_COMMITS = 200
FEW = 4
"""Fewer look-ups are made one by one."""
ATTRIBUTED = 6
"""Findings of one memory that are looked up; the rest stands without a name."""

_Key = tuple[str | None, tuple[str, ...]]
"""The commit that is counted from, and the paths."""


class Attribution:
    """Looks commits up by path, once for each path and baseline.

    Args:
        repository: The repository.
        until: The judged commit, or HEAD when uncommitted edits are judged.
        uncommitted: Paths whose content differs from `until`.
    """

    def __init__(
        self, repository: Repository, until: str | None, uncommitted: frozenset[str] = frozenset()
    ) -> None:
        self._repository = repository
        self._until = until
        self._uncommitted = uncommitted
        self._found: dict[_Key, dict[str, object]] = {}

    def prepare(self, asked: Iterable[tuple[Iterable[Finding], str | None]]) -> None:
        """Look up what many memories will ask, in two calls where history is a straight line.

        Args:
            asked: Findings of each memory, and the commit that they are counted from.
        """
        wanted = {key for findings, since in asked for key in self._keys(findings, since)}
        known = {since: self._repository.commit(since) for since, _ in wanted if since is not None}
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
                touching = [oid for oid, names in steps if any(_is_at(name, several) for name in names)]
                self._found[since, several] = self._summed_up(touching[:COUNTED_COMMITS])

    def _keys(self, findings: Iterable[Finding], since: str | None) -> list[_Key]:
        told = [found for found in findings if found.verdict in CHALLENGING and found.path][:ATTRIBUTED]
        several = [_paths(found) for found in told]
        return [(since, paths) for paths in several if not self._uncommitted.intersection(paths)]

    def _summed_up(self, oids: list[str]) -> dict[str, object]:
        last = self._repository.commit(oids[0]) if oids else None
        return _fields(last, len(oids)) if last is not None else {}

    def attribute(self, findings: Iterable[Finding], since: str | None) -> tuple[Finding, ...]:
        """The findings, the challenging ones with commit, author, date and count."""
        told, left = [], ATTRIBUTED
        for found in findings:
            if found.verdict in CHALLENGING and found.path and left:
                told.append(self._one(found, since))
                left -= 1
            else:
                told.append(found)
        return tuple(told)

    def _one(self, found: Finding, since: str | None) -> Finding:
        paths = _paths(found)
        if any(path in self._uncommitted for path in paths):
            return replace(found, author="uncommitted edits")
        key = (since, paths)
        if key not in self._found:
            self._found[key] = self._look_up(since, paths)
        return replace(found, **self._found[key])  # type: ignore[arg-type]  # fields of Finding by name

    def _look_up(self, since: str | None, paths: tuple[str, ...]) -> dict[str, object]:
        if self._until is None or since is None:
            return {}
        commits = list(
            self._repository.log(since=since, until=self._until, paths=paths, limit=COUNTED_COMMITS)
        )
        return _fields(commits[0], len(commits)) if commits else {}


def _paths(found: Finding) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for path in (found.path, found.new_path) if path))


def _is_at(name: str, paths: Iterable[str]) -> bool:
    """Whether a file is one of the paths or lies below one."""
    return any(name == path or name.startswith(f"{path}/") for path in paths)


def _fields(last: Commit, count: int) -> dict[str, object]:
    return {
        "commit": last.oid,
        "author": last.author.name,
        "at": last.authored_at,
        "commits": count,
        "subject": last.subject,
    }
