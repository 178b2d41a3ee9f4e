"""From where a memory is judged, and what a close look found from there."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.drift.grading import Grade
from gitmem.model.validation import Mark
from gitmem.model.verdict import BaselineHow


@dataclass(frozen=True, slots=True)
class Ground:
    """From where a memory is judged.

    Args:
        tree: Commit or tree whose content is the baseline; None when only stored marks remain, or nothing.
        how: Where it came from; None when there is nothing.
        reason: Why there is nothing; empty otherwise.
        doubt: Why nothing but a challenge is told from there: nobody confirmed these words. Empty otherwise.
        earlier: From where it was judged before its statement was written anew; None when it was not.
    """

    tree: str | None
    how: BaselineHow | None
    reason: str = ""
    doubt: str = ""
    earlier: Ground | None = None


@dataclass(frozen=True, slots=True)
class Looked:
    """What a close look found on one memory.

    Args:
        grade: Verdict and evidence.
        ground: From where.
        matched: How many paths of the judged tree the scope matches.
        marks: What its watches held at the baseline.
    """

    grade: Grade
    ground: Ground
    matched: int
    marks: tuple[Mark, ...] = ()
