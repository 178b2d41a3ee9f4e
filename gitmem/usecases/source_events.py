"""The events of the ledger that a lesson comes from, as a person names them, and what they tell of the failure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gitmem.errors import NotFoundError, UsageError, quoted
from gitmem.model.event import Event, text_field
from gitmem.store.ledger import Run, RunLedger

_SHORTEST = 4


def find_events(ledger: RunLedger, run: Run | None, words: Sequence[str]) -> tuple[Event, ...]:
    """The events that words name: a seq (``12``, ``#12``), an event id, or the beginning of its commit.

    Args:
        ledger: Where.
        run: Whose events; the current run's, ended or not, when None.
        words: One for each event.

    Raises:
        NotFoundError: No such event, or no run is current.
        UsageError: A word names several.
    """
    if not words:
        return ()
    run = run or ledger.current()
    if run is None:
        raise NotFoundError("no run is current, so --from-event names none", hint="--run RUN names the run")
    events = run.events()
    return tuple(_named(run.id, events, word.strip()) for word in words)


def _named(run: str, events: Iterable[Event], word: str) -> Event:
    seq = word.removeprefix("#")
    held = list(events)
    found = [one for one in held if word in {one.id, one.commit} or (seq.isdecimal() and str(one.seq) == seq)]
    if not found and len(word) >= _SHORTEST:
        found = [one for one in held if one.commit.startswith(word)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"{one.commit[:12]} {one.type}" for one in found[:5])
        raise UsageError(f"{word[:80]} names several events of {run}: {names}", hint="name one by its commit")
    raise NotFoundError(f"{run} has no event {quoted(word[:80])}", hint=f"gitmem run log -v {run} shows them")


def failure_class_of(events: Iterable[Event]) -> str | None:
    """The class of the newest failure among some events; None when they tell of none."""
    told = [named for one in events if (named := text_field(one.payload, "failure_class"))]
    return told[-1] if told else None
