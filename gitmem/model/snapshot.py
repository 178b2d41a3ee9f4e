"""The state of a run as a value; `gitmem.model.run` says how it comes about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

PHASES = (
    "created",
    "implementing",
    "reviewing",
    "testing",
    "tested",
    "fixing",
    "failed_test",
    "waiting_human",
    "completed",
    "abandoned",
)


NEWEST = 50
"""How many attempts and reviews a snapshot holds; the events hold all of them, and `attempt` counts them."""


class LastTest(NamedTuple):
    """The last test that ran: ``passed`` or ``failed``, by which command, told by which event, on which code."""

    status: str
    command: str | None
    seq: int
    code: str | None = None
    dirty: bool | None = None


class Uncommitted(NamedTuple):
    """The work tree as it was last seen with changes after a commit that no commit was recorded for since.

    Args:
        seq: Of the event that told it.
        code: The commit that the changes came after.
        writer: The clone whose work tree it is; another one's being clean, or a commit there, says nothing of it.
    """

    seq: int
    code: str | None = None
    writer: str = ""


class Failure(NamedTuple):
    """What failed last and did not pass since.

    Args:
        type: ``test_failed`` or ``review_failed``.
        seq: Of the event that told it.
        artifact: Its log or report.
        command: The command that failed.
        exit_code: How it ended.
        failure_class: As the event says it.
        failing: Names of the failing tests.
        findings: What the review found.
    """

    type: str
    seq: int
    artifact: str | None = None
    command: str | None = None
    exit_code: int | float | None = None
    failure_class: str | None = None
    failing: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()


class Finding(NamedTuple):
    """A finding: noted by somebody, or from the newest review."""

    finding: str
    seq: int
    of_review: bool = False


class Decision(NamedTuple):
    decision: str
    reason: str | None
    seq: int


class Approach(NamedTuple):
    approach: str
    reason: str | None
    seq: int


class Session(NamedTuple):
    """One agent session; ``ended_seq`` is None while it is open."""

    session: str
    agent: str | None = None
    model: str | None = None
    started_seq: int | None = None
    ended_seq: int | None = None
    summary: str | None = None
    used_memories: tuple[str, ...] = ()


class Attempt(NamedTuple):
    """One implementation and what became of it.

    Args:
        number: From 1.
        seq: Of the event that told it.
        agent: Who made it.
        artifact: What the event names.
        outcome: The newest review or test of it: ``test_failed``, ``review_passed``, …
        outcome_seq: Of that event.
        detail: What failed first: a test, a finding, else the command.
    """

    number: int
    seq: int
    agent: str
    artifact: str | None = None
    outcome: str | None = None
    outcome_seq: int | None = None
    detail: str | None = None


class Review(NamedTuple):
    """One review: the event that told it, ``review_passed`` or ``review_failed``, and how many findings it has."""

    type: str
    seq: int
    artifact: str | None = None
    findings: int = 0


class Told(NamedTuple):
    """The newest event in which somebody said how the work stands, as opposed to one that merely happened to it."""

    seq: int
    at: str
    code: str | None = None
    branch: str | None = None
    dirty: bool | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A run after some of its events.

    Args:
        run_id: The run.
        task: Its slug.
        goal: Its goal sentence.
        phase: One of `PHASES`.
        current_agent: The open session's agent, else the last agent that did something.
        attempt: Implementations so far.
        last_successful_step: ``plan``, ``implementation``, ``review`` or ``test``.
        last_successful_seq: Of the event that told it.
        last_successful_event: The commit of that event.
        last_successful_code: The code commit that HEAD named then.
        last_successful_dirty: Whether the work tree differed from that commit; None when nobody looked.
        last_successful_followed_by: The first commit recorded since, when it did.
        next_step: What was set as the next step.
        next_step_seq: Of the event that set it.
        changed_files: Files that implementations and commits named.
        allowed_files: Files that the task may edit; empty means all.
        last_test: The last test.
        last_failure: The failure that still stands.
        last_artifact: The newest artifact that an event other than a failure named.
        findings: Noted ones and those of the newest review.
        decisions: All of them.
        adopted_approach: The approach in use.
        rejected_approaches: What must not be tried again.
        remaining_risks: Noted and not cleared.
        waiting_human: Whether the run waits for a person.
        question: What the person was asked.
        sessions: All of them, in order of their first event.
        code: The code commit of the newest event that names one.
        started_code: The code commit of the first event that names one.
        plan: The artifact of the approved plan.
        attempts: The `NEWEST` implementations with what became of each.
        reviews: The `NEWEST` of them.
        paused: Whether the run was paused and not resumed or ended since.
        pause_reason: Why.
        told: As of when the state was told.
        uncommitted: Changes that were last seen in the work tree and not recorded as a commit since.
        ended_seq: Of the event that ended the run; None while it goes on.
        underlying_phase: The phase below ``waiting_human``, ``completed`` and ``abandoned``.
    """

    run_id: str = ""
    task: str | None = None
    goal: str | None = None
    phase: str = "created"
    current_agent: str | None = None
    attempt: int = 0
    last_successful_step: str | None = None
    last_successful_seq: int | None = None
    last_successful_event: str | None = None
    last_successful_code: str | None = None
    last_successful_dirty: bool | None = None
    last_successful_followed_by: str | None = None
    next_step: str | None = None
    next_step_seq: int | None = None
    changed_files: tuple[str, ...] = ()
    allowed_files: tuple[str, ...] = ()
    last_test: LastTest | None = None
    last_failure: Failure | None = None
    last_artifact: str | None = None
    findings: tuple[Finding, ...] = ()
    decisions: tuple[Decision, ...] = ()
    adopted_approach: Approach | None = None
    rejected_approaches: tuple[Approach, ...] = ()
    remaining_risks: tuple[str, ...] = ()
    waiting_human: bool = False
    question: str | None = None
    sessions: tuple[Session, ...] = ()
    code: str | None = None
    started_code: str | None = None
    plan: str | None = None
    attempts: tuple[Attempt, ...] = ()
    reviews: tuple[Review, ...] = ()
    paused: bool = False
    pause_reason: str | None = None
    told: Told | None = None
    uncommitted: Uncommitted | None = None
    ended_seq: int | None = None
    underlying_phase: str = field(default="created", repr=False)


_VALUES: dict[str, type[Any]] = {
    "last_test": LastTest,
    "last_failure": Failure,
    "findings": Finding,
    "decisions": Decision,
    "adopted_approach": Approach,
    "rejected_approaches": Approach,
    "sessions": Session,
    "attempts": Attempt,
    "reviews": Review,
    "told": Told,
    "uncommitted": Uncommitted,
}
_SINGLE = frozenset({"last_test", "last_failure", "adopted_approach", "told", "uncommitted"})


def to_plain(state: Snapshot) -> dict[str, Any]:
    """A snapshot as tuples, texts and numbers, for a cache."""
    return {one.name: _plain(getattr(state, one.name)) for one in fields(state)}


def from_plain(plain: Mapping[str, Any]) -> Snapshot:
    """What `to_plain` was made from.

    Raises:
        TypeError, ValueError: When it is not of this shape.
    """
    made = dict(plain)
    for name, kind in _VALUES.items():
        held = made[name]
        if name in _SINGLE:
            made[name] = None if held is None else kind(*held)
        else:
            made[name] = tuple(kind(*item) for item in held)
    return Snapshot(**made)


def _plain(value: Any) -> Any:
    return tuple(_plain(item) for item in value) if isinstance(value, tuple) else value
