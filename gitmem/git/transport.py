"""Exchanging refs with a remote by the git program: never forced, never pruned, nothing written to the configuration.

Credentials, proxies and protocols are git's. Refs are named one by one on standard input, so that what a remote offers
beyond them changes nothing here, and no number of them is too long for a command line. A partial clone gets the ledger whole:
nothing is fetched later to read it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.errors import GitFailedError, NotServedError
from gitmem.git import parsing
from gitmem.git.failures import first_line
from gitmem.git.formatting import is_oid
from gitmem.git.interface import Repository
from gitmem.git.runner import Runner

_FETCH = (
    "fetch", "--quiet", "--no-prune", "--no-tags", "--no-write-fetch-head", "--refmap=", "--no-recurse-submodules",
    "--no-auto-maintenance", "--no-filter", "--stdin",
)  # fmt: skip
_PUSH = (
    "push",
    "--porcelain",
    "--no-verify",
    "--no-follow-tags",
    "--recurse-submodules=no",
    "--no-signed",
    "--no-thin",
)
_UNREACHABLE = (
    "Could not resolve host",
    "Could not resolve proxy",
    "Temporary failure in name resolution",
    "Name or service not known",
    "nodename nor servname",
    "Connection refused",
    "Connection timed out",
    "Operation timed out",
    "Connection reset",
    "Network is unreachable",
    "No route to host",
    "Failed to connect",
    "Couldn't connect",
    "unable to connect to",
    "the remote end hung up unexpectedly",
    "early EOF",
)
_MOST_ON_A_COMMAND_LINE = 500


class UnreachableError(GitFailedError):
    """The remote could not be reached: no network, no server. Nothing was exchanged."""

    kind = "offline"


class RefusedError(GitFailedError):
    """The remote answered and refused."""

    kind = "refused"
    exit_code = 4


class Pushed(NamedTuple):
    """What became of one ref that was sent; `reason` is empty when it arrived."""

    ref: str
    reason: str = ""


def list_remote(repo: Repository, remote: str, patterns: Sequence[str]) -> Mapping[str, str]:
    """Commit by full name of the remote's refs that match; patterns as ``git ls-remote`` takes them.

    Raises:
        UnreachableError, RefusedError, NotServedError: The remote is offline, says no, or is no repository.
    """
    status, out, err = _run(repo, "ls-remote", "--refs", "--", remote, *patterns)
    if status:
        raise _failure(remote, err)
    rows = (row.partition("\t") for row in parsing.lines(out))
    return {name: oid for oid, _, name in rows if is_oid(oid, repo.layout.object_format)}


def fetch_refs(repo: Repository, remote: str, refs: Iterable[str]) -> str:
    """Fetch refs to refs of the same name, where that is a fast-forward.

    Returns:
        Git's reason when a ref was not taken, else nothing; which ones were taken the refs themselves say.

    Raises:
        UnreachableError, RefusedError, NotServedError: As `list_remote`.
    """
    asked = "".join(f"{ref}:{ref}\n" for ref in refs)
    if not asked:
        return ""
    status, _, err = _run(repo, *_FETCH, "--", remote, stdin=asked.encode())
    if not status:
        return ""
    if b"[rejected]" not in err and b"non-fast-forward" not in err and b"! " not in err and status != 1:
        raise _failure(remote, err)
    return first_line(err)


def fetch_objects(repo: Repository, remote: str, refs: Sequence[str]) -> None:
    """Fetch what refs of a remote reach, without any ref of it here.

    Raises:
        UnreachableError, RefusedError, NotServedError: As `list_remote`.
    """
    status, _, err = _run(repo, *_FETCH, "--", remote, stdin="".join(f"{ref}\n" for ref in refs).encode())
    if status:
        raise _failure(remote, err)


def push_refs(repo: Repository, remote: str, refs: Sequence[str]) -> tuple[Pushed, ...]:
    """Send refs to refs of the same name, where that is a fast-forward; each tells for itself.

    Raises:
        UnreachableError, RefusedError, NotServedError: The remote took none of them and names none.
    """
    told: list[Pushed] = []
    for start in range(0, len(refs), _MOST_ON_A_COMMAND_LINE):
        told += _push(repo, remote, refs[start : start + _MOST_ON_A_COMMAND_LINE])
    return tuple(told)


def delete_remote_refs(repo: Repository, remote: str, refs: Mapping[str, str]) -> tuple[Pushed, ...]:
    """Delete refs of a remote that still hold these commits; each tells for itself.

    Raises:
        UnreachableError, RefusedError, NotServedError: The remote took none of them and names none.
    """
    told: list[Pushed] = []
    names = list(refs)
    for start in range(0, len(names), _MOST_ON_A_COMMAND_LINE):
        some = names[start : start + _MOST_ON_A_COMMAND_LINE]
        leases = [f"--force-with-lease={ref}:{refs[ref]}" for ref in some]
        told += _push(repo, remote, some, leases, [f":{ref}" for ref in some])
    return tuple(told)


def _push(
    repo: Repository,
    remote: str,
    refs: Sequence[str],
    options: Sequence[str] = (),
    asked: Sequence[str] | None = None,
) -> list[Pushed]:
    # A mirror takes no refspecs, and push options of the configuration are refused by servers that know none.
    plain = ("-c", f"remote.{remote}.mirror=false", "-c", "push.pushOption=")
    status, out, err = _run(
        repo, *plain, *_PUSH, *options, "--", remote, *(asked or [f"{ref}:{ref}" for ref in refs])
    )
    told = {one.ref: one for one in map(_pushed, parsing.lines(out)) if one}
    if status and not told:
        raise _failure(remote, err)
    return [told.get(ref, Pushed(ref, first_line(err) if status else "")) for ref in refs]


def _pushed(line: str) -> Pushed | None:
    """A line of ``--porcelain``: flag, ``from:to`` and a summary with git's or the server's reason in brackets."""
    flag, _, rest = line.partition("\t")
    names, _, summary = rest.partition("\t")
    if len(flag) != 1 or ":" not in names:
        return None
    ref = names.partition(":")[2]
    return Pushed(ref, "" if flag in " *=-" else summary.strip() or "rejected")


def _run(repo: Repository, *arguments: str, stdin: bytes | None = None) -> tuple[int, bytes, bytes]:
    asks = sys.stdin is not None and sys.stdin.isatty()
    return Runner(repo.layout).run(*arguments, stdin=stdin, env={"GIT_TERMINAL_PROMPT": "1" if asks else "0"})


def _failure(remote: str, stderr: bytes) -> GitFailedError | NotServedError:
    text = stderr.decode("utf-8", "backslashreplace")
    reason = first_line(stderr)
    if any(words in text for words in _UNREACHABLE):
        return UnreachableError(f"{remote} cannot be reached: {reason}", hint="run it again when it can")
    if "does not appear to be a git repository" in text or "not found" in text:
        return NotServedError(
            f"{remote} is no repository that can be read: {reason}", hint="git remote -v shows the remotes"
        )
    return RefusedError(
        f"{remote} refused: {reason}", hint="git fetch and git push to the same remote tell more"
    )
