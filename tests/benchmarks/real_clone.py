"""Memories on a real clone: scopes drawn from its paths, among those that hold the same at their baseline and now."""

from __future__ import annotations

import functools
import itertools
import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath

from tests.benchmarks.judged import read_from
from tests.benchmarks.memories import Note, Store, add_notes, scope_of
from tests.benchmarks.repositories import kept_folder
from tests.benchmarks.sources import Source
from tests.support.repo import Repo

SPAN = 5_000
SHAPES = (0.2,) * 8 + (0.5,) * 6 + (0.8,) * 3 + (0.9,) * 2 + (0.97,)
"""Twenty draws in the proportions of `gitmem`'s generated stores; see `tests.benchmarks.memories`."""


def clone_named() -> Path | None:
    """The git directory that GITMEM_BENCHMARKS_CLONE names; None when it names none."""
    named = os.environ.get("GITMEM_BENCHMARKS_CLONE")
    return Path(named).resolve() if named else None


@functools.cache
def real_store(bare: Path, count: int, baselines: int) -> Store:
    """A work tree that reads the clone's objects, with memories on main."""
    path = kept_folder() / f"real-{bare.parent.name}-{count}-{baselines}"
    shutil.rmtree(path, ignore_errors=True)
    repo = read_from(path, bare)
    head = Repo(bare, init=False).git("rev-parse", "HEAD")
    repo.git("update-ref", "refs/heads/main", head)
    commits = repo.git("rev-list", "--first-parent", f"--max-count={SPAN}", head).split()[1:]
    chosen = [commits[number * len(commits) // baselines] for number in range(baselines)]
    made: list[Note] = []
    for number, commit in enumerate(chosen):
        wanted = count // baselines + (number < count % baselines)
        made.extend(islice(_settled(path, repo, head, commit, len(made)), wanted))
    add_notes(path, made)
    return Store(path, tuple(made), head)


def _settled(path: Path, repo: Repo, head: str, commit: str, first: int) -> Iterator[Note]:
    """Memories validated at a commit whose scope holds the same at HEAD."""
    from gitmem.git.opening import open_repository
    from gitmem.usecases.contents import Contents
    from gitmem.usecases.subjects import spec_of
    from gitmem.usecases.views import CommitView

    candidates = list(islice(_candidates(repo, head, commit, first), 2_000))
    with open_repository(path) as repository:
        contents = Contents(repository)
        then, now = (CommitView(repository, one, contents) for one in (commit, head))
        specs = [spec_of((note.scope,)) for note in candidates]
        unchanged = [then.match(spec).digest == now.match(spec).digest for spec in specs]
    same = itertools.compress(candidates, unchanged)
    for number, note in enumerate(same, first):
        yield Note(f"m-{number:05d}", note.source, "", note.scope, commit)


def _candidates(repo: Repo, head: str, commit: str, seed: int) -> Iterator[Note]:
    rng = random.Random(seed)
    listed = (set(repo.git("ls-tree", "-r", "-z", one).split("\0")) for one in (commit, head))
    same = sorted(row.partition("\t")[2] for row in set.intersection(*listed) if " blob " in row)
    names = Counter(PurePosixPath(path).name for path in same)
    single = [path for path in same if names[PurePosixPath(path).name] == 1]
    while True:
        shape = rng.choice(SHAPES)
        source = Source(rng.choice(single if shape > 0.95 else same), (), ())
        if "/" in source.path and not set("*?[]{}\\") & set(source.path):
            yield Note("", source, "", scope_of(source, shape), commit)
