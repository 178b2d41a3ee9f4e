"""The candidates of all runs, with what was decided about each, and how both are recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from gitmem.errors import NotFoundError, UsageError, quoted
from gitmem.model.candidate import Candidate, Decision, Standing
from gitmem.model.event import Event, text_field
from gitmem.model.memory import Memory
from gitmem.model.problem import Problem
from gitmem.store.candidate_events import (
    CANDIDATE,
    CONFIRMATION,
    DECISION,
    candidate_payload,
    decision_payload,
    read_candidate,
    read_decision,
)
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.ledger_state import ledger_state
from gitmem.usecases.memory_events import load_events
from gitmem.usecases.runs.listing import RunProblem
from gitmem.usecases.runs.recording import Teller


@dataclass(frozen=True)
class Candidates:
    """Every candidate of every run, archived ones too.

    Args:
        candidates: Oldest first; of several with one id the newest words count.
        repetitions: For each memory id how often it was said again (``memory_confirmed {how: repeated}``).
        confirmations: Every ``memory_confirmed`` event, oldest first.
        decisions: Every decision, also about candidates that are not here, oldest first.
        problems: Runs and candidates that could not be read.
    """

    candidates: tuple[Candidate, ...] = ()
    repetitions: Mapping[str, int] = field(default_factory=dict)
    confirmations: tuple[Event, ...] = ()
    decisions: tuple[Decision, ...] = ()
    problems: tuple[RunProblem | Problem, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Candidate]:
        return {one.id: one for one in self.candidates}

    def find(self, word: str) -> Candidate:
        """The candidate of an id, or of the beginning of exactly one.

        Raises:
            NotFoundError: None begins so.
            UsageError: Several do.
        """
        if word in self.by_id:
            return self.by_id[word]
        meant = [one for one in self.candidates if one.id.startswith(word)] if word else []
        if len(meant) == 1:
            return meant[0]
        if meant:
            names = ", ".join(one.id for one in meant[:5])
            raise UsageError(f"several candidates begin with {quoted(word[:80])}", hint=f"one of {names}")
        raise NotFoundError(
            f"no candidate {quoted(word[:80])}", hint="gitmem review --only candidates shows them"
        )

    def standing(self, *wanted: Standing) -> tuple[Candidate, ...]:
        return tuple(one for one in self.candidates if one.standing in wanted)


def load_candidates(ledger: RunLedger) -> Candidates:
    """Load the candidates of all runs. What was read of a run is kept beside its tips, so only runs that moved are read."""
    key = ledger_state(ledger.repository.layout)
    return ledger.repository.kept(
        "candidates", key, lambda: _loaded(ledger), lasts=lambda one: not one.problems
    )


def _loaded(ledger: RunLedger) -> Candidates:
    events, problems = load_events(ledger)
    if problems:
        return _folded(events, problems)
    told = tuple(events)
    return ledger.repository.kept(
        "told candidates", told, lambda: _folded(told, []), lasts=lambda one: not one.problems
    )


def _folded(events: Sequence[Event], problems: list[RunProblem | Problem]) -> Candidates:
    found: dict[str, Candidate] = {}
    decisions = [told for one in events if one.type == DECISION for told in [read_decision(one)] if told]
    for event in events:
        if event.type == CANDIDATE:
            candidate, odd = read_candidate(event)
            if candidate is None:
                problems += odd
            else:
                found[candidate.id] = candidate
    about: dict[str, list[Decision]] = {}
    for decision in decisions:
        about.setdefault(decision.candidate, []).append(decision)
    confirmations = tuple(one for one in events if one.type == CONFIRMATION)
    return Candidates(
        tuple(replace(one, decisions=tuple(about.get(one.id, ()))) for one in found.values()),
        _repetitions(confirmations),
        confirmations,
        tuple(decisions),
        tuple(problems),
    )


def _repetitions(confirmations: tuple[Event, ...]) -> Mapping[str, int]:
    counted: dict[str, int] = {}
    for event in confirmations:
        memory = text_field(event.payload, "memory")
        if memory and event.payload.get("how") == "repeated":
            counted[memory] = counted.get(memory, 0) + 1
    return counted


def record_candidate(run: Run, memory: Memory, teller: Teller, *, event_id: str = "", **beside: Any) -> Event:
    """Append a candidate.

    Args:
        run: Where.
        memory: What it says; its id is the candidate's.
        teller: Who proposes it.
        event_id: Of the event; the one that has it already is given back instead. Random when empty.
        **beside: As `gitmem.store.candidate_events.candidate_payload` takes them.
    """
    return run.append(
        event_type=CANDIDATE,
        actor=teller.actor,
        session=teller.session,
        payload=candidate_payload(memory, **beside),
        id=event_id,
    )


def record_decision(run: Run, candidate: str, decision: str, teller: Teller, **told: Any) -> Event:
    """Append a decision about a candidate; `told` as `gitmem.store.candidate_events.decision_payload` takes it."""
    payload = decision_payload(candidate, decision, **{"by": teller.actor, **told})
    return run.append(event_type=DECISION, actor=teller.actor, session=teller.session, payload=payload)


def record_repetition(run: Run, memory: str, teller: Teller, *, event_id: str = "") -> Event:
    """Count that a memory was said again; it moves no baseline and clears no challenge.

    Args:
        run: Where.
        memory: Its id.
        teller: Who said it.
        event_id: As for `record_candidate`: what is counted under an id is counted once.
    """
    return run.append(
        event_type=CONFIRMATION,
        actor=teller.actor,
        session=teller.session,
        payload={"memory": memory, "how": "repeated"},
        id=event_id,
    )


def record_claim(run: Run, memory: str, token: str, teller: Teller) -> Event:
    """Record that somebody who was shown the evidence says the memory holds; what was said before is given back.

    Args:
        run: Where.
        memory: Its id.
        token: Names the evidence.
        teller: Who says so.
    """
    said = f"{memory}\0{token}\0{teller.actor}\0{teller.session or ''}"
    return run.append(
        event_type=CONFIRMATION,
        actor=teller.actor,
        session=teller.session,
        payload={"memory": memory, "how": "claimed", "token": token},
        id=f"claim-{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}",
    )
