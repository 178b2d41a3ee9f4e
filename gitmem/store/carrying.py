"""Going on under a new writer id, where what this clone holds of its own refs and what a remote holds have parted.

That happens to a clone that was restored from a copy: two histories of one writer arose. The remote's line keeps the
ref, since others may stand on it. The events of this clone that it lacks are written again below the new id's ref: the
same ids, seqs, times, trees and further parents, another `writer`, and ``carried_from`` with the commit that each was
first. A reader that meets both takes the first (`gitmem.store.judging`), so nobody sees an event twice.

The new id is listed, the new refs are made, then the old refs move, then the id counts. Whoever is killed in between
leaves nothing unreachable; the next one finds what was written again already and goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gitmem.git.event_commits import read_commit, read_commits
from gitmem.git.program import ProgramRepository
from gitmem.model.event import Event
from gitmem.store.appending import name_current
from gitmem.store.archive import RUNS, is_archive, is_held_ref, read_archives, run_of
from gitmem.store.codec import encode
from gitmem.store.drafts import commit_time
from gitmem.store.judging import CARRIED, Node, carried_from, node_of
from gitmem.store.large import hold
from gitmem.store.locking import clone_lock
from gitmem.store.run_reading import run_prefix, run_tips
from gitmem.wire.writer import LENGTH, change_writer_id, list_writer_id, random_name

STEPS = ("locked", "listed", "made", "moved", "changed")
"""Where it can be interrupted."""

Step = Callable[[str], None]


class Parted(NamedTuple):
    """A ref of this clone of which a remote holds something else.

    Args:
        theirs: What the remote holds; its objects are here.
        is_trusted: Whether that is all that the remote was seen to hold before, so that the ref may move there.
    """

    theirs: str
    is_trusted: bool


class GoneOn(NamedTuple):
    """What became of the parted refs.

    Args:
        writer: The new id.
        carried: How many events were written again, by ref.
        kept: Refs that hold what they did, by what they hold: all of it reaches others under another id.
    """

    writer: str
    carried: Mapping[str, int]
    kept: Mapping[str, str]


def go_on_under_a_new_id(
    repository: ProgramRepository,
    parted: Mapping[str, Parted],
    *,
    writer: str | None,
    wait: float = 10.0,
    step: Step = lambda _: None,
) -> GoneOn:
    """Carry on what the remote lacks, and let the refs name what it has.

    Args:
        repository: Where; it writes.
        parted: By full name of refs of runs, archives and large artifacts.
        writer: The id that this clone writes under; changed if one of the refs is its own.
        wait: Seconds to wait for a busy lock.
        step: Called with each of `STEPS` as it is reached.

    Raises:
        RaceError: The lock was busy all the time, or a ref was moved by something that does not take it.
    """
    common = str(repository.layout.common_dir)
    new = random_name(LENGTH)
    carried: dict[str, int] = {}
    kept: dict[str, str] = {}
    with clone_lock(repository.layout, time.monotonic() + wait):
        step("locked")
        list_writer_id(common, new)
        step("listed")
        for ref in sorted(parted, key=lambda ref: (not is_archive(ref), ref)):
            here = repository.ref(ref)
            if here is None or here == parted[ref].theirs:
                continue
            may_move, carried[ref] = _carry(repository, ref, here, parted[ref].theirs, new)
            if may_move and parted[ref].is_trusted:
                step("made")
                repository.move_ref(ref, parted[ref].theirs, old=here)
                step("moved")
            else:
                kept[ref] = here
        if any(ref.rpartition("/")[2].partition(".")[0] == writer for ref in parted):
            change_writer_id(common, new)
            step("changed")
    return GoneOn(new, carried, kept)


def _carry(repository: ProgramRepository, ref: str, here: str, theirs: str, new: str) -> tuple[bool, int]:
    """Make what holds all that the ref does. Returns whether the ref may move, and how many events were written."""
    if repository.merge_base(theirs, here) == here:
        return True, 0
    if is_held_ref(ref):
        _hold(repository, here, new)
        return True, 0
    if is_archive(ref):
        return _unarchive(repository, ref, here, theirs), 0
    line = _Line.read(repository, ref, here, theirs)
    return line.may_move, line.write(repository, new)


class _Line(NamedTuple):
    """What a ref holds and the remote does not.

    Args:
        run: Run id.
        own: Events that the remote lacks, oldest first, each with its parents.
        again: The commit that each was written again as already.
        base: What the first of them stands on; empty for a root.
        may_move: Whether the remote's line holds events of this writer alone, and not only what is here under another id.
    """

    run: str
    own: tuple[tuple[Event, tuple[str, ...]], ...]
    again: Mapping[str, str]
    base: str
    may_move: bool

    @classmethod
    def read(cls, repository: ProgramRepository, ref: str, here: str, theirs: str) -> _Line:
        run, writer = run_of(ref), ref.rpartition("/")[2]
        tips = [*run_tips(repository, run).values(), here]
        nodes = {raw.oid: node_of(raw) for raw in read_commits(repository, [*tips, theirs])}
        again = {
            first: oid for oid, node in nodes.items() if node.event and (first := carried_from(node.event))
        }
        ours = tuple(_own(nodes, here, _reached(nodes, theirs), writer, run))
        other = tuple(_own(nodes, theirs, _reached(nodes, here), writer, run))
        may_move = bool(other) and _is_sound(nodes, other[-1], _reached(nodes, here))
        settled = all(oid in again for oid in (*ours, *other))
        own = tuple((event, nodes[oid].parents) for oid in reversed(ours) if (event := nodes[oid].event))
        base = next(iter(nodes[ours[-1]].parents), "") if ours else here
        return cls(run, own, again, base, may_move and not settled)

    def write(self, repository: ProgramRepository, writer: str) -> int:
        """Write again what was not yet, below a ref of the new id. Returns how many events."""
        again = dict(self.again)
        tip = ""
        author = repository.identity()
        for event, parents in self.own:
            if event.commit in again:
                continue
            tip = again[event.commit] = repository.write_commit(
                tree=read_commit(repository, event.commit)[1],
                parents=[again.get(oid, oid) for oid in parents],
                message=encode(_as(event, writer)).decode("utf-8"),
                author=author,
                at=commit_time(event.at),
            )
        if not self.own and self.base:  # a fork without an event of its own
            tip = self.base
        if tip:
            ref = f"{run_prefix(self.run)}{writer}"
            repository.move_ref(ref, tip, old=None)
            name_current(repository, self.run, ref)
        return len(again) - len(self.again)


def _as(event: Event, writer: str) -> Event:
    return event._replace(writer=writer, extra={**event.extra, CARRIED: event.commit})


def _is_sound(nodes: Mapping[str, Node], last: str, reached: frozenset[str]) -> bool:
    """Whether a line of events begins the history, or stands on what is here or on an event of somebody else."""
    below = nodes[last].parents[:1]
    return all(oid in reached or (oid in nodes and nodes[oid].event is not None) for oid in below)


def _own(
    nodes: Mapping[str, Node], tip: str, reached: frozenset[str], writer: str, run: str
) -> Iterator[str]:
    """Commits of a writer's first-parent line down to what the other one reaches, newest first."""
    oid: str | None = tip
    while oid is not None and oid in nodes and oid not in reached:
        event = nodes[oid].event
        if event is None or (event.writer, event.run) != (writer, run):
            return
        yield oid
        oid = next(iter(nodes[oid].parents), None)


def _reached(nodes: Mapping[str, Node], tip: str) -> frozenset[str]:
    done: set[str] = set()
    left = [tip]
    while left:
        oid = left.pop()
        if oid in nodes and oid not in done:
            done.add(oid)
            left += nodes[oid].parents
    return frozenset(done)


def _unarchive(repository: ProgramRepository, ref: str, here: str, theirs: str) -> bool:
    """Bring back the refs of runs that only this clone's archive lists. Returns whether theirs can be read."""
    held, wrong = read_archives(repository, {ref: theirs})
    if wrong:
        return False
    for run, (name, tip) in read_archives(repository, {ref: here})[0].get(ref, {}).items():
        listed = held.get(ref, {}).get(run)
        if listed != (name, tip) and name.startswith(RUNS) and repository.ref(name) is None:
            repository.move_ref(name, tip, old=None)
    return True


def _hold(repository: ProgramRepository, here: str, writer: str) -> None:
    blobs: dict[str, list[str]] = {}
    for entry in repository.list_tree(here):
        if entry.path.count("/") == 2:
            blobs.setdefault(entry.path.split("/")[1], []).append(entry.oid)
    for run, oids in blobs.items():
        hold(repository, writer, run, oids)
