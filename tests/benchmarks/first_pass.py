"""Drift's first pass in process: one ``git ls-tree`` and the digests of all scopes, against that ``git ls-tree`` alone."""

from __future__ import annotations

import functools
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

from gitmem.drift.first_pass import affected, first_pass
from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.model.change import Change
from tests.benchmarks.measure import Arm, own_cpu, race, ratio_row, rounds
from tests.benchmarks.repositories import HistorySpec, history
from tests.benchmarks.rows import Row
from tests.support.repo import Repo, sealed_environment

LS_TREE = ("git", "ls-tree", "-r", "-t", "-z", "--full-tree", "HEAD")
AGAINST = "git ls-tree -r -t HEAD"


def rows(quick: bool) -> Iterator[Row]:
    files = 1_000 if quick else 5_000
    small, large = _repository(files), _repository(files * 4)
    times = rounds(quick) + 6
    figures = race(
        {
            "base": _listing_arm(small),
            "few": _arm(small, 100),
            "work": _arm(small, 1_000),
            "many": _arm(small, 10_000),
            "larger base": _listing_arm(large),
            "larger": _arm(large, 1_000),
            "moved": _affected_arm(small, 1_000),
        },
        rounds=times,
    )
    made = f"{files} files, scopes 40 % file, 30 % dir/**, 15 % dir/**/*.ext, 10 % dir/*.ext, 5 % **/name"
    yield ratio_row("first pass, 1,000 memories", AGAINST, 3.5, figures, detail=made)
    yield ratio_row("first pass, 100 memories", AGAINST, None, figures, arms=("few", "base"))
    yield ratio_row("first pass, memories × 10", "1,000 memories", 3.0, figures, arms=("many", "work"))
    yield ratio_row("first pass, files × 4", "the same on a quarter", 4.4, figures, arms=("larger", "work"))
    yield ratio_row(f"first pass, {files * 4} files", AGAINST, 3.5, figures, arms=("larger", "larger base"))
    yield ratio_row(
        "scopes affected by 10 changes, 1,000 memories", AGAINST, 0.5, figures, arms=("moved", "base")
    )


def _repository(files: int) -> Path:
    return history(HistorySpec(files=files, commits=50, span=20)).path


def _listing_arm(path: Path) -> Arm:
    return lambda: own_cpu(lambda: _list(path))


def _arm(path: Path, memories: int) -> Arm:
    specs = scopes(path, memories)
    return lambda: own_cpu(lambda: first_pass(_list(path), specs))


def _affected_arm(path: Path, memories: int) -> Arm:
    index = ScopeIndex(scopes(path, memories))
    changes = [_modified(name) for name in random.Random(3).sample(_paths(path), 10)]
    return lambda: own_cpu(lambda: affected(changes, index))


def _list(path: Path) -> bytes:
    environment = sealed_environment(path.parent)
    return subprocess.run(LS_TREE, cwd=path, env=environment, capture_output=True, check=True).stdout


def _modified(path: str) -> Change:
    return Change("modified", path, path, 0o100644, 0o100644, "0" * 40, "1" * 40)


@functools.cache
def _paths(path: Path) -> list[str]:
    return [name for name in Repo(path, init=False).git("ls-files", "-z").split("\0") if name]


def scopes(path: Path, count: int) -> list[ScopeSpec]:
    """Scopes around paths of the repository in the usual mix, the same ones each time."""
    draw = random.Random(count)
    return [ScopeSpec((_glob(draw, draw.choice(_paths(path))),)) for _ in range(count)]


def _glob(draw: random.Random, path: str) -> str:
    folder, _, name = path.rpartition("/")
    above = "/".join(folder.split("/")[: draw.randint(1, folder.count("/") + 1)])
    below, ending = (f"{above}/" if above else ""), name.rpartition(".")[2]
    at = draw.random()
    if at < 0.4:
        return path
    if at < 0.7:
        return f"{below}**"
    if at < 0.85:
        return f"{below}**/*.{ending}"
    if at < 0.95:
        return f"{folder}/*.{ending}" if folder else f"*.{ending}"
    return f"**/{name}"
