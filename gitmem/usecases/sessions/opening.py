"""Open an agent's session in the ledger, and load what it should read first."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.program import ProgramRepository
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.session_files import SessionState
from gitmem.usecases.brief import Brief, load_brief
from gitmem.usecases.recall import Asked, Recalled, recall
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.session_run import run_for_session
from gitmem.usecases.sessions.bearing import bears_on, has_memories, touched_paths

_MOST_MEMORIES = 5
_LONGEST_PROMPT = 4_000


class Opening(NamedTuple):
    """What a session should read.

    Args:
        brief: Of its run, or of none.
        recalled: Memories for the run's goal and for what is being touched; None where the brief tells them itself.
    """

    brief: Brief
    recalled: Recalled | None


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


def load_opening(ledger: RunLedger, run: Run | None, now: datetime, *, asked: str = "") -> Opening:
    """The brief, and with it memories where it names none.

    Args:
        ledger: Where.
        run: The session's run.
        now: The present moment.
        asked: What the user asks, where it is known already.
    """
    brief = load_brief(ledger, run=run.id if run is not None else None)
    if brief.memories:
        return Opening(brief, None)
    return Opening(brief, _recalled(ledger.repository, brief, now, asked[:_LONGEST_PROMPT]))


def _recalled(repo: ProgramRepository, brief: Brief, now: datetime, prompt: str) -> Recalled | None:
    snapshot = brief.material.snapshot if brief.material is not None else None
    goal = (snapshot.goal or snapshot.task or "") if snapshot is not None else ""
    words = f"{prompt}\n{goal}".strip() if prompt else goal
    told = [*snapshot.changed_files] if snapshot is not None else []
    asked = Asked(words, touched_paths(repo, told), most=_MOST_MEMORIES)
    try:
        if asked.is_empty or not has_memories(repo):
            return None
        found = recall(repo, asked, now)
    except (GitmemError, OSError):
        return None
    if snapshot is not None and snapshot.goal:
        return found
    # The name of a branch ranks everything and asks for nothing.
    fit = (one for one in found.items if one.card.project or bears_on(one.card, words, asked.paths))
    return found._replace(items=tuple(fit))
