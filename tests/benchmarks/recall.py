"""Recall: what a whole process costs when nothing has changed since the last one."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.measure import BASE, Arm, base, command_cpu, gitmem_program, race, ratio_row, rounds
from tests.benchmarks.memories import with_memories
from tests.benchmarks.repositories import HistorySpec, history
from tests.benchmarks.rows import Row

SIZES = ((1_000, 0.80), (10_000, 0.90))
BASELINES = 50
QUERY = "resolve the wallet of a user in the parser"


def rows(quick: bool) -> Iterator[Row]:
    spec = HistorySpec(commits=2_000, span=1_500) if quick else HistorySpec()
    made = history(spec)
    for count, goal in SIZES[:1] if quick else SIZES:
        path = with_memories(made, count, BASELINES).path
        figures = race({"work": _recall(path), "base": base}, rounds=rounds(quick))
        detail = f"whole process, {spec.files} files, {spec.commits} commits"
        yield ratio_row(f"recall among {count} memories, warm", BASE, goal, figures, detail=detail)
        cold = race({"work": _cold(path), "base": base}, rounds=1)
        yield ratio_row(f"recall among {count} memories, cold index", BASE, None, cold, detail=detail)


def _recall(path: Path) -> Arm:
    return functools.partial(command_cpu, [gitmem_program(), "recall", QUERY], cwd=path)


def _cold(path: Path) -> Arm:
    warm = _recall(path)

    def recall() -> float:
        for file in (path / ".git" / "gitmem" / "cache").glob("*.sqlite"):
            file.unlink()
        return warm()

    return recall
