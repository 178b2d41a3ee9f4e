"""Reading a run: its tips, its events, and the fold that is kept up to date from tip to tip."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gitmem.errors import GitmemError, NotFoundError
from gitmem.git.event_commits import read_commit, read_commits
from gitmem.git.program import ProgramRepository
from gitmem.model.event import Event
from gitmem.model.run import continue_fold
from gitmem.model.snapshot import Snapshot
from gitmem.store.archive import RUNS, read_run_refs, run_of
from gitmem.store.codec import PAYLOAD_ARTIFACT, decode_payload
from gitmem.store.judging import UNREAD, LedgerProblem, Node, carried_from, judge, located, node_of
from gitmem.store.large import CURE, read_content
from gitmem.store.run_cache import FoldedRun, load_folded, save_folded

ARTIFACTS = "artifacts"
LARGEST_PAYLOAD = 16 << 20


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run with its events.

    Args:
        run: Run id.
        events: In order.
        snapshot: The state after all of them.
        tips: Commit by full ref name.
        problems: What a reader rejected or reports; see `gitmem.store.judging`.
    """

    run: str
    events: tuple[Event, ...]
    snapshot: Snapshot
    tips: Mapping[str, str]
    problems: tuple[Any, ...]

    @property
    def writers(self) -> tuple[str, ...]:
        return tuple(sorted({event.writer for event in self.events}))


class Reading(NamedTuple):
    """A run as it was read.

    Args:
        tips: Commit by full ref name.
        events: In order, without the rejected.
        problems: What was rejected or is doubtful.
        cut: Commits whose parents a shallow clone lacks.
        again: Commits that only say again what another one does.
        nodes: All commits that were met, by id.
    """

    tips: Mapping[str, str]
    events: list[Event]
    problems: tuple[LedgerProblem, ...]
    cut: tuple[str, ...] = ()
    again: frozenset[str] = frozenset()
    nodes: Mapping[str, Node] = {}


def run_prefix(run: str) -> str:
    return f"{RUNS}{run}/"


def run_tips(repository: ProgramRepository, run: str) -> dict[str, str]:
    """Tips of a run by full ref name, archived ones too; refs of another shape below it are none."""
    return read_run_refs(repository, run)[0]


def read_run(repository: ProgramRepository, run: str, tips: Mapping[str, str] | None = None) -> Reading:
    """All events of a run, from its tips on; without tips its damaged refs are told too."""
    tips, damaged = read_run_refs(repository, run) if tips is None else (tips, ())
    cut: list[str] = []
    nodes: dict[str, Node] = {}
    with _without_collector():
        for raw in read_commits(repository, list(tips.values())):
            nodes[raw.oid] = node_of(raw)
            if raw.cut:
                cut.append(raw.oid)
        judged = judge(run_prefix(run), tips, nodes)
    events, lost = with_payloads(repository, judged.events)
    problems = (*damaged, *located((*judged.problems, *lost), tips, nodes))
    return Reading(tips, events, problems, tuple(cut), judged.again, nodes)


def read_further(
    repository: ProgramRepository, run: str, tips: Mapping[str, str], seqs: Mapping[str, int]
) -> Reading:
    """The events that some tips reach and that are not known yet.

    Args:
        repository: Where.
        run: Run id.
        tips: Commit by full ref name.
        seqs: Seq by commit of all that is known.
    """
    fresh = [oid for oid in tips.values() if oid not in seqs]
    nodes = {raw.oid: node_of(raw) for raw in read_commits(repository, fresh, seqs.__contains__)}
    judged = judge(run_prefix(run), tips, nodes, seqs)
    events, lost = with_payloads(repository, judged.events)
    return Reading(tips, events, (*judged.problems, *lost))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Hundreds of thousands of new values, none in a cycle: looking for cycles took a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def with_payloads(
    repository: ProgramRepository, events: list[Event]
) -> tuple[list[Event], list[LedgerProblem]]:
    """Fetch the payloads that lie in the tree; nothing is done for the events that hold theirs."""
    if not any(PAYLOAD_ARTIFACT in event.extra for event in events):
        return events, []
    problems: list[LedgerProblem] = []
    whole = []
    for event in events:
        name = event.extra.get(PAYLOAD_ARTIFACT)
        payload = _payload(repository, event.commit, name) if isinstance(name, str) else None
        if PAYLOAD_ARTIFACT in event.extra and payload is None:
            message = f"commit {event.commit}: its payload {name!r:.200} is not in this clone"
            problems.append(LedgerProblem(run_prefix(event.run), event.commit, "missing_artifact", message))
        whole.append(event if payload is None else event._replace(payload=payload))
    return whole, problems


