"""The status that counts, over what the file says (cli.md, JSON of `list`): proposed, challenged, else the file's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from gitmem.model.memory import Memory, Status
from gitmem.model.policy import MemoryPolicy
from gitmem.model.validation import Validation

PROPOSED = "proposed"
_LIVING = frozenset({Status.ACTIVE, Status.CHALLENGED})


def effective_status(
    memory: Memory, *, merged: bool, challenged_by: Sequence[str] = (), heir: str | None = None
) -> str:
    """The status that counts.

    Args:
        memory: As its file says.
        merged: Whether the trusted branch holds it and that counts.
        challenged_by: What challenges it: drift, review, expiry, mark.
        heir: Id of an approved memory that supersedes it.
    """
    if not merged:
        return PROPOSED
    if memory.status not in _LIVING:
        return memory.status.value
    if heir is not None:
        return Status.DEPRECATED.value
    # A mark that a later validation cleared no longer says challenged, whatever the file still says.
    return Status.CHALLENGED.value if challenged_by else Status.ACTIVE.value


def date_challenges(
    memory: Memory, validated: datetime | date | None, today: date, *, review_after: date | None = None
) -> tuple[str, ...]:
    """Which of ``review``, ``expiry`` and ``mark`` challenge it without looking at code.

    Args:
        memory: As its file says.
        validated: Its newest validation that counts: one newer than the review date or the mark clears them.
        today: The day to judge at.
        review_after: The review date when policy gives one that the file does not.
    """
    return challenge_dates(memory, validated, review_after=review_after).due(today)


class ChallengeDates(NamedTuple):
    """What challenges a memory without a look at code, whatever the day.

    Args:
        review: Day after which a review is due; None when none is, or a validation cleared it.
        expiry: Day after which it has expired.
        marked: Whether somebody challenged it and nobody confirmed it since.
    """

    review: date | None
    expiry: date | None
    marked: bool

    def due(self, today: date) -> tuple[str, ...]:
        """``review``, ``expiry`` and ``mark``, those that challenge on a day."""
        told = []
        if self.review is not None and self.review < today:
            told.append("review")
        if self.expiry is not None and self.expiry < today:
            told.append("expiry")
        return (*told, "mark") if self.marked else tuple(told)


def challenge_dates(
    memory: Memory, validated: datetime | date | None, *, review_after: date | None = None
) -> ChallengeDates:
    """The days on which dates begin to challenge it; see `date_challenges`."""
    due = memory.review_after or review_after
    return ChallengeDates(
        None if due is None or _clears(validated, due) else due,
        memory.expires_at,
        memory.status is Status.CHALLENGED and not _clears(validated, memory.challenged_at),
    )


def retention_date(memory: Memory, validated: datetime | date | None, policy: MemoryPolicy) -> date | None:
    """When the policy's retention has a memory reviewed that names no date itself; None = never by age.

    Args:
        memory: As its file says.
        validated: Its newest validation; None when nobody validated it.
        policy: The trusted policy.
    """
    known = [
        at
        for at in (validated, memory.last_validated_at, memory.approved_at, memory.created_at)
        if at is not None
    ]
    return policy.due(memory.type, max(map(_day, known))) if known else None


def _clears(validated: datetime | date | None, since: datetime | date | None) -> bool:
    return validated is not None and since is not None and is_newer(validated, since)


def is_newer(one: datetime | date, other: datetime | date) -> bool:
    """Whether one time is later: by the instant where both tell one, by the day otherwise."""
    if isinstance(one, datetime) and isinstance(other, datetime) and one.tzinfo and other.tzinfo:
        return one > other
    return _day(one) > _day(other)


def _day(value: datetime | date) -> date:
    return value.date() if isinstance(value, datetime) else value


def newest(validations: Iterable[Validation]) -> Validation | None:
    """The validation with the latest time; a day without a time counts as its start."""
    return max(validations, key=moment, default=None)


def moment(validation: Validation) -> tuple[float, str]:
    """What validations are ordered by: their instant, then their file."""
    at = validation.at
    instant = at if isinstance(at, datetime) else datetime(at.year, at.month, at.day, tzinfo=UTC)
    return ((instant if instant.tzinfo else instant.replace(tzinfo=UTC)).timestamp(), validation.file)


def heirs(approved: Iterable[Memory]) -> Mapping[str, str]:
    """Superseded id to the id of the approved memory that takes its place.

    Only living approved memories supersede: a proposal, or an heir that was itself retired, takes nobody's place.
    """
    known = {memory.id: memory for memory in approved}
    taken: dict[str, str] = {}
    for memory in known.values():
        if memory.status in _LIVING:
            taken.update({old: memory.id for old in memory.supersedes if old in known and old != memory.id})
        for new in memory.superseded_by:
            if new in known and new != memory.id:
                taken.setdefault(memory.id, new)
    return taken
