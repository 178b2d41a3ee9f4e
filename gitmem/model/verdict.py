"""What the drift checker says of a memory (drift.md, table of verdicts)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    FRESH = "fresh"
    COSMETIC = "cosmetic"
    RELOCATED = "relocated"
    TOUCHED = "touched"
    CHANGED = "changed"
    REWRITTEN = "rewritten"
    GONE = "gone"
    UNKNOWN = "unknown"

    @property
    def severity(self) -> int:
        """Rank for "worst first"; unknown stands below what is challenged and above what is merely touched."""
        return _SEVERITY.index(self)


_SEVERITY = (
    Verdict.FRESH,
    Verdict.COSMETIC,
    Verdict.RELOCATED,
    Verdict.TOUCHED,
    Verdict.UNKNOWN,
    Verdict.CHANGED,
    Verdict.REWRITTEN,
    Verdict.GONE,
)
CHALLENGING = frozenset({Verdict.CHANGED, Verdict.REWRITTEN, Verdict.GONE})


class BaselineHow(StrEnum):
    """Where the baseline came from: a recorded commit, stored content, or the history of the memory's file."""

    RECORDED = "recorded"
    CONTENT = "content"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of evidence: what happened to one watch or one path.

    Args:
        verdict: The verdict of this piece alone.
        reason: A short clause for people: "signature changed", "renamed to X", "comments only".
        watch: Text form of the watch; None when a path of the scope changed that no watch names.
        path: Path at the baseline (or the new path of an addition).
        new_path: Where it is now, when it moved.
        share: Part of the old lines that are gone or replaced, 0 to 1; None when it cannot be measured.
        commit: The commit that did it; looked up for flagged memories only.
        author: Its author's name.
        at: Its date, RFC 3339.
        commits: How many commits touched the path since the baseline.
        subject: The commit's subject line.
    """

    verdict: Verdict
    reason: str
    watch: str | None = None
    path: str | None = None
    new_path: str | None = None
    share: float | None = None
    commit: str | None = None
    author: str | None = None
    at: str | None = None
    commits: int | None = None
    subject: str | None = None
