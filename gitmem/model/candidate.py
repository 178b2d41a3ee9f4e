"""A candidate: a proposed lesson in the ledger, and what was decided about it (domain.md section 3).

A candidate is never knowledge. It becomes a memory file on a proposal branch, and that file becomes knowledge when a
person merges it. Decisions are events of their own; where a candidate stands is the newest decision that closes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gitmem.model.memory import Memory
from gitmem.model.standing import CLOSING, Standing

__all__ = ["CLOSING", "NO_ANTI_SCOPE", "Candidate", "Conflict", "Decision", "Similar", "Standing"]

EXTRACTED = "run"
"""``origin.system`` of what gitmem took out of the events of a run."""

NO_ANTI_SCOPE = "none"
"""Written as ``does_not_apply_to``: somebody thought about where the lesson does not hold, and there is no such place."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One ``promotion_decided`` event.

    Args:
        candidate: Id of the candidate it is about.
        decision: The gate's word (accept, refuse, hold, needs_human), a word of `CLOSING`, or a resolution of a conflict
            (kept_existing, superseded, both_hold).
        by: Who decided.
        at: When, RFC 3339.
        reason: Why, in words.
        memory: The memory that it became, superseded or repeats.
        scorecard: What the gate and replay found, as they recorded it.
        blob: Object id of the memory file that the scorecard speaks about.
        run: The run it was written to.
        commit: The commit that carries it.
        order: Position of its event within its run.
    """

    candidate: str
    decision: str
    by: str
    at: str
    reason: str = ""
    memory: str | None = None
    scorecard: Mapping[str, Any] = field(default_factory=dict)
    blob: str | None = None
    run: str = ""
    commit: str = ""
    order: tuple[int, str, str] = (0, "", "")


class Similar(NamedTuple):
    """What says nearly the same.

    Args:
        id: Of the memory or candidate.
        similarity: How near, from 0 to 1.
        known: ``memory`` or ``candidate``.
    """

    id: str
    similarity: float
    known: str = "memory"


class Conflict(NamedTuple):
    """A memory or candidate that says something else about the same thing; only a person answers it.

    Args:
        existing: Its id.
        reason: What differs, in words.
        similarity: How near the two texts are, from 0 to 1.
    """

    existing: str
    reason: str
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed lesson.

    Args:
        memory: What it says, as a memory whose status is candidate; ``file`` names the event it came from.
        run: The run it was written to.
        commit: The commit that carries it.
        seq: Position of its event within its run.
        at: When, RFC 3339.
        actor: Who proposed it.
        session: The agent session.
        code: The code commit at which it was proposed.
        requires_human_review: Whether its author says that a person must look.
        fixed_by: The commit that fixed what it warns of, for replay on both sides.
        similar_to: What said nearly the same when it was proposed, nearest first.
        conflicts: What said something else about the same thing then.
        decisions: All that was decided about it, oldest first.
    """

    memory: Memory
    run: str
    commit: str
    seq: int = 0
    at: str = ""
    actor: str = ""
    session: str | None = None
    code: str | None = None
    requires_human_review: bool = False
    fixed_by: str | None = None
    similar_to: tuple[Similar, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    decisions: tuple[Decision, ...] = ()

    @property
    def id(self) -> str:
        return self.memory.id

    @property
    def closing(self) -> Decision | None:
        """The newest decision that moved it; None while nothing did."""
        return next((one for one in reversed(self.decisions) if one.decision in CLOSING), None)

    @property
    def standing(self) -> Standing:
        closing = self.closing
        return CLOSING[closing.decision] if closing else Standing.OPEN

    @property
    def is_imported(self) -> bool:
        return bool(self.memory.origin.imported)

    @property
    def is_failure_born(self) -> bool:
        """Whether it tells a lesson from a failure: it names a failure class, or its type is one of the failure patterns."""
        origin = self.memory.origin
        return bool(origin.failure_class or origin.failure_type) or (self.memory.type or "").endswith(
            ("failure_pattern", "fix_pattern")
        )
