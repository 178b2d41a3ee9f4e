"""One run: its state after all events or after some of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitmem.errors import NotFoundError
from gitmem.model.event import Event
from gitmem.model.run import fold
from gitmem.model.snapshot import Snapshot
from gitmem.store.ledger import Run
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.readable import is_unread, readable_fold


class ShownRun(NamedTuple):
    """A run with what stands around its state.

    Args:
        ref: The ref that AI_RUN names when it is current.
        snapshot: Its state.
        events: How many events the state stands for.
        writers: Who wrote them.
        last_at: Time of the last of them.
        at: The seq up to which events counted; None for all.
        problems: What a reader rejected or reports, in words.
        unread: Whether something of the run cannot be read, so that this is not all.
    """

    ref: str
    snapshot: Snapshot
    events: int
    writers: tuple[str, ...]
    last_at: str
    at: int | None
    problems: tuple[str, ...]
    unread: bool = False


def show_run(run: Run, *, at: int | None = None) -> ShownRun:
    """The state of a run, as of all its events or of those with a seq up to `at`.

    Raises:
        NotFoundError: The run has no events here, or none with such a seq.
        InvalidDataError: It has, and nothing of them is known.
    """
    if at is None:
        folded = readable_fold(run)
        unread = is_unread(folded.problems)
        if unread or (len(folded.writers) == 1 and not folded.problems):
            problems = tuple(problem.message for problem in folded.problems)
            return ShownRun(
                run.ref(),
                folded.snapshot,
                folded.count,
                folded.writers,
                folded.last_at,
                None,
                problems,
                unread,
            )
    loaded = run.load()
    if at is not None:
        check_seq(run.id, loaded.events, at)
    events = [event for event in loaded.events if at is None or event.seq <= at]
    return ShownRun(
        run.ref(),
        fold(events, run_id=run.id),
        len(events),
        tuple(sorted({event.writer for event in events})),
        events[-1].at if events else "",
        at,
        (*(problem.message for problem in loaded.problems), *_beginnings(run.id, loaded.events)),
        is_unread(loaded.problems),
    )


def check_seq(run: str, events: Sequence[Event], seq: int) -> None:
    """Refuse a seq outside of those that a run has.

    Raises:
        NotFoundError: Naming the range.
    """
    if not events or not events[0].seq <= seq <= events[-1].seq:
        has = f"#{events[0].seq} to #{events[-1].seq}" if events else "none that can be read"
        raise NotFoundError(f"{run} has no event #{seq}", hint=f"its events are {has}: gitmem run log {run}")


def _beginnings(run: str, events: Iterable[Event]) -> tuple[str, ...]:
    """Two clones that began a run with the same id without knowing of each other: their events stand mixed."""
    first = [event for event in events if event.seq == 1 and event.run == run]
    if run == INBOX or len(first) < 2:
        return ()
    told = ", ".join(f"{event.commit[:12]} of {event.writer}" for event in first)
    return (f"{len(first)} runs were begun under the id {run}: {told}; their events stand mixed",)
