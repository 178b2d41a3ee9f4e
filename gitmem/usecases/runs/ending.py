"""End a run: what the session used, what is to be learnt from it, the outcome, the last handoff."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gitmem.errors import GitmemError, NotServedError, UsageError, quoted
from gitmem.git.packing import pack_reachable
from gitmem.model.event import Event
from gitmem.model.ids import is_memory_id
from gitmem.model.snapshot import Snapshot
from gitmem.store.appending import WORTH_PACKING
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.remember import Remembered
from gitmem.usecases.runs.auto_syncing import AutoSynced, auto_sync
from gitmem.usecases.runs.extracting import extract_candidates
from gitmem.usecases.runs.handing_off import write_handoff
from gitmem.usecases.runs.inbox import refuse_inbox
from gitmem.usecases.runs.listing import ENDED
from gitmem.usecases.runs.recording import Teller


class EndedRun(NamedTuple):
    """A run that has ended.

    Args:
        run: The run; it stays the current one and readable as AI_RUN.
        outcome: ``completed`` or ``abandoned``.
        events: What was written.
        no_handoff: Why the last handoff was not written; empty when it was.
        exchange: What came of `gitmem.autoSync`.
        remembered: What became of the candidates that its events tell.
        no_candidates: Why none were looked for; empty when they were.
    """

    run: Run
    outcome: str
    events: tuple[Event, ...]
    no_handoff: str = ""
    exchange: AutoSynced = AutoSynced()
    remembered: tuple[Remembered, ...] = ()
    no_candidates: str = ""


def end_run(
    ledger: RunLedger, run: Run, teller: Teller, *, outcome: str = "completed", used: Sequence[str] = ()
) -> EndedRun:
    """End a run: record its candidates, its `completed` or `abandoned` event and its last handoff.

    Args:
        ledger: Where.
        run: Which.
        teller: Who ends it.
        outcome: ``completed`` or ``abandoned``.
        used: Memories that helped; testimony, which stands in the `session_ended` event of the session: the teller's,
            else the open one that began last, else none.

    Raises:
        UsageError: The inbox, or an id that no memory can have; nothing was written.
        NotServedError: When the run has ended already.
    """
    refuse_inbox(run.id, "never ends")
    for memory in used:
        if not is_memory_id(memory):
            raise UsageError(f"not a memory id: {quoted(memory[:80])}", hint="gitmem list shows them")
    state = run.snapshot()
    if state.phase in ENDED:
        raise NotServedError(
            f"{run.id} has ended already: {state.phase}", hint="gitmem run resume opens it again"
        )
    session = teller.session or _open_session(state)
    events = []
    if used:
        payload = {"used_memories": list(dict.fromkeys(used)), **({"session": session} if session else {})}
        events.append(
            run.append(event_type="session_ended", actor=teller.actor, session=session, payload=payload)
        )
    remembered, no_candidates = _candidates(ledger, run, teller)
    events.append(
        run.append(
            event_type=outcome, actor=teller.actor, session=teller.session, payload={"outcome": outcome}
        )
    )
    no_handoff = _hand_off(ledger, run, teller, events, outcome)
    pack_reachable(ledger.repository, events[-1].commit, at_least=WORTH_PACKING)
    exchange = auto_sync(ledger, "session-end")
    return EndedRun(run, outcome, tuple(events), no_handoff, exchange, remembered, no_candidates)


def _candidates(ledger: RunLedger, run: Run, teller: Teller) -> tuple[tuple[Remembered, ...], str]:
    """What is to be learnt, or why nobody looked: the run ends all the same."""
    try:
        return extract_candidates(ledger, run, teller), ""
    except GitmemError as error:
        return (), error.message


def _hand_off(ledger: RunLedger, run: Run, teller: Teller, events: list[Event], outcome: str) -> str:
    """Why the last handoff was not written, empty when it was: the run has ended all the same."""
    try:
        events.append(write_handoff(ledger, run, actor=teller.actor, session=teller.session, outcome=outcome))
    except GitmemError as error:
        return error.message
    return ""


def _open_session(state: Snapshot) -> str | None:
    still_open = [one for one in state.sessions if one.ended_seq is None]
    latest = max(still_open, key=lambda one: one.started_seq or 0, default=None)
    return latest.session if latest else None
