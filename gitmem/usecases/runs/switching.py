"""Go on with another run, or with a new one that begins at an event of an old one."""

from __future__ import annotations

from typing import NamedTuple

from gitmem.errors import NotFoundError
from gitmem.model.snapshot import Snapshot
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.inbox import refuse_inbox
from gitmem.usecases.runs.showing import check_seq
from gitmem.usecases.runs.starting import make_current


class Checkpoint(NamedTuple):
    """Where a run can be resumed: the last step that succeeded. All None when none has.

    Args:
        seq: Of the event that told it.
        step: ``plan``, ``implementation``, ``review`` or ``test``.
        commit: The code commit that HEAD named then.
        dirty: Whether it succeeded on changes that were not in that commit; None when nobody looked.
        followed_by: The first commit recorded since then, when it did.
    """

    seq: int | None
    step: str | None
    commit: str | None
    dirty: bool | None = None
    followed_by: str | None = None


class Resumable(NamedTuple):
    """A run that is now the current one.

    Args:
        run: The run.
        ref: What AI_RUN names.
        snapshot: Its state.
        checkpoint: Where to resume.
    """

    run: Run
    ref: str
    snapshot: Snapshot
    checkpoint: Checkpoint


def switch_run(ledger: RunLedger, word: str) -> Resumable:
    """Make a run the current one of this work tree; its code stays as it is.

    Raises:
        UsageError: The inbox, or a word that can be no run id or begins several.
        NotFoundError: No such run here.
    """
    refuse_inbox(word, "is never current")
    run = find_run(ledger, word)
    refuse_inbox(run.id, "is never current")
    return _current(ledger, run)


def fork_run(ledger: RunLedger, word: str, *, at: int) -> Resumable:
    """Make a new run that begins with an event and all that its writer knew then, and make it current.

    Raises:
        UsageError: A word that can be no run id or begins several.
        NotFoundError: No such run here, or it has no event with that seq.
    """
    run = find_run(ledger, word)
    refuse_inbox(run.id, "cannot be forked")
    events = run.events()
    check_seq(run.id, events, at)
    if at not in {event.seq for event in events}:
        below, above = (
            max(event.seq for event in events if event.seq < at),
            min(event.seq for event in events if event.seq > at),
        )
        raise NotFoundError(f"{run.id} has no event #{at}", hint=f"the nearest are #{below} and #{above}")
    forked = ledger.fork(run, at=at)
    make_current(ledger, forked)
    return _current(ledger, forked)


def checkpoint_of(state: Snapshot) -> Checkpoint:
    return Checkpoint(
        state.last_successful_seq,
        state.last_successful_step,
        state.last_successful_code,
        state.last_successful_dirty,
        state.last_successful_followed_by,
    )


def _current(ledger: RunLedger, run: Run) -> Resumable:
    state = run.snapshot()
    ledger.set_current(run)
    return Resumable(run, run.ref(), state, checkpoint_of(state))
