"""What a test command reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

COUNTS = ("passed", "failed", "errors", "skipped")
MOST_NAMES = 2000
LONGEST_NAME = 400
LONGEST_REASON = 300


class FailingTest(NamedTuple):
    """One test that failed.

    Args:
        name: As the tool names it.
        reason: First line of why, when the tool tells.
        file: Path of its file as the tool tells it, or empty.
    """

    name: str
    reason: str = ""
    file: str = ""


class Outcome(NamedTuple):
    """What one tool reported.

    Args:
        tool: ``pytest``, ``unittest``, ``go``, ``cargo``, ``jest``, ``tap`` or ``junit``; empty when none was recognised.
        failing: Tests that failed, and files that could not even be collected.
        passing: Names of tests that passed, where the output lists them.
        counts: ``passed``, ``failed``, ``errors``, ``skipped``, those that are told.
        crash: The line that says that the tool itself failed: its usage, configuration or own code.
    """

    tool: str = ""
    failing: tuple[FailingTest, ...] = ()
    passing: tuple[str, ...] = ()
    counts: Mapping[str, int] = {}
    crash: str = ""

    @property
    def ran(self) -> bool:
        """Whether tests are known to have run."""
        return bool(self.failing or self.passing or any(self.counts.get(name) for name in COUNTS))


NOTHING = Outcome()
"""What is known of a command whose output nobody recognised."""


def outcome(
    tool: str,
    failing: Iterable[FailingTest],
    passing: Iterable[str] = (),
    counts: Mapping[str, int] | None = None,
    crash: str = "",
) -> Outcome:
    """An outcome with each test once (the first reason and file told count) and nothing too long."""
    merged: dict[str, FailingTest] = {}
    for one in failing:
        name = one.name[:LONGEST_NAME]
        before = merged.get(name, FailingTest(name))
        reason = before.reason or one.reason.strip()[:LONGEST_REASON]
        merged[name] = FailingTest(name, reason, before.file or one.file)
        if len(merged) >= MOST_NAMES:
            break
    passed = dict.fromkeys(name[:LONGEST_NAME] for name in passing if name not in merged)
    told = {name: count for name, count in (counts or {}).items() if count or name in {"passed", "failed"}}
    return Outcome(
        tool, tuple(merged.values()), tuple(passed)[:MOST_NAMES], told, crash.strip()[:LONGEST_REASON]
    )
