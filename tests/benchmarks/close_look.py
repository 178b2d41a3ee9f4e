"""Drift's close look: marks, cosmetic comparison and relocation of memories whose code was touched."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from tests.benchmarks.checking import check_drift, verdicts
from tests.benchmarks.drift import diff_tree_arm, forget
from tests.benchmarks.measure import Arm, command_cpu, own_cpu, race, ratio_row, rounds
from tests.benchmarks.memories import Note, add_notes, notes
from tests.benchmarks.repositories import History, HistorySpec, Step, copy, fast_import, history
from tests.benchmarks.rows import Row
from tests.benchmarks.sources import Source
from tests.support.repo import Repo

TOUCHED = 100
BASELINES = 50
AGAINST = "git diff-tree -r -M over the baselines + git cat-file --batch of the blobs"


def rows(quick: bool) -> Iterator[Row]:
    made = history(HistorySpec(commits=2_000, span=1_500) if quick else HistorySpec())
    path = copy(made, "close-look")
    touched = _distinct(made)
    add_notes(path, touched)
    step = _touch(touched)
    old = _blobs(path, [note.source.path for note in touched])
    fast_import(path, [step])
    new = _blobs(path, [*(source.path for source in step.files), *(there for _, there in step.renames)])
    baselines = sorted({note.baseline for note in touched})
    arms: dict[str, Arm] = {
        "work": functools.partial(_cold_check, path),
        "base": _git_arm(path, baselines, [*old, *new]),
    }
    detail = f"{verdicts(path)}; {len(baselines)} baselines; the whole check without a cache"
    figures = race(arms, rounds=rounds(quick))
    yield ratio_row("drift close look (in process)", AGAINST, 5, figures, detail=detail)


def _distinct(made: History) -> list[Note]:
    """Memories about one file each, no file twice."""
    by_path = {note.source.path: note for note in notes(made, TOUCHED * 4, BASELINES)}
    chosen = list(by_path.values())[:TOUCHED]
    return [replace(note, id=f"m-{number:05d}", scope=note.source.path) for number, note in enumerate(chosen)]


def _touch(touched: list[Note]) -> Step:
    """A quarter each: the watched function, another function, a comment, a new place."""
    files: list[Source] = []
    renames: list[tuple[str, str]] = []
    for number, note in enumerate(touched):
        watched = note.source.functions.index(note.function)
        match number % 4:
            case 0:
                files.append(note.source.changed(watched, 12_345))
            case 1:
                files.append(note.source.changed(watched + 1, 12_345))
            case 2:
                files.append(replace(note.source, remark="Limits were measured once and are kept."))
            case _:
                path = PurePosixPath(note.source.path)
                renames.append((note.source.path, f"{path.parent}/moved/{path.name}"))
    return Step(tuple(files), tuple(renames))


def _blobs(path: Path, files: list[str]) -> list[str]:
    rows = Repo(path, init=False).git("ls-tree", "-r", "main", "--", *files).splitlines()
    return [row.split()[2] for row in rows]


def _cold_check(path: Path) -> float:
    forget(path)
    return own_cpu(lambda: check_drift(path))


def _git_arm(path: Path, baselines: list[str], blobs: list[str]) -> Arm:
    diff_tree = diff_tree_arm(path, baselines, "HEAD", "-M")
    asked = "\n".join(blobs).encode()

    def arm() -> float:
        return diff_tree() + command_cpu(["git", "cat-file", "--batch"], cwd=path, stdin=asked)

    return arm
