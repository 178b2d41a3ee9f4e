"""Memories with recorded validations, made through the library's own functions: one commit on top of a history.

Scopes are mixed as in real stores: 40 % one file, 30 % ``folder/**``, 15 % ``folder/**/*.ext``, 10 % ``folder/*.ext``,
5 % ``**/name``. Each memory watches one definition inside its scope and was validated at one of the baselines.
"""

from __future__ import annotations

import functools
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tests.benchmarks.repositories import History, Step, copy, fast_import
from tests.benchmarks.sources import Source, definition
from tests.support.repo import Repo

if TYPE_CHECKING:
    from gitmem.model.memory import Memory
    from gitmem.usecases.views import CommitView

FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
KIND_OF_WATCH = {"yaml": "key", "json": "key", "md": "file"}


@dataclass(frozen=True, slots=True)
class Note:
    """A memory to write: what it is about, where it is delivered, and which baseline it was validated at."""

    id: str
    source: Source
    function: str
    scope: str
    baseline: str

    @property
    def file(self) -> str:
        return f".ai/memory/{self.source.path.split('/')[1]}/{self.id}.yaml"

    def text(self) -> str:
        """Its file."""
        kind = KIND_OF_WATCH.get(self.source.extension, "symbol") if self.function else "file"
        about = f"`{self.function}`" if self.function else "it"
        place = f"#{definition(self.source, self.function)}" if kind != "file" else ""
        target = self.source.path + place
        return (
            f"id: {self.id}\ntitle: {json.dumps(f'Rule {self.id}')}\nkind: pitfall\n"
            f"type: module_constraint\nstatus: active\n"
            f"summary: {json.dumps(f'Here {about} skips heavier items; callers count on that.')}\n"
            f"scope:\n  paths:\n    - {json.dumps(self.scope)}\nwatch:\n  - {kind}: {json.dumps(target)}\n"
            f"created_at: 2026-01-01\ncreated_by: ada\n"
        )


def notes(history: History, count: int, baselines: int, seed: int = 7) -> list[Note]:
    """`count` memories about cold files, spread evenly over the baselines."""
    rng = random.Random(seed)
    commits = history.baselines(baselines)
    names = Counter(PurePosixPath(source.path).name for source in (*history.hot, *history.cold))
    single = [source for source in history.cold if names[PurePosixPath(source.path).name] == 1]
    return [
        _note(rng, f"m-{number:05d}", history.cold, single, commits[number % len(commits)])
        for number in range(count)
    ]


def _note(
    rng: random.Random, identity: str, sources: Sequence[Source], single: Sequence[Source], baseline: str
) -> Note:
    shape = rng.random()
    source = rng.choice(single if shape >= 0.95 and single else sources)
    return Note(identity, source, rng.choice(source.functions), scope_of(source, shape), baseline)


def scope_of(source: Source, shape: float) -> str:
    """Glob of a shape drawn from 0 to 1, so that the mix is the module's."""
    if shape < 0.40:
        return source.path
    if shape < 0.70:
        return f"{source.folder}/**"
    if shape < 0.85:
        return f"{source.folder}/**/*.{source.extension}"
    if shape < 0.95:
        return f"{source.folder}/*.{source.extension}"
    return f"**/{PurePosixPath(source.path).name}"


@dataclass(frozen=True, slots=True)
class Store:
    """A repository with memories.

    Args:
        path: Its work tree.
        notes: The memories on main.
        code: The commit before the memories, so that git's arms do not compare the memories themselves.
        hot: Sources that a later commit may change without touching a memory.
    """

    path: Path
    notes: tuple[Note, ...]
    code: str
    hot: tuple[Source, ...] = ()

    @property
    def baselines(self) -> list[str]:
        """The distinct commits that memories were validated at."""
        return list(dict.fromkeys(note.baseline for note in self.notes))

    def commit(self, number: int) -> None:
        """Commit a change of two files that no memory rests on, another for each number."""
        changed = tuple(source.changed(number, number) for source in self.hot[:2])
        texts = () if changed else tuple((name, f"{number}\n") for name in ("touched-1.txt", "touched-2.txt"))
        fast_import(self.path, [Step(changed, texts=texts)])


@functools.cache
def with_memories(history: History, count: int, baselines: int) -> Store:
    """A copy of the repository whose main holds the memories and their validations."""
    path = copy(history, f"memories-{count}-{baselines}")
    made = notes(history, count, baselines)
    add_notes(path, made)
    return Store(path, tuple(made), history.commits[-1], history.hot)


def add_notes(path: Path, made: Sequence[Note]) -> None:
    """Commit the memories with their validations on main."""
    files = {note.file: note.text() for note in made}
    fast_import(path, [Step(texts=tuple({**files, **validations(path, made)}.items()))])
    Repo(path, init=False).git("reset", "-q", "--hard", "main")


def validations(path: Path, made: Sequence[Note]) -> dict[str, str]:
    """Path and text of one validation a memory.

    What a memory rests on is the same at its baseline and at HEAD, so marks and scope are read once, at HEAD.
    """
    from gitmem.git.opening import open_repository
    from gitmem.usecases.contents import Contents
    from gitmem.usecases.views import CommitView

    with open_repository(path) as repository:
        head = repository.head()
        assert head is not None
        view = CommitView(repository, head, Contents(repository))
        view.preload(note.source.path for note in made)
        trees = {commit: repository.tree_of(commit) for commit in {note.baseline for note in made}}
        return dict(_validated(note, view, trees[note.baseline]) for note in made)


def _validated(note: Note, view: CommitView, tree: str | None) -> tuple[str, str]:
    from gitmem.drift.marks import capture
    from gitmem.model.validation import Baseline, Validation
    from gitmem.store.validations import format_validation, validation_path
    from gitmem.usecases.rewording import words_digest
    from gitmem.usecases.subjects import spec_of

    memory = _parsed(note)
    spec = spec_of(memory.scope.paths)
    marks = capture(memory.watch or (), view, view.matched_paths(spec))
    baseline = Baseline(commit=note.baseline, tree=tree, scope=view.match(spec).digest, marks=marks)
    at = FIRST_DAY + timedelta(hours=int(note.id[2:]))
    validation = Validation(note.id, at, "ada", text=words_digest(memory), baseline=baseline)
    return validation_path(note.id, at, "00000"), format_validation(validation).decode()


def _parsed(note: Note) -> Memory:
    from gitmem.store.memories import parse_memory

    parsed = parse_memory(note.file, note.text().encode())
    assert parsed.memory is not None, parsed
    return parsed.memory
