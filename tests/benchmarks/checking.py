"""One drift check in this process, as the command does it: load, decide, return values; no report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.model.verdict import DriftReport


def check_drift(path: Path) -> DriftReport:
    """Judge every memory at HEAD of a repository."""
    from gitmem.git.opening import open_repository
    from gitmem.usecases.checking import check

    with open_repository(path) as repository:
        return check(repository)


def verdicts(path: Path) -> str:
    """How many memories got which verdict, for the detail of a row: ``1000 fresh``."""
    counted = Counter(str(one.verdict) for one in check_drift(path).judgements)
    return ", ".join(f"{count} {verdict}" for verdict, count in sorted(counted.items())) or "nothing judged"
