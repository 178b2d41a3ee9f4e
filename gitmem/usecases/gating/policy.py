"""The memory policy that counts for the gate, and what a branch would loosen in it (targets.md, security 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.errors import InvalidDataError
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE
from gitmem.model.policy import MemoryPolicy
from gitmem.model.problem import Problem
from gitmem.store.policies import MEMORY_POLICY, parse_memory_policy
from gitmem.trust.branch import Trusted

_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class CountingPolicy:
    """A policy and where it was read.

    Args:
        policy: What counts.
        commit: The commit that holds it; None when no commit can be trusted here, and the defaults count.
        of: For people, whose it is: ``origin/main``, the base as written, or ``the defaults``.
    """

    policy: MemoryPolicy
    commit: str | None
    of: str


def counting_policy(repo: Repository, trusted: Trusted) -> CountingPolicy:
    """The policy by which the gate judges: that of the trusted commit; the defaults where no file is.

    Args:
        repo: The repository.
        trusted: The trusted branch, or the base of a change.

    Raises:
        InvalidDataError: The file cannot be read, has another version or a field that is none: the gate refuses to guess.
    """
    if trusted.commit is None:
        return CountingPolicy(MemoryPolicy(), None, "the defaults")
    name = trusted.name or trusted.commit[:12]
    found = policy_at(repo, trusted.commit, name)
    return CountingPolicy(found or MemoryPolicy(), trusted.commit, name)


def policy_at(repo: Repository, commit: str, name: str) -> MemoryPolicy | None:
    """The policy file of a commit; None when it has none."""
    entry = repo.entry(commit, MEMORY_POLICY)
    if entry is None:
        return None
    data = (
        repo.read_blob(entry.oid, limit=_LARGEST).data if entry.mode in {MODE_FILE, MODE_EXECUTABLE} else None
    )
    if data is None:
        raise InvalidDataError(
            f"{MEMORY_POLICY} of {name} is no file that can be read, so the gate cannot tell what counts",
            hint="put an ordinary file in its place",
            path=MEMORY_POLICY,
        )
    parsed = parse_memory_policy(MEMORY_POLICY, data)
    if parsed.policy is None:
        first = next(one for one in parsed.problems if one.severity == "error")
        raise InvalidDataError(
            f"{MEMORY_POLICY} of {name}, line {first.line}: {first.message}; the gate refuses to guess what counts",
            hint=first.hint or "gitmem lint tells what is wrong with it",
            path=MEMORY_POLICY,
            line=first.line or None,
            column=first.column or None,
        )
    _refuse_odd(parsed.problems, name)
    return parsed.policy


def _refuse_odd(problems: Sequence[Problem], name: str) -> None:
    """A field that is none was meant for something: a rule that somebody believes in would silently not count.

    Raises:
        InvalidDataError: Naming the field, with the one that may have been meant.
    """
    odd = next((one for one in problems if one.field != "version"), None)
    if odd is not None:
        raise InvalidDataError(
            f"{MEMORY_POLICY} of {name}, line {odd.line}: {odd.message}; the gate refuses to guess what counts",
            hint=odd.hint or "remove it, or write it as x-…",
            path=MEMORY_POLICY,
            line=odd.line or None,
            column=odd.column or None,
        )
