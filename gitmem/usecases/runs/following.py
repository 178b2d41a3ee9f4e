"""The events of a run, and those that come while somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gitmem.errors import GitmemError
from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from gitmem.store.run_reading import LoadedRun, read_further, run_tips
from gitmem.usecases.runs.listing import ENDED


def follow(ledger: RunLedger, loaded: LoadedRun, wait: Callable[[], None]) -> Iterator[Sequence[Event]]:
    """The new events of a run in order, some at a time, until it ends or its refs are gone.

    Args:
        ledger: Where.
        loaded: The run as far as it is known; its events are not given again.
        wait: Called before each look at the refs.
    """
    seqs = {event.commit: event.seq for event in loaded.events}
    tips, ended = dict(loaded.tips), has_ended(loaded.events)
    while not ended:
        wait()
        now = run_tips(ledger.repository, loaded.run)
        if not now:
            return
        if now == tips:
            continue
        try:
            further = read_further(ledger.repository, loaded.run, now, seqs)
        except GitmemError:  # the objects of a ref that just moved may be seen later than the ref
            continue
        tips = now
        seqs |= {event.commit: event.seq for event in further.events}
        if further.events:
            yield further.events
        ended = has_ended(further.events)


def has_ended(events: Sequence[Event]) -> bool:
    """Whether the last word among some events is that the run has ended."""
    words = [event.type for event in events if event.type in ENDED or event.type == "run_resumed"]
    return bool(words) and words[-1] in ENDED
