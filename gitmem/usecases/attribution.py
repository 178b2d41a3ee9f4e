"""Who changed what challenges a memory: looked up for flagged findings only (drift.md, step 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gitmem.git.interface import Repository
from gitmem.model.verdict import CHALLENGING, Finding

COUNTED_COMMITS = 200
ATTRIBUTED = 6
"""Findings of one memory that are looked up; the rest stands without a name."""


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
        self._found: dict[tuple[str | None, tuple[str, ...]], dict[str, object]] = {}

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
        paths = tuple(dict.fromkeys(path for path in (found.path, found.new_path) if path))
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
        if not commits:
            return {}
        last = commits[0]
        return {
            "commit": last.oid,
            "author": last.author.name,
            "at": last.authored_at,
            "commits": len(commits),
            "subject": last.subject,
        }
