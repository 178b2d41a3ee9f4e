"""Which events of a run a reader takes, and what it says about the rest. Pure.

Rejected, each with its commit named: what is missing, damaged, no event or of a newer format; over 16 parents; a seq
that is not above its parents' or jumps by more than 1,000,000; an id that its writer used before. A rejected event
lends its number to nobody: what stands on it is measured against the parents below.

Reported, and kept, since dropping what somebody acknowledged would be worse: a second root of one writer, and an event
of a writer that does not lie on its ref's first-parent line (its first parent was not the ref's previous tip: the ref
was rewritten, or two clones share an id); and a ref that ends in an event of another run above its own, since a fork
begins with another run's events and never goes back to them.

Passed over without a word: an event that was written again under another id (`CARRIED`), where the first one is here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.raw_objects import RawCommit
from gitmem.model.event import Event
from gitmem.store.codec import UndecodableError, decode

MOST_PARENTS = 16
_ORDER = itemgetter(
    *(Event._fields.index(name) for name in ("seq", "writer", "commit"))
)  # `Event.order`, in C
HIGHEST_JUMP = 1_000_000
CARRIED = "carried_from"
"""The field that names the commit which an event was first written as (`gitmem.store.carrying`)."""


UNREAD = frozenset({"missing", "unreadable", "damaged_ref"})
"""Kinds of problems that keep a part of a run from being read at all."""


class LedgerProblem(NamedTuple):
    """One thing that is wrong with a run.

    Args:
        ref: The ref it was found on; the run's prefix when it may be several.
        commit: The commit at fault; empty when it is the ref itself.
        kind: A word for machines: ``missing``, ``incomplete``, ``unreadable``, ``newer_format``, ``too_many_parents``,
            ``seq_not_above``, ``seq_jump``, ``doubled_id``, ``second_root``, ``not_previous_tip``, ``bad_name``,
            ``damaged_ref``, ``swapped_ref``, ``rewritten_ref``, ``vanished_ref``, ``damaged_archive``,
            ``damaged_object``, ``missing_artifact``, ``stale_cache``.
        message: What is wrong, naming the value.
    """

    ref: str
    commit: str
    kind: str
    message: str


class Node(NamedTuple):
    """A commit of a run: its parents, and its event or why there is none."""

    parents: tuple[str, ...]
    event: Event | None
    kind: str = ""
    message: str = ""


class Judgement(NamedTuple):
    """Events in order, the problems of what was left out or is doubtful, and commits that only say again what is there."""

    events: list[Event]
    problems: tuple[LedgerProblem, ...]
    again: frozenset[str] = frozenset()


def node_of(raw: RawCommit) -> Node:
    """A commit as a node; what cannot be read becomes one without an event."""
    if raw.message is None:
        return Node((), None, "missing", f"commit {raw.oid} is missing or damaged")
    try:
        return Node(raw.parents, decode(raw.oid, raw.message))
    except UndecodableError as error:
        return Node(raw.parents, None, error.reason, error.message)
    except GitmemError as error:
        return Node(raw.parents, None, "unreadable", error.message)


def judge(
    prefix: str,
    tips: Mapping[str, str],
    nodes: Mapping[str, Node],
    known_seqs: Mapping[str, int] | None = None,
) -> Judgement:
    """Judge the commits of a run.

    Args:
        prefix: Ref prefix of the run, ``refs/ai/runs/<run>/``.
        tips: Commit by full ref name.
        nodes: Everything reachable from the tips, or from the tips down to what is known.
        known_seqs: Seqs of the known parents of these nodes; a parent found nowhere is missing.
    """
    rejected = dict(_alone(nodes))
    rejected |= _by_seq(nodes, known_seqs or {}, rejected)
    kept = [node.event for oid, node in nodes.items() if node.event is not None and oid not in rejected]
    kept.sort(key=_ORDER)
    kept, doubled = _without_doubles(kept)
    rejected |= doubled
    again = _again(kept)
    if again:
        kept = [event for event in kept if event.commit not in again]
    problems = [LedgerProblem(prefix, oid, kind, message) for oid, (kind, message) in rejected.items()]
    if known_seqs is None:
        problems += [*_off_line(prefix, tips, nodes), *_swapped(prefix, tips, nodes)]
    return Judgement(kept, tuple(sorted(problems)), again)


_Rejected = dict[str, tuple[str, str]]


def _alone(nodes: Mapping[str, Node]) -> Iterator[tuple[str, tuple[str, str]]]:
    """What is wrong with a commit by itself."""
    for oid, node in nodes.items():
        if node.event is None:
            yield oid, (node.kind, node.message)
        elif len(node.parents) > MOST_PARENTS:
            yield oid, ("too_many_parents", f"commit {oid} has {len(node.parents)} parents")


def _by_seq(nodes: Mapping[str, Node], known: Mapping[str, int], rejected: _Rejected) -> _Rejected:
    if not rejected and _all_fit(nodes, known):
        return {}
    found: _Rejected = {}
    seqs = dict(known)
    for oid in _parents_first(nodes):
        node = nodes[oid]
        below = max((seqs.get(parent, 0) for parent in node.parents), default=0)
        seqs[oid] = below
        if node.event is None or oid in rejected:
            continue
        seq = node.event.seq
        if seq <= below:
            found[oid] = ("seq_not_above", f"commit {oid} has seq {seq}; a parent has {below}")
        elif seq - below > HIGHEST_JUMP:
            found[oid] = ("seq_jump", f"commit {oid} has seq {seq}; its parents have at most {below}")
        else:
            seqs[oid] = seq
    return found


def _all_fit(nodes: Mapping[str, Node], known: Mapping[str, int]) -> bool:
    """Whether every seq lies above its parents' and near them: true for nearly every run, so this has to be fast."""
    seqs = {**known, **{oid: node.event.seq for oid, node in nodes.items() if node.event is not None}}
    for oid, node in nodes.items():
        below = 0
        for parent in node.parents:
            held = seqs.get(parent, 0)
            below = max(held, below)
        if not below < seqs[oid] <= below + HIGHEST_JUMP:
            return False
    return True


