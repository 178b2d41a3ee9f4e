"""Open an agent's session in the ledger."""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.session_files import SessionState
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.session_run import run_for_session


def open_session(
    ledger: RunLedger, state: SessionState, *, model: str = "", run: str | None = None, told: bool = True
) -> Run | None:
    """Make sure that the session's start stands in a run that is under way.

    Args:
        ledger: Where.
        state: The session; run and start are taken down there.
        model: The agent's model, where it is known.
        run: The run that the caller names; the current one, or one for the branch, when None.
        told: Whether the start has still to be told by an event.

    Returns:
        The run; None where none is current and none is begun by itself.
    """
    found = _named(ledger, run) or run_for_session(ledger, state.agent)[0]
    if found is None:
        return None
    if told and not (state.is_open and state.run == found.id):
        _leave(ledger, state)
        payload = {"session": state.session, "agent": state.agent, **({"model": model} if model else {})}
        found.append(event_type="session_started", actor=state.agent, session=state.session, payload=payload)
    state.run, state.is_open = found.id, True
    return found


def _named(ledger: RunLedger, run: str | None) -> Run | None:
    """The run that the caller names; one that is not here is no reason to record nothing."""
    try:
        return find_run(ledger, run) if run else None
    except GitmemError:
        return None


def _leave(ledger: RunLedger, state: SessionState) -> None:
    """End the session in the run that was current before: what happens from now on stands in another one."""
    before = ledger.run(state.run) if state.is_open and state.run else None
    if before is not None and before.exists():
        payload = {"session": state.session, "used_memories": [], "reason": "another run is current"}
        before.append(event_type="session_ended", actor=state.agent, session=state.session, payload=payload)
