"""Which branch is trusted (domain.md section 2): candidates in order, each with the reason to be read by people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

TRUSTED_KEY = "gitmem.trustedRef"
DEFAULT_BRANCHES = ("main", "master")


class Trusted(NamedTuple):
    """The branch whose tip holds what is approved.

    Args:
        ref: Full name; None when no branch can be trusted here.
        commit: Its tip; None when no branch can be trusted or it has no commit.
        why: One clause: why this branch, or why none.
        remote: The remote it stands for; None for a local branch.
        verified: Whether the server said that its default branch stands at this commit.
    """

    ref: str | None
    commit: str | None
    why: str
    remote: str | None = None
    verified: bool = False

    @property
    def name(self) -> str:
        """Short name as people write it, such as ``origin/main``; empty without a branch."""
        return short_name(self.ref) if self.ref else ""


def short_name(ref: str) -> str:
    """``refs/remotes/origin/main`` as ``origin/main``."""
    for prefix in ("refs/heads/", "refs/remotes/", "refs/"):
        if ref.startswith(prefix):
            return ref.removeprefix(prefix)
    return ref


def choose_remote(remotes: Sequence[str], default: str | None) -> str | None:
    """The remote that counts: origin, else the only one, else ``checkout.defaultRemote``; None when none stands out."""
    if "origin" in remotes:
        return "origin"
    if len(remotes) == 1:
        return remotes[0]
    return default if default in remotes else None


def configured_refs(value: str) -> tuple[str, ...]:
    """Full names that a ``gitmem.trustedRef`` may mean, likeliest first."""
    if value.startswith("refs/"):
        return (value,)
    remote_first = (f"refs/remotes/{value}", f"refs/heads/{value}")
    return remote_first if "/" in value else remote_first[::-1]


def candidate_refs(remote: str | None, head_target: str | None) -> Iterator[tuple[str, str]]:
    """Refs to try in order, each with why it would be the one; the first that exists is trusted.

    Args:
        remote: The remote that counts; None only in a repository without any remote.
        head_target: What ``refs/remotes/<remote>/HEAD`` points to.
    """
    if remote is None:
        yield from ((f"refs/heads/{name}", "there is no remote") for name in DEFAULT_BRANCHES)
        return
    if head_target:
        yield head_target, f"{remote}/HEAD names it"
    for name in DEFAULT_BRANCHES:
        yield f"refs/remotes/{remote}/{name}", f"{remote}/HEAD is not set, {remote}/{name} exists"


def remote_of(ref: str, remotes: Sequence[str]) -> str | None:
    """The remote that a remote-tracking ref belongs to; the longest name wins, since names may hold slashes."""
    owners = [name for name in remotes if ref.startswith(f"refs/remotes/{name}/")]
    return max(owners, key=len, default=None)