def read_artifact(
    repository: ProgramRepository, commit: str, name: str, limit: int | None = None
) -> bytes | None:
    """Content of an artifact in an event's commit; None when it was not saved, or is over `limit` bytes.

    Raises:
        NotFoundError: It was saved, is large, and is not in this clone.
    """
    try:
        entry = repository.entry(commit, f"{ARTIFACTS}/{name}")
        found = read_content(repository, entry.oid, limit) if entry is not None else None
    except GitmemError:
        return None
    if found is not None and found.elsewhere:
        raise NotFoundError(f"artifact {name!r} ({found.size} bytes) is not in this clone", hint=CURE)
    return found.data if found is not None else None


def _payload(repository: ProgramRepository, commit: str, name: str) -> dict[str, object] | None:
    try:
        data = read_artifact(repository, commit, name, LARGEST_PAYLOAD)
    except NotFoundError:  # no writer of ours leaves a payload elsewhere
        return None
    return None if data is None else decode_payload(data)


def refresh(
    repository: ProgramRepository,
    run: str,
    known: FoldedRun | None = None,
    tips: Mapping[str, str] | None = None,
) -> FoldedRun:
    """The fold over all events of a run; continued from `known` or the cached one when all that is new sorts after it.

    A run with problems is folded anew each time. `tips` saves looking them up.
    """
    tips, damaged = read_run_refs(repository, run) if tips is None else (tips, ())
    known = known or load_folded(repository.layout, run)
    if damaged:
        reading = read_run(repository, run, tips)
        return _with_problems(known, folded_of(run, reading), (*damaged, *reading.problems))
    if known is not None:
        if {ref: oid for ref, (oid, _) in known.tips.items()} == tips:
            return _still_readable(repository, run, known, tips)
        continued = _continued(repository, run, known, tips)
        if continued is not None:
            return save_folded(repository.layout, run, continued)
    reading = read_run(repository, run, tips)
    folded = folded_of(run, reading)
    problems = (*reading.problems, *moved_back(known, reading))
    if problems:  # not kept, so that they are told again the next time
        is_known = (
            known is not None and known.count > folded.count and UNREAD & {one.kind for one in problems}
        )
        return replace(known if known and is_known else folded, problems=problems)
    return save_folded(repository.layout, run, folded) if tips else folded


def _with_problems(
    known: FoldedRun | None, folded: FoldedRun, problems: tuple[LedgerProblem, ...]
) -> FoldedRun:
    """A fold with what is wrong; the one from before where more was known of what cannot be read now."""
    is_lost = known is not None and known.count > folded.count and any(one.kind in UNREAD for one in problems)
    return replace(known if known is not None and is_lost else folded, problems=problems)


def _still_readable(
    repository: ProgramRepository, run: str, known: FoldedRun, tips: Mapping[str, str]
) -> FoldedRun:
    """A fold that stands for these tips; when one of them cannot be read any more, with what is wrong now."""
    if all(_is_readable(repository, oid) for oid in tips.values()):
        return known
    reading = read_run(repository, run, tips)
    return _with_problems(known, folded_of(run, reading), reading.problems)


