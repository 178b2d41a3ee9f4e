"""What all runs tell of tests, reviews, artifacts and rewritten commits, read once and kept beside each run's tips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

from gitmem.errors import GitmemError
from gitmem.model.event import Event, moment, text_field
from gitmem.model.ids import is_run_id
from gitmem.model.payload import pairs_of
from gitmem.promotion.case import SourceEvent
from gitmem.store.cache import Cache
from gitmem.store.ledger import RunLedger
from gitmem.store.run_cache import cache_folder
from gitmem.usecases.run_events import run_events

_KIND: Final = "proofs 1"
"""Raise the number whenever what is kept of an event changes."""
_TYPES: Final = frozenset(
    {"test_passed", "test_failed", "review_passed", "review_failed", "commits_rewritten", "commit_recorded"}
)
_FIELDS: Final = (
    "command",
    "exit_code",
    "tests",
    "failing",
    "artifact",
    "findings",
    "pairs",
    "commit",
    "counts",
    "dirty_files",
)
_SHORTEST_ID: Final = 7


@dataclass(frozen=True)
class Told:
    """What the ledger tells, oldest first.

    Args:
        events: Tests, reviews, recorded and rewritten commits, and whatever else brought an artifact.
        is_whole: Whether every run could be read.
        runs: Ids of the runs that are here.
    """

    events: tuple[Event, ...] = ()
    is_whole: bool = True
    runs: frozenset[str] = frozenset()

    @cached_property
    def rewritten(self) -> Mapping[str, str]:
        """The commit that took the place of one that was rebased or amended."""
        return {
            old: new
            for one in self.events
            if one.type == "commits_rewritten"
            for old, new in pairs_of(one.payload.get("pairs"))
        }

    def of(self, *types: str) -> tuple[Event, ...]:
        return tuple(one for one in self.events if one.type in types)

    def successor(self, commit: str) -> str:
        """The commit as it is called today; itself when it was never rewritten."""
        seen = {commit}
        while commit in self.rewritten and self.rewritten[commit] not in seen:
            commit = self.rewritten[commit]
            seen.add(commit)
        return commit


def load_told(ledger: RunLedger) -> Told:
    """Read what is not kept yet; runs that cannot be read are left out."""
    cache = Cache(cache_folder(ledger.repository.layout), "proofs")
    refs = ledger.refs()
    events: list[Event] = []
    is_whole = not refs.problems
    for run, tips in {**refs.runs, **refs.archived}.items():
        key = " ".join((run, *sorted(tips.values())))
        try:
            told = run_events(
                ledger.repository,
                "proofs",
                run,
                tips,
                choose=_chosen,
                kept_before=partial(_cached, cache, key),
                keep=partial(_cache, cache, key),
            )
        except GitmemError:
            is_whole = False
            continue
        is_whole = is_whole and not told.problems
        events += told.events
    cache.save()
    events.sort(key=lambda one: (moment(one.at), one.order))
    return Told(tuple(events), is_whole, frozenset((*refs.runs, *refs.archived)))


def _cached(cache: Cache, key: str) -> list[Event] | None:
    held = cache.get(_KIND, key)
    return None if held is None else [Event(*one) for one in held]


def _cache(cache: Cache, key: str, events: Sequence[Event]) -> None:
    cache.put(_KIND, key, list(map(tuple, events)))


def _chosen(events: Iterable[Event]) -> list[Event]:
    return [_kept(one) for one in events if one.type in _TYPES or one.artifacts]


def _kept(event: Event) -> Event:
    payload = {name: event.payload[name] for name in _FIELDS if name in event.payload}
    return event._replace(payload=payload, extra={})


def source_events(
    ledger: RunLedger, references: Iterable[str], runs: Iterable[str | None]
) -> tuple[SourceEvent, ...]:
    """The events that a lesson says it comes from, looked up in the runs that it names.

    Args:
        ledger: Where.
        references: Commits of events, whole or begun, ids of events, or ``#7`` for a position.
        runs: Ids of the runs that may hold them; what is no run's id is passed over.
    """
    wanted = tuple(references)
    if not wanted:
        return ()
    known = [event for run in dict.fromkeys(runs) if run and is_run_id(run) for event in _events(ledger, run)]
    return tuple(_source_event(one, known) for one in wanted)


def _events(ledger: RunLedger, run: str) -> tuple[Event, ...]:
    try:
        return ledger.run(run).events()
    except GitmemError:
        return ()


def _source_event(reference: str, known: Iterable[Event]) -> SourceEvent:
    for event in known:
        if names(event, reference):
            return SourceEvent(
                reference,
                event.type,
                text_field(event.payload, "failure_class") or "",
                event.actor,
                event.code,
            )
    return SourceEvent(reference)


def names(event: Event, reference: str) -> bool:
    """Whether a reference means an event: by its commit, its id, or its position in its run."""
    wanted = reference.strip()
    if wanted in {event.id, f"#{event.seq}", f"{event.run}#{event.seq}", f"{event.run} #{event.seq}"}:
        return True
    return len(wanted) >= _SHORTEST_ID and event.commit.startswith(wanted)
