"""The moves between a memory's statuses (domain.md section 2 "Lifecycle"). No other move is possible."""

from __future__ import annotations

from gitmem.errors import LifecycleError
from gitmem.model.memory import Status

MOVES: dict[tuple[Status, Status], str] = {
    (
        Status.CANDIDATE,
        Status.ACTIVE,
    ): "merged by a person, or by a bot whose recorded scorecard says replay passed",
    (Status.CANDIDATE, Status.DENIED): "no evidence, or imported only",
    (Status.CANDIDATE, Status.ARCHIVED): "withdrawn",
    (Status.ACTIVE, Status.CHALLENGED): "drift, review due, verifier changed, or a suspected regression",
    (Status.ACTIVE, Status.DEPRECATED): "superseded, or a person said so with a reason",
    (Status.CHALLENGED, Status.ACTIVE): "confirmed, or replay passed",
    (Status.CHALLENGED, Status.DEPRECATED): "replay failed, or a person said so",
    (Status.DEPRECATED, Status.ARCHIVED): "a person put it away",
    (Status.DENIED, Status.ARCHIVED): "a person put it away",
}
"""Each move and what brings it about."""


def moves_from(status: Status) -> tuple[Status, ...]:
    """The statuses that can follow."""
    return tuple(after for before, after in MOVES if before is status)


def can_move(before: Status, after: Status) -> bool:
    return (before, after) in MOVES


def check_move(before: Status, after: Status, memory_id: str = "") -> None:
    """Refuse a move that the lifecycle does not have.

    Args:
        before: The status now.
        after: The status wanted.
        memory_id: Named in the message when given.

    Raises:
        LifecycleError: Naming the moves that exist.
    """
    if can_move(before, after):
        return
    subject = f"{memory_id}: " if memory_id else ""
    if before is after:
        message = f"{subject}is {before} already"
    else:
        message = f"{subject}there is no move from {before} to {after}"
    possible = moves_from(before)
    if possible:
        hint = "possible: " + "; ".join(f"{before} → {one} ({MOVES[before, one]})" for one in possible)
    else:
        hint = f"{before} is the end: nothing follows it"
    raise LifecycleError(message, hint=hint)
