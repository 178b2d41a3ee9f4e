"""History that a shallow checkout lacks: fetched in steps, no more than is needed.

``actions/checkout`` brings one commit unless told otherwise. What is compared are trees, so most answers need only the
base commit itself; ancestry is needed for where a branch parted, and for memories whose baseline nobody recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from gitmem.errors import GitmemError, NotServedError
from gitmem.git.interface import Repository
from gitmem.git.opening import open_repository
from gitmem.git.transport import deepen, fetch_commit, fetch_refs, list_remote

STEPS: tuple[int | None, ...] = (50, 500, None)
"""Commits more each time; None is everything."""

REMOTE = "origin"
_RUNS = "refs/ai/runs/*"
_T = TypeVar("_T")


def bring_commit(repo: Repository, commit: str) -> None:
    """See to it that a commit that the event names is here.

    Raises:
        NotServedError: It is not, and cannot be fetched.
    """
    if repo.has(commit):
        return
    try:
        fetch_commit(repo, REMOTE, commit)
    except GitmemError as error:
        raise NotServedError(
            f"commit {commit[:12]}, which the event names, is not here and cannot be fetched: {error.message}",
            hint="check out with fetch-depth: 0",
        ) from None


def with_history(
    repo: Repository, commits: Sequence[str], ask: Callable[[Repository], _T], lacks: Callable[[_T], bool]
) -> tuple[Repository, _T, str]:
    """Ask something of a clone, deepening it until the answer lacks nothing or there is nothing more.

    Args:
        repo: The clone.
        commits: Commits that are here and whose history is wanted.
        ask: The question.
        lacks: Whether an answer lacks history.

    Returns:
        The clone as it is now, the answer, and why more could not be fetched (empty when all was well).
    """
    answer = ask(repo)
    for by in STEPS:
        if not repo.layout.shallow or not lacks(answer):
            break
        try:
            deepen(repo, REMOTE, commits, by)
        except GitmemError as error:
            return repo, answer, error.message
        repo = reopened(repo)
        answer = ask(repo)
    return repo, answer, ""


def reopened(repo: Repository) -> Repository:
    """The same clone, its shallowness read anew."""
    return open_repository(repo.layout.work_tree or repo.layout.git_dir)


def bring_runs(repo: Repository) -> Iterator[str]:
    """Fetch the run ledger, since evidence may lie in it; yields why it could not be, if so."""
    try:
        refs = list_remote(repo, REMOTE, [_RUNS])
        refused = fetch_refs(repo, REMOTE, [ref for ref, oid in refs.items() if repo.ref(ref) != oid])
    except GitmemError as error:
        refused = error.message
    if refused:
        yield f"the run ledger could not be fetched, so evidence in it was not found: {refused}"


def default_tip(repo: Repository, branch: str) -> str | None:
    """The commit that the server's default branch stands at, brought here; None when it cannot be told."""
    ref = f"refs/heads/{branch}"
    try:
        tip = list_remote(repo, REMOTE, [ref]).get(ref)
        if tip is not None:
            bring_commit(repo, tip)
    except GitmemError:
        return None
    return tip
