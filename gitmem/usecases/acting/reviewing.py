"""Ask a forge what its reviews say of memory files, each question once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.ids import is_object_id
from gitmem.promotion.gate import answered
from gitmem.trust.approval import Brought, approval_facts
from gitmem.trust.reviews import Review, Reviewed, Reviewers, newest, review_of
from gitmem.usecases.acting.answer import Arrived, Proposed
from gitmem.usecases.acting.forge import Forge, ForgeError
from gitmem.usecases.acting.history import bring_commit, with_history
from gitmem.usecases.approvals import Asked, how_brought
from gitmem.usecases.edits import memory_changes
from gitmem.usecases.gate import Gated

NOBODY = "no token was given, so reviews were not asked for"


class _Reviews(NamedTuple):
    reviews: Sequence[Review]
    people: Reviewers


class Reviewing:
    """Reviews of pull requests, as far as the forge tells.

    Args:
        repo: Where reviewed commits are looked up.
        forge: Whom to ask; None when nobody can be asked.
    """

    def __init__(self, repo: Repository, forge: Forge | None) -> None:
        self._repo = repo
        self._forge = forge
        self._known: dict[int, _Reviews] = {}

    def of_pull(self, number: int, file: str, blob: str | None) -> Reviewed:
        """What the reviews of a pull request say of a file with this content."""
        if self._forge is None:
            return Reviewed("unknown", why=NOBODY)
        try:
            reviews, people = self._reviews(self._forge, number)
        except ForgeError as error:
            return Reviewed("unknown", why=error.message)
        return review_of(reviews, people, self._holds(file, blob))

    def of_commit(self, commit: str, file: str, blob: str) -> Reviewed:
        """What the reviews of the pull requests that brought a commit say of a file with this content."""
        if self._forge is None:
            return Reviewed("unknown", why=NOBODY)
        try:
            numbers = self._forge.pulls_of(commit)
        except ForgeError as error:
            return Reviewed("unknown", why=error.message)
        told = [self.of_pull(number, file, blob) for number in numbers]
        order = ("approved", "unknown", "refused", "waiting")
        return min(
            told, key=lambda one: order.index(one.state), default=Reviewed("waiting", why="no pull request")
        )

    def _reviews(self, forge: Forge, number: int) -> _Reviews:
        if number not in self._known:
            reviews = forge.reviews(number)
            deciding = [one.login for one in newest(reviews).values() if one.state != "DISMISSED"]
            authors = forge.authors(number) if deciding else ()
            may = {login: forge.may_write(login) for login in deciding}
            self._known[number] = _Reviews(reviews, Reviewers(authors, may))
        return self._known[number]

    def _holds(self, file: str, blob: str | None) -> Callable[[str], bool]:
        def holds(commit: str) -> bool:
            if blob is None or not is_object_id(commit):
                return False
            try:
                bring_commit(self._repo, commit)
                entry = self._repo.entry(commit, file)
            except GitmemError:
                return False
            return entry is not None and entry.oid == blob

        return holds


def with_review(gated: Gated, reviewed: Reviewed | None) -> Proposed:
    """What the gate says once the review is counted: an approval answers what needs a person, as the merge will."""
    if reviewed is None or reviewed.state != "approved":
        return Proposed(gated, reviewed)
    judged = answered(gated.judged, f"{', '.join(reviewed.by)} approved it in review")
    told = Gated(gated.subject, judged, gated.memory, gated.candidate, gated.file, gated.blob)
    return Proposed(told, reviewed)


def arrivals(
    repo: Repository, before: str, head: str, forge: Forge | None, doubts: Mapping[str, str]
) -> tuple[Repository, tuple[Arrived, ...]]:
    """Memory files whose words a push brought, and whether each came through an approving review.

    Args:
        repo: Where.
        before: Where the branch stood before.
        head: Where it stands.
        forge: Whom to ask.
        doubts: By file, why history alone does not let it count (`gitmem.usecases.knowledge.KnownMemory.doubt`).
    """
    rows = [one for one in memory_changes(repo, before, head) if one.new_path and one.new_oid]
    asked = [Asked(one.new_path or "", one.new_oid or "") for one in rows]
    repo, brought, _ = with_history(
        repo, [head], lambda now: how_brought(now, head, asked), lambda found: len(found) < len(asked)
    )
    reviewing = Reviewing(repo, forge)
    found = (_arrived(one, brought.get(one.file), reviewing) for one in asked)
    return repo, tuple(one._replace(doubt=doubts.get(one.file, "")) for one in found)


def _arrived(asked: Asked, brought: Brought | None, reviewing: Reviewing) -> Arrived:
    if brought is None:
        return Arrived(
            asked.file, None, "", "unknown", "history here does not reach the commit that brought it"
        )
    facts, commit = approval_facts(brought), brought.commit.oid
    if facts.review == "reviewed":
        return Arrived(asked.file, commit, facts.by or "", "reviewed")
    said = reviewing.of_commit(commit, asked.file, asked.blob)
    review: Literal["reviewed", "direct", "unknown"] = "direct"
    if said.state == "approved":
        review = "reviewed"
    elif said.state == "unknown":
        review = "unknown"
    by = ", ".join(said.by) if review == "reviewed" else facts.by or ""
    return Arrived(asked.file, commit, by, review, said.why)
