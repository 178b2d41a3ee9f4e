"""Ask a forge what its reviews say of memory files, each question once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.change import Commit
from gitmem.model.ids import is_object_id
from gitmem.promotion.gate import answered
from gitmem.trust.approval import Brought, approval_facts
from gitmem.trust.reviews import Review, Reviewed, Reviewers, newest, review_of
from gitmem.usecases.acting.answer import Arrived, Proposed
from gitmem.usecases.acting.forge import Forge, ForgeError
from gitmem.usecases.acting.history import bring_commit, with_history
from gitmem.usecases.approvals import Asked, how_brought
from gitmem.usecases.edits import memory_changes, read_edits, removed_files
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
        """What the reviews of a pull request say of a file with this content; None says that it is removed."""
        if self._forge is None:
            return Reviewed("unknown", why=NOBODY)
        try:
            reviews, people = self._reviews(self._forge, number)
        except ForgeError as error:
            return Reviewed("unknown", why=error.message)
        return review_of(reviews, people, self._holds(file, blob))

    def of_commit(self, commit: str, file: str, blob: str | None) -> Reviewed:
        """What the reviews of the pull requests that brought a commit say of a file, as `of_pull` does."""
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
            if not is_object_id(commit):
                return False
            try:
                bring_commit(self._repo, commit)
                return blob_at(self._repo, commit, file) == blob
            except GitmemError:
                return False

        return holds


def with_review(gated: Gated, reviewed: Reviewed | None) -> Proposed:
    """What the gate says once the review is counted: an approval answers what needs a person, as the merge will."""
    if reviewed is None or reviewed.state != "approved":
        return Proposed(gated, reviewed)
    judged = answered(gated.judged, f"{', '.join(reviewed.by)} approved it in review")
    told = Gated(gated.subject, judged, gated.memory, gated.candidate, gated.file, gated.blob)
    return Proposed(told, reviewed)


def blob_at(repo: Repository, commit: str, file: str) -> str | None:
    """Object id of a file in a commit; None where it has none."""
    entry = repo.entry(commit, file)
    return entry.oid if entry is not None else None


def arrivals(
    repo: Repository, push: tuple[str, str], forge: Forge | None, doubts: Mapping[str, str], *, strict: bool
) -> tuple[Repository, tuple[Arrived, ...]]:
    """Memory files whose words a push brought or took away, and whether each came through an approving review.

    Args:
        repo: Where.
        push: Where the branch stood before, and where it stands.
        forge: Whom to ask.
        doubts: By file, why history alone does not let it count (`gitmem.usecases.knowledge.KnownMemory.doubt`).
        strict: Whether the policy asks for a review.
    """
    before, head = push
    rows = [one for one in memory_changes(repo, before, head) if one.new_path and one.new_oid]
    asked = [Asked(one.new_path or "", one.new_oid or "") for one in rows]
    repo, brought, _ = with_history(
        repo, [head], lambda now: how_brought(now, head, asked), lambda found: len(found) < len(asked)
    )
    reviewing = Reviewing(repo, forge)
    found = (_arrived(one.file, one.blob, brought.get(one.file), reviewing) for one in asked)
    came = (one._replace(doubt=doubts.get(one.file, "")) for one in found)
    gone = (
        one._replace(removed=True, doubt="unreviewed" if strict and one.review != "reviewed" else "")
        for one in _departures(repo, before, head, reviewing)
    )
    return repo, (*came, *gone)


def _departures(repo: Repository, before: str, head: str, reviewing: Reviewing) -> Iterator[Arrived]:
    removed = frozenset(removed_files(repo, read_edits(repo, before, head)))
    commits = _that_removed(repo, head, removed) if removed else {}
    for file in sorted(removed):
        commit = commits.get(file)
        brought = Brought(commit, (commit.author,)) if commit is not None else None
        yield _arrived(file, blob_at(repo, head, file), brought, reviewing)


def _that_removed(repo: Repository, head: str, files: Collection[str]) -> Mapping[str, Commit]:
    """The newest commit of the first-parent history that removed or rewrote each of some files."""
    found: dict[str, Commit] = {}
    for commit, rows in repo.log_changes(until=head, under=sorted(files), first_parent=True):
        for row in rows:
            if row.old_path in files:
                found.setdefault(row.old_path or "", commit)
        if len(found) == len(files):
            break
    return found


def _arrived(file: str, blob: str | None, brought: Brought | None, reviewing: Reviewing) -> Arrived:
    if brought is None:
        return Arrived(file, None, "", "unknown", "history here does not reach the commit that did it")
    facts, commit = approval_facts(brought), brought.commit.oid
    if facts.review == "reviewed":
        return Arrived(file, commit, facts.by or "", "reviewed")
    said = reviewing.of_commit(commit, file, blob)
    review: Literal["reviewed", "direct", "unknown"] = "direct"
    if said.state == "approved":
        review = "reviewed"
    elif said.state == "unknown":
        review = "unknown"
    by = ", ".join(said.by) if review == "reviewed" else facts.by or ""
    return Arrived(file, commit, by, review, said.why)