def _is_readable(repository: ProgramRepository, commit: str) -> bool:
    try:
        return read_commit(repository, commit)[0].message is not None
    except GitmemError:
        return False


def moved_back(known: FoldedRun | None, reading: Reading) -> Iterator[LedgerProblem]:
    """Refs that do not reach any more what they held when the run was read the last time: nothing of ours does that."""
    if known is None:
        return
    met = {event.commit for event in reading.events} | {problem.commit for problem in reading.problems}
    met |= reading.again | {first for event in reading.events if (first := carried_from(event))}
    for ref, (oid, _) in known.tips.items():
        if oid not in met and ref in reading.tips:
            yield _rewritten(ref, oid, reading)
        elif oid not in met and not any(problem.ref == ref for problem in reading.problems):
            yield LedgerProblem(ref, oid, "vanished_ref", f"{ref} is gone; it held {oid}")


def _rewritten(ref: str, oid: str, reading: Reading) -> LedgerProblem:
    now = reading.nodes.get(reading.tips[ref])
    other = now.event.run if now is not None and now.event is not None else ""
    if other and other != run_of(ref):
        message = f"{ref} held {oid} before and now ends in an event of run {other}"
        return LedgerProblem(ref, oid, "swapped_ref", message)
    return LedgerProblem(ref, oid, "rewritten_ref", f"{ref} held {oid} before and does not reach it any more")


def folded_of(run: str, reading: Reading) -> FoldedRun:
    """The fold over a run that was read."""
    seqs = {event.commit: event.seq for event in reading.events}
    tips = {ref: (oid, seqs.get(oid, 0)) for ref, oid in reading.tips.items()}
    return FoldedRun.of(run, tips, reading.events)


def _continued(
    repository: ProgramRepository, run: str, known: FoldedRun, tips: Mapping[str, str]
) -> FoldedRun | None:
    further = read_on(repository, run, known, tips)
    return further[0] if further is not None else None


def read_on(
    repository: ProgramRepository, run: str, known: FoldedRun, tips: Mapping[str, str]
) -> tuple[FoldedRun, list[Event]] | None:
    """A fold continued to some tips, and the events that are new in it.

    Returns:
        None when the new events do not simply follow, or a tip that the fold stands for is not reached any more.
    """
    held = {oid for oid, _ in known.tips.values()}
    fresh = [oid for oid in tips.values() if oid not in held and not known.marks.has_commit(oid)]
    met: set[str] = set()

    def is_known(oid: str) -> bool:
        if oid in held or known.marks.has_commit(oid):
            met.add(oid)
            return True
        return False

    nodes = {raw.oid: node_of(raw) for raw in read_commits(repository, fresh, is_known)}
    if held - met - set(tips.values()):
        return None
    seqs = dict(known.tips.values())
    for oid in met - seqs.keys():
        event = node_of(read_commit(repository, oid)[0]).event
        seqs[oid] = event.seq if event is not None else 0
    judged = judge(run_prefix(run), tips, nodes, seqs)
    events, lost = with_payloads(repository, judged.events)
    if judged.problems or lost or not _follow(known, events):
        return None
    seqs |= {event.commit: event.seq for event in events}
    if not seqs.keys() >= set(tips.values()):
        return None
    folded = FoldedRun(
        tips={ref: (oid, seqs[oid]) for ref, oid in tips.items()},
        last=events[-1].order if events else known.last,
        last_at=events[-1].at if events else known.last_at,
        count=known.count + len(events),
        writers=tuple(sorted({*known.writers, *(event.writer for event in events)})),
        snapshot=continue_fold(known.snapshot, events),
        marks=known.marks.with_events(events),
    )
    return folded, events


def _follow(known: FoldedRun, events: Iterable[Event]) -> bool:
    return all(
        event.order > known.last
        and not known.marks.may_have_id(event.writer, event.id)
        and carried_from(event) is None
        for event in events
    )
