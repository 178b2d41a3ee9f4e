"""Candidates and decisions as payloads of ``memory_candidate`` and ``promotion_decided`` events.

``memory_candidate.candidate`` is a mapping of the fields of a memory file (`gitmem.store.memories`, every spelling that
loads there loads here), and beside them:

| field | form |
|---|---|
| requires_human_review | true or false |
| fixed_by | id of the commit that fixed what it warns of |
| similar_to | list of {id, similarity, known}: what said nearly the same when it was proposed, nearest first |
| conflicts | list of {existing_memory, reason, similarity}: what said something else about the same thing |

A candidate without an id, or with one that no memory can have, is named ``candidate-`` and the first ten digits of its
commit. ``promotion_decided`` has candidate, decision, by, reason, memory, blob and scorecard.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from gitmem.model.candidate import Candidate, Conflict, Decision, Similar
from gitmem.model.event import Event, text_field
from gitmem.model.ids import is_memory_id
from gitmem.model.memory import Memory, Status
from gitmem.model.payload import list_of
from gitmem.model.problem import Problem
from gitmem.model.standing import CANDIDATE, CONFIRMATION, DECISION
from gitmem.store.candidates import parse_candidates
from gitmem.store.evidence import Resolver
from gitmem.store.memory_writing import plain_memory

__all__ = [
    "CANDIDATE",
    "CONFIRMATION",
    "DECISION",
    "candidate_payload",
    "decision_payload",
    "read_candidate",
    "read_decision",
]

_BESIDE: Final = ("requires_human_review", "fixed_by", "similar_to", "conflicts")


def candidate_payload(
    memory: Memory,
    *,
    requires_human_review: bool = False,
    fixed_by: str | None = None,
    similar_to: Iterable[Similar] = (),
    conflicts: Iterable[Conflict] = (),
) -> dict[str, Any]:
    """The payload of a ``memory_candidate`` event; `read_candidate` reads the same value back."""
    fields: dict[str, Any] = dict(plain_memory(replace(memory, status=Status.CANDIDATE, file="")))
    if requires_human_review:
        fields["requires_human_review"] = True
    if fixed_by:
        fields["fixed_by"] = fixed_by
    if near := [one._asdict() for one in similar_to]:
        fields["similar_to"] = near
    if against := [
        {"existing_memory": one.existing, "reason": one.reason, "similarity": one.similarity}
        for one in conflicts
    ]:
        fields["conflicts"] = against
    return {"candidate": fields}


def read_candidate(
    event: Event, resolver: Resolver | None = None
) -> tuple[Candidate | None, tuple[Problem, ...]]:
    """The candidate of an event, and what is odd about it; None with the problems when it says none.

    Args:
        event: A ``memory_candidate`` event.
        resolver: Tells existing paths and commits among untagged evidence.
    """
    source = f"{event.run} #{event.seq}"
    held = event.payload.get("candidate")
    if not isinstance(held, Mapping):
        held = {name: value for name, value in event.payload.items() if name != "artifact"}
    fields = {name: value for name, value in held.items() if name not in _BESIDE}
    named = next((name for name in ("id", "candidate_id") if name in fields), "id")
    if not is_memory_id(str(fields.get(named) or "")):
        fields[named] = f"candidate-{event.commit[:10]}"
    (parsed, *_) = parse_candidates(source, json.dumps(fields).encode(), resolver)
    if parsed.memory is None:
        return None, parsed.problems
    review, fixed_by = held.get("requires_human_review"), held.get("fixed_by")
    candidate = Candidate(
        replace(parsed.memory, status=Status.CANDIDATE, file=source),
        run=event.run,
        commit=event.commit,
        seq=event.seq,
        at=event.at,
        actor=event.actor,
        session=event.session,
        code=event.code,
        requires_human_review=review is True,
        fixed_by=fixed_by if isinstance(fixed_by, str) and fixed_by else None,
        similar_to=tuple(
            Similar(name, _number(one), text_field(one, "known") or "memory")
            for one, name in _named(held.get("similar_to"), "id")
        ),
        conflicts=tuple(
            Conflict(name, text_field(one, "reason") or "", _number(one))
            for one, name in _named(held.get("conflicts"), "existing_memory")
        ),
    )
    return candidate, parsed.problems


def _named(items: object, name: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The mappings of a list that have a name, with it."""
    for one in list_of(items):
        if isinstance(one, Mapping) and (held := text_field(one, name)):
            yield one, held


def _number(item: Mapping[str, Any]) -> float:
    value = item.get("similarity")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


def decision_payload(
    candidate: str,
    decision: str,
    *,
    by: str,
    reason: str = "",
    memory: str | None = None,
    blob: str | None = None,
    scorecard: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The payload of a ``promotion_decided`` event; what is not said is left out."""
    told = {
        "candidate": candidate,
        "decision": decision,
        "by": by,
        "reason": reason,
        "memory": memory,
        "blob": blob,
        "scorecard": dict(scorecard) if scorecard else None,
    }
    return {name: value for name, value in told.items() if value}


def read_decision(event: Event) -> Decision | None:
    """The decision of a ``promotion_decided`` event; None when it names no candidate or no decision."""
    candidate, decision = text_field(event.payload, "candidate"), text_field(event.payload, "decision")
    if candidate is None or decision is None:
        return None
    scorecard = event.payload.get("scorecard")
    return Decision(
        candidate,
        decision,
        by=text_field(event.payload, "by") or event.actor,
        at=event.at,
        reason=text_field(event.payload, "reason") or "",
        memory=text_field(event.payload, "memory"),
        scorecard=scorecard if isinstance(scorecard, Mapping) else {},
        blob=text_field(event.payload, "blob"),
        run=event.run,
        commit=event.commit,
        order=event.order,
    )
