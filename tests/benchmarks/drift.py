"""Drift: what a check costs when nothing has to be looked at closely, and how that grows."""

from __future__ import annotations

import functools
import itertools
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.checking import check_drift, verdicts
from tests.benchmarks.measure import (
    BASE,
    Arm,
    base,
    command_cpu,
    gitmem_program,
    own_cpu,
    race,
    ratio_row,
    rounds,
)
from tests.benchmarks.memories import Note, Store, with_memories
from tests.benchmarks.real_clone import clone_named, real_store
from tests.benchmarks.repositories import History, HistorySpec, history
from tests.benchmarks.rows import Row
from tests.support.repo import Repo

MEMORIES = 1_000
BASELINES = 50
SAMPLE = 60
DIFF = "one git diff --quiet a memory"
DIFF_TREE = "one git diff-tree --stdin -r over the baselines"
LS_TREE = "git ls-tree -r -t HEAD"


def rows(quick: bool) -> Iterator[Row]:
    spec = HistorySpec(commits=2_000, span=1_500) if quick else HistorySpec()
    made = history(spec)
    store = with_memories(made, MEMORIES, BASELINES)
    sizes = f"{verdicts(store.path)}; {BASELINES} baselines, {spec.files} files, {spec.commits} commits"
    yield from _against_git(store, "generated", sizes, rounds(quick))
    yield from _whole_process(store, "generated", sizes, rounds(quick))
    yield from _growth(made, store, spec, rounds(quick))
    clone = clone_named()
    if clone is not None:
        store = real_store(clone, MEMORIES, BASELINES)
        sizes = f"{verdicts(store.path)}; {BASELINES} baselines, {clone.parent.name}"
        yield from _against_git(store, "real clone", sizes, rounds(quick))
        yield from _whole_process(store, "real clone", sizes, rounds(quick))


def _against_git(store: Store, where: str, sizes: str, times: int) -> Iterator[Row]:
    path = store.path
    arms: dict[str, Arm] = {
        "work": _commit_and_check(store),
        "again": functools.partial(_checked, path),
        "diff": _diff_arm(store),
        "diff-tree": diff_tree_arm(path, store.baselines, store.code),
        "ls-tree": lambda: command_cpu(["git", "ls-tree", "-r", "-t", "HEAD"], cwd=path),
    }
    figures = race(arms, rounds=times)
    work = f"drift, nothing to look at (in process), {where}"
    for against, arm, goal in (
        (DIFF, "diff", 0.02),
        (DIFF_TREE, "diff-tree", 0.10),
        (LS_TREE, "ls-tree", 3.5),
    ):
        yield ratio_row(
            work, against, goal, figures, arms=("work", arm), detail=f"HEAD not seen before; {sizes}"
        )
    yield ratio_row(
        f"{work}, the same HEAD again", LS_TREE, None, figures, arms=("again", "ls-tree"), detail=sizes
    )


def _diff_arm(store: Store) -> Arm:
    """A sample of the memories, scaled up."""
    sample = random.Random(3).sample(store.notes, SAMPLE)

    def arm() -> float:
        return sum(_diff(store.path, note, store.code) for note in sample) * len(store.notes) / len(sample)

    return arm


def _diff(path: Path, note: Note, code: str) -> float:
    scope = f":(glob){note.scope}"
    return command_cpu(["git", "diff", "--quiet", note.baseline, code, "--", scope], cwd=path)


def diff_tree_arm(path: Path, baselines: list[str], code: str, *options: str) -> Arm:
    """One ``git diff-tree --stdin`` that compares every baseline's tree with the tree of `code`."""
    repo = Repo(path, init=False)
    trees = repo.git("rev-parse", *(f"{commit}^{{tree}}" for commit in (*baselines, code))).split()
    pairs = "".join(f"{tree} {trees[-1]}\n" for tree in trees[:-1]).encode()
    return lambda: command_cpu(["git", "diff-tree", "--stdin", "-r", *options], cwd=path, stdin=pairs)


def _whole_process(store: Store, where: str, sizes: str, times: int) -> Iterator[Row]:
    path, program = store.path, [gitmem_program(), "drift"]

    def cold() -> float:
        forget(path)
        return command_cpu(program, cwd=path)

    # in this order: the cold arm leaves the cache that the others find
    arms: dict[str, Arm] = {
        "cold": cold,
        "work": _after_a_commit(store, lambda: command_cpu(program, cwd=path)),
        "again": lambda: command_cpu(program, cwd=path),
        "base": base,
    }
    figures = race(arms, rounds=times)
    work = f"gitmem drift, whole process, {where}"
    yield ratio_row(work, BASE, 1.2, figures, detail=f"HEAD not seen before; {sizes}")
    for arm, what in (("again", "the same HEAD again"), ("cold", "no cache")):
        yield ratio_row(f"{work}, {what}", BASE, None, figures, arms=(arm, "base"), detail=sizes)


def forget(path: Path) -> None:
    """Delete gitmem's cache of a repository."""
    shutil.rmtree(path / ".git" / "gitmem", ignore_errors=True)


def _growth(made: History, store: Store, spec: HistorySpec, times: int) -> Iterator[Row]:
    wide_history = history(replace(spec, files=spec.files * 4, commits=spec.span + 500))
    wide = with_memories(wide_history, MEMORIES, BASELINES)
    yield _grown("baselines 5 → 50", 1.2, with_memories(made, MEMORIES, 5), store, times)
    many = with_memories(made, MEMORIES * 10, BASELINES)
    yield _grown("memories × 10", 3, store, many, times)
    yield _grown_whole("memories × 10", 3, store, many, times)
    yield _grown_whole("memories × 10, each told", None, store, many, times, "--json")
    yield _grown("tree × 4, each after a commit of two files", 4, store, wide, times)


def _grown(what: str, goal: float, small: Store, large: Store, times: int) -> Row:
    arms = {"base": _commit_and_check(small), "work": _commit_and_check(large)}
    return ratio_row(f"drift growth: {what}", "the smaller one", goal, race(arms, rounds=times))


def _grown_whole(what: str, goal: float | None, small: Store, large: Store, times: int, *options: str) -> Row:
    """With the report, which most answers cut short: of fresh memories they tell the number."""
    program = [gitmem_program(), "drift", *options]
    arms = {
        name: _after_a_commit(store, functools.partial(command_cpu, program, cwd=store.path))
        for name, store in (("base", small), ("work", large))
    }
    return ratio_row(
        f"drift growth, whole process: {what}", "the smaller one", goal, race(arms, rounds=times)
    )


def _checked(path: Path) -> float:
    return own_cpu(functools.partial(check_drift, path))


def _commit_and_check(store: Store) -> Arm:
    return _after_a_commit(store, functools.partial(_checked, store.path))


_NUMBERS = itertools.count()


def _after_a_commit(store: Store, arm: Arm) -> Arm:
    """The arm on a HEAD that was never judged; making that commit is not measured."""

    def run() -> float:
        store.commit(next(_NUMBERS))
        return arm()

    return run
