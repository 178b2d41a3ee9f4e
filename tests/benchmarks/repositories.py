"""Seeded repositories for the benchmarks: a long history by ``git fast-import``.

The later part of the history touches only the *hot* components; memories about the cold ones rest on nothing that
changed since any baseline, while every baseline's root tree differs from HEAD's.
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.sources import Source, project
from tests.support.repo import Repo

VERSION = 1
"""Raised when the same spec makes another repository, so that kept ones are not taken for it."""
START = 1_700_000_000
MARKS = "benchmark-marks"


@dataclass(frozen=True, slots=True)
class HistorySpec:
    """What repository to make.

    Args:
        files: Files of the first commit; their number stays the same.
        commits: Commits in all, one to three files each.
        span: The last commits, which touch hot components only.
        hot: Share of the components that are hot.
        seed: Another seed is another repository of the same shape.
    """

    files: int = 5_000
    commits: int = 50_000
    span: int = 5_000
    hot: float = 0.6
    seed: int = 1


@dataclass(frozen=True, slots=True)
class History:
    """A made repository.

    Args:
        path: Work tree.
        commits: Ids, oldest first.
        span: As in the spec.
        hot: Sources of the components that the later history touches, as HEAD has them.
        cold: The others.
    """

    path: Path
    commits: tuple[str, ...]
    span: int
    hot: tuple[Source, ...]
    cold: tuple[Source, ...]

    def baselines(self, count: int) -> list[str]:
        """Commits spread evenly over the span, HEAD excluded."""
        first = len(self.commits) - self.span
        return [self.commits[first + number * (self.span - 1) // count] for number in range(count)]


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to make.

    Args:
        files: Sources written as they are.
        renames: (old path, new path), done first.
        texts: (path, content) of other files.
    """

    files: tuple[Source, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()


@functools.cache
def kept_folder() -> Path:
    """Where repositories are made: GITMEM_BENCHMARKS_DIR, kept; else a temporary folder of this process."""
    named = os.environ.get("GITMEM_BENCHMARKS_DIR")
    if named:
        Path(named).mkdir(parents=True, exist_ok=True)
        return Path(named).resolve()
    _temporary.append(tempfile.TemporaryDirectory(prefix="gitmem-benchmarks-"))
    return Path(_temporary[0].name)


_temporary: list[tempfile.TemporaryDirectory[str]] = []
"""Held until the process ends; its finalizer deletes the folder."""


@functools.cache
def history(spec: HistorySpec) -> History:
    """The repository of a spec, made once a process or found in the kept folder."""
    path = kept_folder() / f"history-v{VERSION}-{'-'.join(str(value) for value in asdict(spec).values())}"
    marks = path / ".git" / MARKS
    rng = random.Random(f"{VERSION} {spec}")
    hot, cold = _components(rng, spec)
    steps = _steps(rng, spec, hot, cold)
    if marks.exists():
        for _ in steps:
            pass
    else:
        shutil.rmtree(path, ignore_errors=True)
        repo = Repo(path)
        fast_import(path, steps)
        # packed as a server packs it: fast-import finds few deltas, so that reading would cost less than in a clone
        repo.git("repack", "-adfq", "--depth=50", "--window=10")
        repo.git("reset", "-q", "--hard", "main")
    return History(path, _read_marks(marks), spec.span, tuple(hot), tuple(cold))


def _components(rng: random.Random, spec: HistorySpec) -> tuple[list[Source], list[Source]]:
    components = [sources for _, sources in project(rng, spec.files)]
    rng.shuffle(components)
    cut = round(len(components) * spec.hot)
    return (
        list(itertools.chain.from_iterable(components[:cut])),
        list(itertools.chain.from_iterable(components[cut:])),
    )


def _steps(rng: random.Random, spec: HistorySpec, hot: list[Source], cold: list[Source]) -> Iterator[Step]:
    """The history; `hot` and `cold` hold HEAD's sources when it is through."""
    yield Step((*hot, *cold))
    for number in range(1, spec.commits):
        early = number < spec.commits - spec.span
        yield Step(tuple(_edit(rng, hot, cold, early=early) for _ in range(rng.choice((1, 1, 2, 3)))))


def _edit(rng: random.Random, hot: list[Source], cold: list[Source], *, early: bool) -> Source:
    sources = cold if early and rng.random() < 0.4 else hot
    which = rng.randrange(len(sources))
    sources[which] = sources[which].changed(rng.randrange(7), rng.randrange(10_000))
    return sources[which]


def fast_import(path: Path, steps: Iterable[Step]) -> None:
    """Append commits to main of a repository; the work tree is left alone, marks go to ``.git/benchmark-marks``."""
    repo = Repo(path, init=False)
    tip = repo.git("rev-parse", "-q", "--verify", "refs/heads/main", check=False)
    process = subprocess.Popen(
        ["git", "fast-import", "--quiet", f"--export-marks={path / '.git' / MARKS}"],
        cwd=path,
        env=repo.environment,
        stdin=subprocess.PIPE,
    )
    assert process.stdin is not None
    for mark, step in enumerate(steps, 1):
        process.stdin.write(_commit(mark, step, tip if mark == 1 else ""))
    process.stdin.close()
    if process.wait():
        raise AssertionError(f"git fast-import ended with {process.returncode}")


def _commit(mark: int, step: Step, tip: str) -> bytes:
    contents = [*((source.path, source.text()) for source in step.files), *step.texts]
    touched = contents[0][0] if contents else step.renames[0][1]
    head = (
        f"commit refs/heads/main\nmark :{mark}\n"
        f"committer Ada Tester <ada@example.org> {START + mark * 600} +0900\n"
    )
    lines = [head.encode(), _data(f"Change {touched}\n")]
    if tip:
        lines.append(f"from {tip}\n".encode())
    lines.extend(f"R {old} {new}\n".encode() for old, new in step.renames)
    for path, text in contents:
        lines.extend((f"M 100644 inline {path}\n".encode(), _data(text)))
    return b"".join(lines)


def _data(text: str) -> bytes:
    content = text.encode()
    return b"data %d\n%s\n" % (len(content), content)


def _read_marks(marks: Path) -> tuple[str, ...]:
    numbered = (line.split() for line in marks.read_text(encoding="ascii").splitlines())
    return tuple(oid for _, oid in sorted((int(mark[1:]), oid) for mark, oid in numbered))


def copy(history: History, name: str) -> Path:
    """A full local copy without a remote, named anew; its objects are shared by hard links."""
    path = kept_folder() / f"{history.path.name}-{name}"
    shutil.rmtree(path, ignore_errors=True)
    repo = Repo(path.parent, init=False)
    repo.git("clone", "-q", "--local", str(history.path), str(path))
    Repo(path, init=False).git("remote", "remove", "origin")
    return path


def listing(repo: Repo, commit: str) -> list[tuple[str, str]]:
    """(path, object id) of every file of a commit, in git's order."""
    rows = repo.git("ls-tree", "-r", "-z", commit).split("\0")
    split: Iterable[Sequence[str]] = (row.partition("\t")[::2] for row in rows if row)
    return [(path, head.split()[2]) for head, path in split]