def _parents_first(nodes: Mapping[str, Node]) -> Iterator[str]:
    done: set[str] = set()
    for start in nodes:
        stack = [start]
        while stack:
            oid = stack[-1]
            open_ones = [one for one in nodes[oid].parents if one in nodes and one not in done]
            if open_ones and oid not in done:
                stack += open_ones
                continue
            stack.pop()
            if oid not in done:
                done.add(oid)
                yield oid


def _without_doubles(events: list[Event]) -> tuple[list[Event], _Rejected]:
    if len({event.id for event in events}) == len(events):
        return events, {}
    first: dict[tuple[str, str], str] = {}
    doubled: _Rejected = {}
    for event in events:
        before = first.setdefault((event.writer, event.id), event.commit)
        if before != event.commit:
            doubled[event.commit] = ("doubled_id", f"commit {event.commit} has the id {event.id} of {before}")
    return [event for event in events if event.commit not in doubled], doubled


def carried_from(event: Event) -> str | None:
    """The commit that an event was first written as; None for one that was written once."""
    value = event.extra.get(CARRIED) if event.extra else None
    return value if isinstance(value, str) else None


def _again(events: list[Event]) -> frozenset[str]:
    firsts = {event.commit: carried_from(event) for event in events if event.extra and CARRIED in event.extra}
    if not firsts:
        return frozenset()
    held = {event.commit for event in events}
    return frozenset(commit for commit, first in firsts.items() if first in held)


def _off_line(prefix: str, tips: Mapping[str, str], nodes: Mapping[str, Node]) -> Iterator[LedgerProblem]:
    """Events of a writer that its own ref's first-parent line does not hold."""
    if len(tips) == 1 and _is_one_line(nodes):
        return
    run = prefix.split("/")[3]
    for ref, tip in tips.items():
        writer = ref.removeprefix(prefix)
        line = set(_first_parents(tip, nodes))
        for oid, node in nodes.items():
            event = node.event
            if event is None or event.writer != writer or event.run != run or oid in line:
                continue
            if not node.parents:
                yield LedgerProblem(ref, oid, "second_root", f"commit {oid} is a second root of {ref}")
            else:
                message = f"commit {oid} (seq {event.seq}) is of {writer} and does not lie on {ref}"
                yield LedgerProblem(ref, oid, "not_previous_tip", message)


def _swapped(prefix: str, tips: Mapping[str, str], nodes: Mapping[str, Node]) -> Iterator[LedgerProblem]:
    run = prefix.split("/")[3]
    for ref, tip in tips.items():
        last = nodes[tip].event if tip in nodes else None
        if last is None or last.run == run:
            continue
        if any((event := nodes[oid].event) and event.run == run for oid in _first_parents(tip, nodes)):
            message = f"{ref} ends in {tip}, an event of run {last.run}, above events of its own run"
            yield LedgerProblem(ref, tip, "swapped_ref", message)


def located(
    problems: Iterable[LedgerProblem], tips: Mapping[str, str], nodes: Mapping[str, Node]
) -> Iterator[LedgerProblem]:
    """Problems that name only the prefix of their run with the ref that their commit lies on: its writer's own, else
    the first that reaches it.
    """
    refs: dict[str, str] | None = None
    for problem in problems:
        if not problem.ref.endswith("/"):
            yield problem
            continue
        if refs is None:
            refs = _refs_of(tips, nodes)
        yield problem._replace(ref=refs.get(problem.commit, problem.ref))


def _refs_of(tips: Mapping[str, str], nodes: Mapping[str, Node]) -> dict[str, str]:
    found: dict[str, str] = {}
    for ref in sorted(tips):
        writer = ref.rpartition("/")[2]
        for oid in _first_parents(tips[ref], nodes):
            event = nodes[oid].event
            if oid not in found or (event is not None and event.writer == writer):
                found[oid] = ref
    for ref in sorted(tips):
        waiting = [tips[ref]]
        met = set(waiting)
        while waiting:
            oid = waiting.pop()
            found.setdefault(oid, ref)
            fresh = [one for one in (nodes[oid].parents if oid in nodes else ()) if one not in met]
            met.update(fresh)
            waiting += fresh
    return found


def _is_one_line(nodes: Mapping[str, Node]) -> bool:
    return all(len(node.parents) < 2 for node in nodes.values())


def _first_parents(tip: str, nodes: Mapping[str, Node]) -> Iterator[str]:
    step: str | None = tip
    while step is not None and step in nodes:
        yield step
        step = next(iter(nodes[step].parents), None)
