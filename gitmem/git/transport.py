"""Exchanging refs with a remote by the git program: never forced, never pruned, nothing written to the configuration.

Credentials, proxies and protocols are git's. Refs are named one by one on standard input, so that what a remote offers
beyond them changes nothing here, and no number of them is too long for a command line. A partial clone gets the ledger whole:
nothing is fetched later to read it.

No server is waited for without end: `ANSWER_SECONDS` for the list of its refs, `TRANSFER_SECONDS` for a transfer, 20
seconds for a connection through ssh, and 60 without a byte through http; what the user configured of the latter two counts
before these.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.git import parsing
from gitmem.git.failures import first_line
from gitmem.git.formatting import is_oid
from gitmem.git.interface import Repository
from gitmem.git.runner import Runner
from gitmem.git.several_refs import refuse_odd_below
from gitmem.git.transport_failures import (
    UnreachableError,
    other_object_format,
    server_said,
    telling_line,
    transport_failure,
)
from gitmem.model.ids import is_object_id

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
_MOST_ON_A_COMMAND_LINE = 500
ANSWER_SECONDS = 120.0
TRANSFER_SECONDS = 3600.0
_CONNECT_SECONDS = 20
_SILENT_SECONDS = 60
_WITH_SSH = ("GIT_SSH_COMMAND", "GIT_SSH")


class Pushed(NamedTuple):
    """What became of one ref that was sent.

    Args:
        ref: Its full name.
        reason: Why it did not arrive; empty when it did.
        is_same: Whether the remote had it as it is already.
    """

    ref: str
    reason: str = ""
    is_same: bool = False


def list_remote(repo: Repository, remote: str, patterns: Sequence[str]) -> Mapping[str, str]:
    """Commit by full name of the remote's refs that match; patterns as ``git ls-remote`` takes them.

    Raises:
        UnreachableError, RefusedError, NotServedError: The remote is offline, says no, is no repository, or one with
            another object format.
        InvalidDataError: A ref of the ledger here is no file: git would wait for it in what follows.
    """
    refuse_odd_below(repo.layout)
    status, out, err = _run(
        repo, remote, "ls-remote", "--refs", "--", remote, *patterns, seconds=ANSWER_SECONDS
    )
    if status:
        raise transport_failure(remote, err)
    rows = [row.partition("\t") for row in parsing.lines(out)]
    if any(_is_of_another_format(oid, repo.layout.object_format) for oid, _, _ in rows):
        raise other_object_format(remote, f"this one's is {repo.layout.object_format}")
    return {name: oid for oid, _, name in rows if is_oid(oid, repo.layout.object_format)}


def _is_of_another_format(oid: str, object_format: str) -> bool:
    return is_object_id(oid) and not is_oid(oid, object_format)


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
    status, _, err = _run(repo, remote, *_FETCH, "--", remote, stdin=asked.encode())
    if not status:
        return ""
    if b"[rejected]" not in err and b"non-fast-forward" not in err and b"! " not in err and status != 1:
        raise transport_failure(remote, err)
    return first_line(err)


def fetch_objects(repo: Repository, remote: str, refs: Sequence[str]) -> None:
    """Fetch what refs of a remote reach, without any ref of it here.

    Raises:
        UnreachableError, RefusedError, NotServedError: As `list_remote`.
    """
    status, _, err = _run(
        repo, remote, *_FETCH, "--", remote, stdin="".join(f"{ref}\n" for ref in refs).encode()
    )
    if status:
        raise transport_failure(remote, err)


def fetch_commit(repo: Repository, remote: str, commit: str) -> None:
    """Fetch one commit by its id; into a shallow clone without the history behind it, so that the clone stays small.

    Raises:
        UnreachableError, RefusedError, NotServedError: As `list_remote`; also when the remote does not have it.
    """
    _fetch_by_id(repo, remote, [commit], ("--depth=1",) if repo.layout.shallow else ())


def deepen(repo: Repository, remote: str, commits: Sequence[str], by: int | None) -> None:
    """Fetch more of the history behind commits into a shallow clone.

    Args:
        repo: The shallow clone. Its layout goes on saying so: open it again to see what it is now.
        remote: Where from.
        commits: Commits that are here.
        by: How many commits more; None for all there are.

    Raises:
        UnreachableError, RefusedError, NotServedError: As `list_remote`.
    """
    _fetch_by_id(repo, remote, commits, ("--unshallow",) if by is None else (f"--deepen={by}",))


def _fetch_by_id(repo: Repository, remote: str, commits: Sequence[str], depth: Sequence[str]) -> None:
    asked = "".join(f"{commit}\n" for commit in commits)
    status, _, err = _run(repo, remote, *_FETCH, *depth, "--", remote, stdin=asked.encode())
    if status:
        raise transport_failure(remote, err)


def push_refs(repo: Repository, remote: str, refs: Sequence[str]) -> tuple[Pushed, ...]:
    """Send refs to refs of the same name, where that is a fast-forward; each tells for itself.

    Raises:
        UnreachableError, RefusedError, NotServedError: The remote took none of them and names none.
    """
    told: list[Pushed] = []
    for start in range(0, len(refs), _MOST_ON_A_COMMAND_LINE):
        told += _push(repo, remote, refs[start : start + _MOST_ON_A_COMMAND_LINE])
    return tuple(told)


def push_commit(repo: Repository, remote: str, commit: str, ref: str, *, onto: str | None = None) -> Pushed:
    """Send a commit to a ref of the remote that no ref here stands for.

    Args:
        repo: Where the commit is.
        remote: Where it goes.
        commit: Which.
        ref: Full name there.
        onto: What the ref must hold there, or it is refused; None for a ref that moves forward or is new.

    Raises:
        UnreachableError, RefusedError, NotServedError: As `push_refs`.
    """
    lease = [f"--force-with-lease={ref}:{onto}"] if onto else []
    (told,) = _push(repo, remote, [ref], lease, [f"{commit}:{ref}"])
    return told


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
        repo, remote, *plain, *_PUSH, *options, "--", remote, *(asked or [f"{ref}:{ref}" for ref in refs])
    )
    told = {one.ref: one for one in map(_pushed, parsing.lines(out)) if one}
    if status and not told:
        raise transport_failure(remote, err)
    said = server_said(err)
    if said:
        told = {
            ref: one._replace(reason=f"{one.reason}; it says: {said}")
            if "hook declined" in one.reason
            else one
            for ref, one in told.items()
        }
    return [told.get(ref, Pushed(ref, telling_line(parsing.text(err)) if status else "")) for ref in refs]


def _pushed(line: str) -> Pushed | None:
    """A line of ``--porcelain``: flag, ``from:to`` and a summary with git's or the server's reason in brackets."""
    flag, _, rest = line.partition("\t")
    names, _, summary = rest.partition("\t")
    if len(flag) != 1 or ":" not in names:
        return None
    ref = names.partition(":")[2]
    reason = "" if flag in " *=-" else summary.strip() or "rejected"
    return Pushed(ref, reason, is_same=flag == "=")


def _run(
    repo: Repository,
    remote: str,
    *arguments: str,
    stdin: bytes | None = None,
    seconds: float = TRANSFER_SECONDS,
) -> tuple[int, bytes, bytes]:
    asks = sys.stdin is not None and sys.stdin.isatty()
    settings, env = _patience(repo)
    runner = Runner(repo.layout, deadline=time.monotonic() + seconds)
    try:
        return runner.run(
            *settings, *arguments, stdin=stdin, env={"GIT_TERMINAL_PROMPT": "1" if asks else "0", **env}
        )
    except TimeoutError:
        raise UnreachableError(
            f"{remote} cannot be reached: no answer within {seconds:g} seconds",
            hint="run it again when it can",
        ) from None


def _patience(repo: Repository) -> tuple[tuple[str, ...], dict[str, str]]:
    """Options and variables that limit how long git waits, where the user has not said it."""
    said = repo.settings(r"^(core\.sshcommand|ssh\.variant|http\.(.*\.)?lowspeed(limit|time))$")
    env: dict[str, str] = {}
    if not said.keys() & {"core.sshcommand", "ssh.variant"} and not any(map(os.environ.get, _WITH_SSH)):
        env["GIT_SSH_COMMAND"] = f"ssh -o ConnectTimeout={_CONNECT_SECONDS}"
    if any(key.startswith("http.") for key in said):
        return (), env
    return ("-c", "http.lowSpeedLimit=1", "-c", f"http.lowSpeedTime={_SILENT_SECONDS}"), env
