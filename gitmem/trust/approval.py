"""Who approved a memory, as far as history tells (domain.md section 2, "Approval is a fact of git").

Names in commits are claims of whoever wrote the commit; what makes them worth something is that the commit reached
the trusted branch. So `by` and `review` are read from the commit that brought the content there, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from gitmem.model.approval import Approval
from gitmem.model.change import Commit, Person
from gitmem.model.memory import Memory
from gitmem.model.problem import Problem

_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*:\s*(\S.*)")
_PERSON = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<email>[^<>]*)>")
_REVIEW_TRAILERS = frozenset({"reviewed-by", "approved-by"})
_FORGES = frozenset({"noreply@github.com", "noreply@gitlab.com", "noreply@gitea.com"})
_SLACK = timedelta(days=1)


class Brought(NamedTuple):
    """How content came to the trusted branch.

    Args:
        commit: The commit of its first-parent history that brought it: a merge, a squash, or the change itself.
        authors: Who wrote the content; the commit's author unless a merge brought it.
    """

    commit: Commit
    authors: tuple[Person, ...]


def approval_facts(
    brought: Brought | None, *, replayed: bool = False, require_review: bool = False
) -> Approval:
    """What history says about a memory that the trusted tip holds.

    Args:
        brought: How it came there; None when history here does not reach that far.
        replayed: Whether the recorded scorecard of exactly this content says that replay passed.
        require_review: ``policy trust.require_review``: what was not reviewed counts as unmerged.
    """
    if brought is None:
        return Approval("unmerged" if require_review else "merged")
    reviewer = _reviewer(brought)
    merger = _merger(brought.commit)
    by = reviewer or merger
    by_bot = reviewer is None and is_bot(merger)
    counts = not (by_bot and not replayed) and (reviewer is not None or not require_review)
    return Approval(
        "merged" if counts else "unmerged",
        review="reviewed" if reviewer else "direct",
        commit=brought.commit.oid,
        by=by.name or by.email,
        at=brought.commit.committed_at,
    )


def is_bot(person: Person) -> bool:
    """Whether the name is one that forges give to machines (``dependabot[bot]``)."""
    return person.name.casefold().endswith("[bot]") or "[bot]@" in person.email.casefold()


def same_person(one: Person, other: Person) -> bool:
    """Whether name or address is the same, letter case aside."""
    emails = {one.email.casefold().strip(), other.email.casefold().strip()}
    names = {one.name.casefold().strip(), other.name.casefold().strip()}
    return (len(emails) == 1 and "" not in emails) or (len(names) == 1 and "" not in names)


def trailers(message: str) -> Iterator[tuple[str, str]]:
    """Lower-case key and value of each trailer of the message's last paragraph, the subject line excepted."""
    paragraphs = re.split(r"\n[ \t]*\n", message.replace("\r\n", "\n").strip())
    for line in paragraphs[-1].split("\n") if len(paragraphs) > 1 else ():
        if found := _TRAILER.fullmatch(line.strip()):
            yield found[1].lower(), found[2]


def has_review_trailer(message: str) -> bool:
    """Whether the message says that somebody reviewed or approved."""
    return any(key in _REVIEW_TRAILERS for key, _ in trailers(message))


def person(text: str) -> Person:
    """A person as trailers write one: ``Name <address>``, or a name alone."""
    found = _PERSON.match(text.strip())
    return Person(found["name"].strip(), found["email"].strip()) if found else Person(text.strip(), "")


def _reviewer(brought: Brought) -> Person | None:
    """The first person that a review trailer names and that did not write the content."""
    told = list(trailers(brought.commit.message))
    authors = [*brought.authors, *(person(value) for key, value in told if key == "co-authored-by")]
    named = (person(value) for key, value in told if key in _REVIEW_TRAILERS)
    return next((one for one in named if not is_bot(one) and not _among(one, authors)), None)


def _among(one: Person, people: Sequence[Person]) -> bool:
    return any(same_person(one, other) for other in people)


