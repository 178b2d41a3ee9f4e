"""What waits for a person, one entry for each memory or candidate, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gitmem.model.candidate import Candidate
from gitmem.model.memory import Memory
from gitmem.model.problem import Problem
from gitmem.model.verdict import Judgement
from gitmem.promotion.case import Alike
from gitmem.usecases.gate import Gated
from gitmem.usecases.runs.listing import RunProblem
from gitmem.usecases.whereabouts import Whereabouts

REASONS: Final = {
    "claimed": "said to hold by somebody who did not look",
    "challenged": "the code under it moved, or somebody doubts it",
    "review": "a review is due",
    "ignored": "delivered again and again and never cited",
    "proposed": "a merge approves it",
    "candidate": "told, and nobody decided yet",
    "conflict": "contradicts what is known; a person picks",
    "expired": "past the day that its file names",
    "unchecked": "nothing checks it as it stands",
}
"""Why something waits, most pressing first, and what that means."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that waits for a person.

    Args:
        id: Of the memory or candidate.
        reason: One of `REASONS`.
        since: RFC 3339 time or date; empty when it cannot be told.
        detail: Why in particular, one line of plain text.
        memory: What it says.
        judgement: What drift says of it; None for a candidate.
        candidate: Where it is one, or where its proposal comes from.
        gated: What the gate says of a candidate; None when it could not be asked.
        conflicts: What is known and may say otherwise, and nobody answered.
        where: Where a proposal stands.
    """

    id: str
    reason: str
    since: str
    detail: str
    memory: Memory
    judgement: Judgement | None = None
    candidate: Candidate | None = None
    gated: Gated | None = None
    conflicts: tuple[Alike, ...] = ()
    where: Whereabouts | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """All that waits.

    Args:
        items: By reason, oldest first within each.
        problems: Files, runs and candidates that could not be read, so that they may be missing.
        remarks: What is said once: the gate that could not be asked.
    """

    items: tuple[Item, ...] = ()
    problems: tuple[RunProblem | Problem, ...] = ()
    remarks: tuple[str, ...] = ()


def in_order(items: Iterable[Item]) -> tuple[Item, ...]:
    """By reason, oldest first within each; what cannot say since when comes last."""
    rank = {reason: number for number, reason in enumerate(REASONS)}
    return tuple(
        sorted(items, key=lambda one: (rank[one.reason], not one.since, day_of(one.since), one.since, one.id))
    )


def day_of(since: str) -> str:
    """The day of a time or date; times of several zones are ordered by it first."""
    return since[:10]


def oldest(items: Sequence[Item]) -> str:
    """The day since which the first of some waits; empty when none can say."""
    return min((day_of(one.since) for one in items if one.since), default="")
