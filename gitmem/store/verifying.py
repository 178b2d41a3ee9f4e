"""Checking a run: refs, commits, events, artifacts, order and cached fold. Problems are values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.event_commits import list_folder
from gitmem.git.program import ProgramRepository
from gitmem.git.several_refs import list_refs
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE
from gitmem.model.event import Event
from gitmem.model.ids import is_run_id
from gitmem.model.run import fold
from gitmem.store.archive import damaged_ref
from gitmem.store.judging import LedgerProblem, located
from gitmem.store.large import held_blobs, parse_pointer, read_content
from gitmem.store.run_cache import load_folded
from gitmem.store.run_reading import ARTIFACTS, Reading, moved_back, read_run, run_prefix
from gitmem.store.tree_check import TreeCheck

_REGULAR = frozenset({MODE_FILE, MODE_EXECUTABLE})


class Verification(NamedTuple):
    """What was checked, and what is wrong.

    Args:
        checked: Events that were read and taken.
        problems: Sorted.
    """

    checked: int
    problems: tuple[LedgerProblem, ...]

    @property
    def ok(self) -> bool:
        return not self.problems


def verify_run(repository: ProgramRepository, run: str) -> Verification:
    """Check everything that a run holds; nothing is written."""
    reading = read_run(repository, run)
    problems = {
        *reading.problems,
        *_refs(repository, run),
        *_swapped(repository, run, reading),
        *_cut(run, reading.cut),
        *_trees(repository, run, reading.events),
        *_artifacts(repository, run, reading.events),
        *_fold(repository, run, reading),
    }
    return Verification(len(reading.events), tuple(sorted(located(problems, reading.tips, reading.nodes))))


def _refs(repository: ProgramRepository, run: str) -> Iterator[LedgerProblem]:
    prefix = run_prefix(run)
    listed = list_refs(repository, prefix)
    for ref, why in listed.damaged.items():
        yield damaged_ref(ref, why)
    for ref, oid in listed.refs.items():
        if not is_run_id(ref.removeprefix(prefix)):
            yield LedgerProblem(ref, oid, "bad_name", f"{ref!r} is not the ref of a writer")


def _swapped(repository: ProgramRepository, run: str, reading: Reading) -> Iterator[LedgerProblem]:
    """Refs that hold another run's events alone, as a fork does at first – but that run's own refs reach none of them."""
    for ref, tip in reading.tips.items():
        node = reading.nodes.get(tip)
        other = node.event.run if node is not None and node.event is not None else run
        if other == run or not is_run_id(other):
            continue
        its = read_run(repository, other)
        if its.tips and tip not in its.nodes:
            message = f"{ref} ends in {tip}, an event of run {other} that no ref of {other} reaches"
            yield LedgerProblem(ref, tip, "swapped_ref", message)


def _cut(run: str, cut: Sequence[str]) -> Iterator[LedgerProblem]:
    for oid in cut:
        message = f"history is cut at {oid} (shallow clone): what lies before cannot be checked"
        yield LedgerProblem(run_prefix(run), oid, "incomplete", message)


def _trees(repository: ProgramRepository, run: str, events: Sequence[Event]) -> Iterator[LedgerProblem]:
    check = TreeCheck(repository)
    for event in events:
        for reason in check.wrong(event.commit):
            message = f"commit {event.commit}: {reason}"
            yield LedgerProblem(run_prefix(run), event.commit, "damaged_object", message)


def _artifacts(repository: ProgramRepository, run: str, events: Sequence[Event]) -> Iterator[LedgerProblem]:
    large = _Large(repository, run)
    for event in events:
        for name in event.artifacts:
            reason = _missing(repository, event.commit, name, large)
            if reason:
                message = f"commit {event.commit}: artifact {name!r} {reason}"
                yield LedgerProblem(run_prefix(run), event.commit, "missing_artifact", message)


class _Large:
    """What is wrong with blobs of a run's artifacts, each looked at once: absence of a large one is no damage, unless
    this clone says to hold it.
    """

    def __init__(self, repository: ProgramRepository, run: str) -> None:
        self._repository = repository
        self._run = run
        self._told: dict[str, str] = {}
        self._held: frozenset[str] | None = None

    def wrong(self, oid: str) -> str:
        if oid not in self._told:
            self._told[oid] = self._look(oid)
        return self._told[oid]

    def _look(self, oid: str) -> str:
        try:
            if not read_content(self._repository, oid).elsewhere:
                return ""
            pointer = parse_pointer(self._repository.read_blob(oid).data)
        except GitmemError as error:
            return f"cannot be read: {error.message}"
        if self._held is None:
            self._held = held_blobs(self._repository, self._run)
        is_lost = pointer is not None and pointer.oid in self._held
        return "is lost, although this clone holds it" if is_lost else ""


def _missing(repository: ProgramRepository, commit: str, name: str, large: _Large) -> str:
    folder, _, _ = f"{ARTIFACTS}/{name}".rpartition("/")
    try:
        tree = repository.tree_of(commit)
        if tree is None or not repository.has(tree):
            return "cannot be looked for: the tree is not in this clone"
        entries = {entry.path: entry for entry in list_folder(repository, tree, folder)}
    except GitmemError as error:
        return f"cannot be looked for: {error.message}"
    found = entries.get(f"{ARTIFACTS}/{name}")
    if found is None:
        return "does not stand in its tree"
    if found.mode not in _REGULAR:
        return f"is no file but of mode {found.mode:o}"
    return large.wrong(found.oid) if repository.has(found.oid) else "is not in this clone"


def _fold(repository: ProgramRepository, run: str, reading: Reading) -> Iterator[LedgerProblem]:
    held = load_folded(repository.layout, run)
    yield from moved_back(held, reading)
    if held is None or reading.problems or {ref: oid for ref, (oid, _) in held.tips.items()} != reading.tips:
        return  # nothing to compare with; what cannot be read is told, and the cache is not to blame for it
    if held.snapshot != fold(reading.events, run_id=run) or held.count != len(reading.events):
        last = reading.events[-1].commit if reading.events else ""
        message = f"the cached state of {run} is not that of its events"
        yield LedgerProblem(run_prefix(run), last, "stale_cache", message)
