"""The brief that a session begins with: warm, one commit later, cold."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from tests.benchmarks.measure import BASE, Arm, base, command_cpu, gitmem_program, race, ratio_row, rounds
from tests.benchmarks.memories import with_memories
from tests.benchmarks.repositories import HistorySpec, history
from tests.benchmarks.rows import Row
from tests.support.repo import Repo

MEMORIES = 1_000
BASELINES = 50
WARM, LATER, COLD = 0.35, 0.45, 5.0
TASK = ("--task", "resolve the wallet of a user in the parser")


def rows(quick: bool) -> Iterator[Row]:
    spec = HistorySpec(commits=2_000, span=1_500) if quick else HistorySpec()
    made = with_memories(history(spec), MEMORIES, BASELINES)
    detail = f"whole process, {spec.files} files, {spec.commits} commits"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(made.path, Path(folder) / "repo", symlinks=True)
        repo = Repo(Path(folder) / "repo", init=False)
        repo.git("update-index", "-q", "--refresh")
        yield from _rows(repo, TASK, f"brief for a task, {MEMORIES} memories", detail, rounds(quick))
        _begin(repo.path)
        detail += "; what is not committed is told too, which takes git a look at each file"
        yield from _rows(repo, (), f"brief of a run, {MEMORIES} memories", detail, rounds(quick))


def _begin(path: Path) -> None:
    with RunLedger(open_repository(path)) as ledger:
        run = ledger.run("run-1")
        goal = {"task": "wallet", "goal": "Resolve the wallet of a user in the parser"}
        run.append(event_type="task_created", actor="human", payload=goal)
        ledger.set_current(run)


def _rows(repo: Repo, arguments: tuple[str, ...], work: str, detail: str, times: int) -> Iterator[Row]:
    brief = functools.partial(command_cpu, [gitmem_program(), "brief", *arguments], cwd=repo.path)
    arms: dict[str, tuple[Arm, float]] = {
        "warm": (brief, WARM),
        "one commit later": (_after_a_commit(repo, brief), LATER),
        "cold": (_without_cache(repo.path, brief), COLD),
    }
    for name, (arm, goal) in arms.items():
        brief()
        figures = race({"work": arm, "base": base}, rounds=1 if name == "cold" else times)
        yield ratio_row(f"{work}, {name}", BASE, goal, figures, detail=detail)


def _after_a_commit(repo: Repo, brief: Arm) -> Arm:
    numbers = count()

    def later() -> float:
        number = next(numbers)
        repo.commit(f"Change {number}", {"pyproject.toml": f"# {number}\n"})
        return brief()

    return later


def _without_cache(path: Path, brief: Arm) -> Arm:
    def cold() -> float:
        for file in (path / ".git" / "gitmem" / "cache").glob("*.*"):
            file.unlink()
        return brief()

    return cold
