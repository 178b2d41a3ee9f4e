"""Whether a review on a forge approves a memory file (domain.md section 2: the Action saw an approving review).

An approval counts when a person with write access gave it who neither opened the pull request nor wrote any of its
commits, when it is that person's newest word, and when it was given for exactly the words that are to be merged: an
approval stays on its pull request while its author pushes other words, so the reviewed commit must hold the same file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple

_DECIDING = frozenset({"APPROVED", "CHANGES_REQUESTED", "DISMISSED"})
"""A mere comment takes back nothing."""


class Review(NamedTuple):
    """One review as the forge tells it.

    Args:
        login: Who gave it.
        is_person: Whether the forge says that it is no machine.
        state: ``APPROVED``, ``CHANGES_REQUESTED``, ``COMMENTED``, ``DISMISSED`` or ``PENDING``.
        commit: What was looked at; empty when not told.
    """

    login: str
    is_person: bool
    state: str
    commit: str


class Reviewed(NamedTuple):
    """What the reviews say of one file.

    Args:
        state: ``approved``, ``refused`` (a person asks for changes), ``waiting``, or ``unknown``: the forge does not tell.
        by: Logins of the persons who decide it.
        why: What is in the way, one clause; empty when approved.
    """

    state: Literal["approved", "refused", "waiting", "unknown"]
    by: tuple[str, ...] = ()
    why: str = ""


class Reviewers(NamedTuple):
    """Who takes part in a pull request.

    Args:
        authors: Logins of who opened it or wrote a commit of it.
        may_write: By login, whether the person has write access; None when the forge does not tell.
    """

    authors: Collection[str]
    may_write: Mapping[str, bool | None]


def newest(reviews: Sequence[Review]) -> Mapping[str, Review]:
    """The newest deciding review of each person, oldest first as the forge lists them."""
    return {one.login.casefold(): one for one in reviews if one.state in _DECIDING and one.login}


def review_of(reviews: Sequence[Review], people: Reviewers, holds_same: Callable[[str], bool]) -> Reviewed:
    """What the reviews say of one file.

    Args:
        reviews: All of the pull request, oldest first.
        people: Who wrote it and who may write.
        holds_same: Whether a commit holds the file just as it is to be merged.
    """
    authors = {one.casefold() for one in people.authors}
    standing = [one for key, one in newest(reviews).items() if key not in authors and one.is_person]
    said = [one for one in standing if one.state != "DISMISSED"]
    may = {one.login: people.may_write.get(one.login) for one in said}
    refusing = [one.login for one in said if one.state == "CHANGES_REQUESTED" and may[one.login]]
    if refusing:
        return Reviewed("refused", tuple(refusing), "changes are requested")
    approving = [one for one in said if one.state == "APPROVED"]
    counting = [one for one in approving if may[one.login]]
    fresh = [one.login for one in counting if holds_same(one.commit)]
    if fresh:
        return Reviewed("approved", tuple(fresh))
    if counting:
        return Reviewed("waiting", tuple(one.login for one in counting), "the approval is of other words")
    if any(may[one.login] is None for one in approving):
        return Reviewed("unknown", tuple(one.login for one in approving), "who may write is not told")
    if approving:
        return Reviewed("waiting", tuple(one.login for one in approving), "who approved has no write access")
    return Reviewed("waiting", (), _missing(reviews, authors))


def _missing(reviews: Sequence[Review], authors: Collection[str]) -> str:
    approvals = [one for one in newest(reviews).values() if one.state == "APPROVED"]
    if any(one.login.casefold() in authors for one in approvals):
        return "who wrote a change cannot approve it"
    if approvals:
        return "a machine's approval counts for nothing"
    return "no person has approved it yet"
