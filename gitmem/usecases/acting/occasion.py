"""Why a runner was started: the event as a forge's runner hands it over, read into what the checks need.

An event file is written by the forge, yet half of what it holds was typed by whoever opened the pull request: branch
names, titles, logins. Commits are taken from it only as whole object ids, names only where they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gitmem.errors import InvalidDataError, UsageError
from gitmem.model.ids import is_object_id

EVENTS = ("push", "pull_request", "pull_request_review", "merge_group", "schedule", "workflow_dispatch")
_QUEUED = re.compile(r"refs/heads/gh-readonly-queue/.+/pr-([1-9]\d{0,9})-[0-9a-f]{40,64}")
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_CURE = "run it from a workflow: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are the runner's"


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request as its event tells it.

    Args:
        number: Its number.
        author: Login of who opened it.
        head: The commit that is to be merged.
        branch: Name of its branch, as typed by its author.
        target: Name of the branch that it is to be merged into.
        repository: ``owner/name`` that the branch lies in; empty when that one is gone.
        is_fork: Whether the branch lies in another repository, so that the token may only read.
    """

    number: int
    author: str
    head: str
    branch: str
    target: str
    repository: str
    is_fork: bool


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a run is about.

    Args:
        event: The event's name.
        kind: ``branch``: the default branch stands where it stands; ``change``: something is to be merged into it.
        repository: ``owner/name``.
        default_branch: Its short name.
        base: The commit that a change is to be merged into, from the event and nowhere else; None when it tells none.
        before: Where the default branch stood before a push; None when not told, as on a new branch.
        pull: The pull request, when it is one.
        queued: Number of the pull request that a merge queue tries; None elsewhere, and where the queue does not tell.
        idle: Why there is nothing to check; empty when there is.
    """

    event: str
    kind: Literal["branch", "change"]
    repository: str
    default_branch: str
    base: str | None = None
    before: str | None = None
    pull: PullRequest | None = None
    queued: int | None = None
    idle: str = ""


def read_occasion(name: str, document: Mapping[str, Any], *, repository: str, ref: str = "") -> Occasion:
    """Read an event.

    Args:
        name: ``GITHUB_EVENT_NAME``.
        document: The event file.
        repository: ``GITHUB_REPOSITORY``.
        ref: ``GITHUB_REF``, which alone tells the branch of a schedule.

    Raises:
        UsageError: An event that is not served.
        InvalidDataError: Something that must be there is not, or is of another kind.
    """
    if name not in EVENTS:
        raise UsageError(f"the event {name or '(none)'} is not served", hint=_cure(name))
    if not _REPOSITORY.fullmatch(repository):
        raise InvalidDataError(f"GITHUB_REPOSITORY is no owner/name: {repository!r}", hint=_CURE)
    default = _default_branch(document, ref, is_schedule=name == "schedule")
    if name in {"pull_request", "pull_request_review"}:
        return _pull_request(name, document, repository, default)
    if name == "merge_group":
        return _queued(document, repository, default)
    if name == "push":
        return _push(document, repository, default)
    is_default = name == "schedule" or _text(document, "ref") in {default, f"refs/heads/{default}"}
    return Occasion(name, "branch" if is_default else "change", repository, default)


def _cure(name: str) -> str:
    if name == "pull_request_target":
        return "use pull_request: it needs no secret, and pull_request_target hands write permission to a stranger's change"
    return f"run it on {', '.join(EVENTS)}" if name else _CURE


def _queued(document: Mapping[str, Any], repository: str, default: str) -> Occasion:
    group = _mapping(document, "merge_group")
    _commit(group, "merge_group.head_sha")
    base, ref = _commit(group, "merge_group.base_sha"), _perhaps(group, "merge_group.head_ref")
    found = _QUEUED.fullmatch(ref)
    return Occasion(
        "merge_group", "change", repository, default, base=base, queued=int(found[1]) if found else None
    )


def _push(document: Mapping[str, Any], repository: str, default: str) -> Occasion:
    ref, before, _ = _text(document, "ref"), _commit(document, "before"), _commit(document, "after")
    known = before if before.strip("0") else None
    deleted = document.get("deleted", False)
    if not isinstance(deleted, bool):
        raise _unlike("deleted", deleted, "true or false")
    idle = ""
    if deleted:
        idle = "the branch was deleted"
    elif not ref.startswith("refs/heads/"):
        idle = "this is no branch"
    if ref == f"refs/heads/{default}":
        return Occasion("push", "branch", repository, default, before=known, idle=idle)
    return Occasion("push", "change", repository, default, idle=idle)


def _pull_request(name: str, document: Mapping[str, Any], repository: str, default: str) -> Occasion:
    pull = _mapping(document, "pull_request")
    head, base = _mapping(pull, "pull_request.head"), _mapping(pull, "pull_request.base")
    number = pull.get("number")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise _unlike("pull_request.number", number, "a number")
    # The repository of a fork that was deleted is null.
    of = _inner(head, "pull_request.head.repo", "full_name")
    told = PullRequest(
        number=number,
        author=_inner(pull, "pull_request.user", "login"),
        head=_commit(head, "pull_request.head.sha"),
        branch=_perhaps(head, "pull_request.head.ref"),
        target=_perhaps(base, "pull_request.base.ref"),
        repository=of if _REPOSITORY.fullmatch(of) else "",
        is_fork=of.casefold() != repository.casefold(),
    )
    is_closed = _perhaps(pull, "pull_request.state") == "closed"
    closed = "the pull request is closed" if is_closed else ""
    commit = _commit(base, "pull_request.base.sha")
    return Occasion(name, "change", repository, default, base=commit, pull=told, idle=closed)


def _default_branch(document: Mapping[str, Any], ref: str, *, is_schedule: bool) -> str:
    """As the event's repository tells it; a schedule runs on the default branch and may come without a repository."""
    found = document.get("repository")
    name = found.get("default_branch") if isinstance(found, dict) else None
    if isinstance(name, str) and name:
        return name
    if is_schedule and ref.startswith("refs/heads/"):
        return ref.removeprefix("refs/heads/")
    raise _unlike("repository.default_branch", name, "a text")


def _inner(document: Mapping[str, Any], outer: str, field: str) -> str:
    """A text that may be missing, as that of an account or a repository that is gone."""
    if document.get(outer.rpartition(".")[2]) is None:
        return ""
    return _perhaps(_mapping(document, outer), f"{outer}.{field}")


def _perhaps(document: Mapping[str, Any], field: str) -> str:
    """A text that may be missing; empty then."""
    found = document.get(field.rpartition(".")[2])
    if found is not None and not isinstance(found, str):
        raise _unlike(field, found, "a text")
    return found or ""


def _mapping(document: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    found = document.get(field.rpartition(".")[2])
    if not isinstance(found, dict):
        raise _unlike(field, found, "a mapping")
    return found


def _text(document: Mapping[str, Any], field: str) -> str:
    found = document.get(field.rpartition(".")[2])
    if not isinstance(found, str) or not found:
        raise _unlike(field, found, "a text")
    return found


def _commit(document: Mapping[str, Any], field: str) -> str:
    found = _text(document, field)
    if not is_object_id(found):
        raise _unlike(field, found, "a commit id")
    return found


def _unlike(field: str, found: object, wanted: str) -> InvalidDataError:
    return InvalidDataError(f"the event's {field} is {str(found)[:80]!r} and not {wanted}", hint=_CURE)