def _merger(commit: Commit) -> Person:
    """Who put the commit on the branch: a merge's author; else the committer, unless a forge's button committed."""
    if len(commit.parents) > 1 or commit.committer.email.casefold() in _FORGES:
        return commit.author
    return commit.committer


def claim_problems(memory: Memory, approval: Approval, brought: Brought | None) -> tuple[Problem, ...]:
    """What the file says about its approval and history does not bear out; warnings, since the file still loads.

    Where history does not reach the approving commit nothing can be said, and nothing is.
    """
    if approval.state == "merged" and brought is None:
        return ()
    told = (_name_problem(memory, approval, brought), _date_problem(memory, approval, brought))
    return tuple(one for one in told if one)


def _name_problem(memory: Memory, approval: Approval, brought: Brought | None) -> Problem | None:
    claimed = memory.approved_by
    if not claimed or claimed.casefold() == "human":
        return None
    if approval.state == "unmerged" or brought is None:
        return _claim(
            memory, "approved_by", f"approved_by: {claimed}, but the trusted branch does not hold this"
        )
    commit = brought.commit
    people = [commit.author, commit.committer, *_named(commit)]
    if any(_is_named(claimed, one) for one in people):
        return None
    return _claim(
        memory,
        "approved_by",
        f"approved_by: {claimed}, but commit {commit.oid[:12]} that brought it names {approval.by}",
    )


def _named(commit: Commit) -> Iterator[Person]:
    return (person(value) for key, value in trailers(commit.message) if key in _REVIEW_TRAILERS)


def _is_named(claimed: str, one: Person) -> bool:
    """A claim may be written as name, address, ``Name <address>``, ``@login`` or ``tool/login``."""
    whole = person(claimed)
    login = claimed.rsplit("/", 1)[-1].removeprefix("@").casefold()
    known = {one.name.casefold(), one.email.casefold(), one.email.split("@", 1)[0].casefold()} - {""}
    return same_person(whole, one) or claimed.casefold() in known or login in known


def _date_problem(memory: Memory, approval: Approval, brought: Brought | None) -> Problem | None:
    claimed = memory.approved_at
    if claimed is None:
        return None
    if approval.state == "unmerged" or brought is None:
        return _claim(
            memory, "approved_at", f"approved_at: {claimed}, but the trusted branch does not hold this"
        )
    first, last = _instant(brought.commit.authored_at), _instant(brought.commit.committed_at)
    # A day on both sides: the file says a date, in the writer's time zone.
    earliest, latest = min(first, last) - _SLACK, max(first, last) + _SLACK
    if earliest.date() <= _day(claimed) <= latest.date():
        return None
    return _claim(
        memory,
        "approved_at",
        f"approved_at: {claimed}, but it came to the trusted branch at {brought.commit.committed_at}",
    )


def validation_claim(memory: Memory, *, looked: bool, replayed: bool) -> tuple[Problem, ...]:
    """What the file says about who found it true and nothing bears out.

    Args:
        memory: As its file says.
        looked: Whether a validation of these words says that somebody looked, or the file names when.
        replayed: Whether a replay of it that passed is known here.
    """
    claimed = memory.validated_by
    told = ""
    if claimed == "replay" and not replayed:
        told = "no validation of these words and no run known here has a replay that passed"
    elif claimed == "human" and not looked and (memory.approved_by or "").casefold() != "human":
        told = "no validation of these words says that somebody looked"
    hint = f"leave validated_by out: gitmem confirm {memory.id} records who looked and when"
    message = f"validated_by: {claimed}, but {told}"
    return (Problem(memory.file, 0, 0, "validated_by", message, hint, "warning"),) if told else ()


def _claim(memory: Memory, field: str, message: str) -> Problem:
    hint = f"leave {field} out: git knows who approved it and when"
    return Problem(memory.file, 0, 0, field, message, hint, "warning")


def _instant(text: str) -> datetime:
    told = datetime.fromisoformat(text)
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def _day(value: datetime | date) -> date:
    return value.date() if isinstance(value, datetime) else value
