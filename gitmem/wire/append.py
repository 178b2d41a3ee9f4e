"""Appending one event by the git program alone, for git hooks: three processes as a rule, never over four.

The same steps as `gitmem.store.appending`, without what a hook can do without: no artifacts, no other writers' tips
as further parents (they come with the next event that is appended there), no look for a doubled id. A hook must not
keep its user waiting, so a busy lock ends in TimeoutError soon.
"""

from __future__ import annotations

import os
import time

from gitmem.wire.event import encode_message, ends_run, seq_of
from gitmem.wire.locks import acquire_lock, release_lock
from gitmem.wire.loose_refs import loose_refs
from gitmem.wire.spawn import DURABLE, run_git
from gitmem.wire.stale import StaleLock
from gitmem.wire.triggers import may_hold_secret
from gitmem.wire.writer import make_writer_id, random_name

LOCK = "gitmem/lock"
CURRENT = "AI_RUN"
ID_LENGTH = 20

_ATTEMPTS = 2
_IDENTITY_WANTED = (
    b"empty ident name",
    b"Please tell me who you are",
    b"no email was given",
    b"no name was given",
)
_FALLBACK = {
    "GIT_AUTHOR_NAME": "gitmem",
    "GIT_AUTHOR_EMAIL": "gitmem@localhost",
    "GIT_COMMITTER_NAME": "gitmem",
    "GIT_COMMITTER_EMAIL": "gitmem@localhost",
}
_ARCHIVE = "refs/ai/archive/"
Tip = tuple[int, str, str, str, bool]
"""Seq, ref, commit, tree, and whether the event ended the run."""


class AppendFailedError(Exception):
    """Git refused; the message holds its reason."""


def append_event(
    *,
    git_dir: str,
    common_dir: str,
    run: str,
    event: dict[str, object],
    timeout: float = 0.3,
    masked: bool = False,
    into_ended: bool = True,
) -> tuple[str, int] | None:
    """Append an event to this clone's ref of a run.

    Args:
        git_dir: This work tree's git directory, absolute.
        common_dir: The one that all work trees share, absolute.
        run: Run id, checked by the caller.
        event: ``type``, ``at``, ``actor``, ``payload``, and ``id``, ``session`` or ``code`` where known. ``code`` is
            HEAD's commit when it is not given.
        timeout: Seconds to wait for the lock.
        masked: Whether the redactor has seen the event.
        into_ended: Whether a run whose last event ended it takes more.

    Returns:
        The commit's id and the seq; None when the run has ended and takes no more.

    Raises:
        ValueError: When the event may hold a secret and was not masked; nothing is written then.
        TimeoutError: When the lock was busy all that time.
        AppendFailedError: When git refused.
    """
    if not masked and may_hold_secret(encode_message({"seq": 0, **event})):
        raise ValueError("may hold a secret, and was not masked")
    descriptor = acquire_lock(f"{common_dir}/{LOCK}", timeout=timeout)
    try:
        writer = make_writer_id(common_dir)
        ref = f"refs/ai/runs/{run}/{writer}"
        stale = StaleLock(f"{common_dir}/{ref}.lock")
        durable = _durable(git_dir, common_dir)
        for left in reversed(range(_ATTEMPTS)):
            written = _attempt(
                git_dir,
                common_dir,
                run,
                ref,
                {"id": random_name(ID_LENGTH), **event},
                into_ended=into_ended,
                durable=durable,
            )
            if not isinstance(written, str):
                return written
            if not left or not stale.remove():
                raise AppendFailedError(written)
        raise AssertionError
    finally:
        release_lock(descriptor)


def _attempt(
    git_dir: str,
    common_dir: str,
    run: str,
    ref: str,
    event: dict[str, object],
    *,
    into_ended: bool,
    durable: tuple[str, ...],
) -> tuple[str, int] | str | None:
    """Commit id and seq, why the ref could not be moved, or None for a run that has ended."""
    branch, head = _head(git_dir)
    _refuse_odd(common_dir, run)
    tips, of_branch, archives = _tips(git_dir, run, branch)
    if not into_ended and tips and max(tips)[4]:
        return None
    own = next((tip for tip in tips if tip[1] == ref), None)
    archived = _holding(git_dir, run, archives) if own is None and archives else ()
    if archived and not tips:
        return None
    if _archive_of(ref) in archived:
        raise TimeoutError(f"{ref} is archived: it comes back with the next append that is no hook's")
    # A first event goes on from the tip with the highest (seq, writer).
    tip = own or max(tips, default=None)
    seq = tip[0] + 1 if tip else 1
    if tip and seq == 1:
        raise AppendFailedError(f"{tip[2]} is no event")
    code = of_branch or head
    whole: dict[str, object] = {"run": run, "writer": ref.rpartition("/")[2], "seq": seq, **event}
    if code and "code" not in event:
        whole["code"] = code
    tree = tip[3] if tip else _output(git_dir, *durable, "mktree")
    commit = _commit(git_dir, tree, tip[2] if tip else None, encode_message(whole), durable)
    absent = "0" * len(commit)
    status, _, err = _git(
        git_dir, *durable, "update-ref", "--no-deref", ref, commit, own[2] if own else absent
    )
    if status:
        return err.decode("utf-8", "backslashreplace").strip()
    if not own and pseudo_ref(git_dir, CURRENT).startswith(f"ref: refs/ai/runs/{run}/"):
        _git(git_dir, "symbolic-ref", CURRENT, ref)
    return commit, seq


def _refuse_odd(common_dir: str, run: str) -> None:
    """Keep git from waiting for a FIFO in the place of a ref."""
    for prefix in (f"refs/ai/runs/{run}/", _ARCHIVE):
        for name, kind in loose_refs(common_dir, prefix)[1].items():
            raise AppendFailedError(f"damaged ref: {name} is {kind}")


def _archive_of(ref: str) -> str:
    return f"{_ARCHIVE}{ref.rpartition('/')[2]}"


def _holding(git_dir: str, run: str, archives: list[str]) -> list[str]:
    """The archives that hold a ref of the run, as `gitmem.store.archive` lays them out."""
    asked = "".join(f"{archive}:{run[-2:]}/{run}\n" for archive in archives)
    _, out, _ = _git(git_dir, "cat-file", "--batch-check", stdin=asked.encode("utf-8"))
    told = out.decode("utf-8", "replace").splitlines()
    return [archive for archive, line in zip(archives, told, strict=False) if not line.endswith("missing")]


def _head(git_dir: str) -> tuple[str, str]:
    """The branch that HEAD names, or its commit when it is detached."""
    held = pseudo_ref(git_dir, "HEAD")
    if not held.startswith("ref: "):
        return "", held
    branch = held.removeprefix("ref: ")
    if branch != "refs/heads/.invalid":
        return branch, ""
    # Where refs are no files, the file says nothing.
    status, out, _ = _git(git_dir, "rev-parse", "-q", "--verify", "HEAD^{commit}")
    return "", "" if status else out.decode("ascii").strip()


def pseudo_ref(git_dir: str, name: str) -> str:
    """What a pseudo-ref's file holds: ``ref: NAME`` or a commit; empty where there is no such file."""
    try:
        with open(f"{git_dir}/{name}", "rb") as stream:
            return stream.read(4096).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return ""


def _tips(git_dir: str, run: str, branch: str) -> tuple[list[Tip], str, list[str]]:
    """The run's tips, the commit of a branch and the names of all archives, by one process."""
    shown = "--format=%(refname) %(objectname) %(tree) %(contents:body)%00"
    prefix = f"refs/ai/runs/{run}/"
    status, out, err = _git(git_dir, "for-each-ref", shown, prefix, _ARCHIVE, *([branch] if branch else []))
    if status or prefix.encode("ascii") in err:  # a damaged ref of the run must not pass for an absent one
        raise AppendFailedError(err.decode("utf-8", "backslashreplace").strip())
    tips: list[Tip] = []
    archives: list[str] = []
    commit = ""
    for row in out.decode("utf-8", "surrogateescape").split("\0\n"):
        # Parted by NUL, since the message of a branch's commit may hold lines that look like ours.
        name, *rest = row.split(" ", 3)
        if name == branch and rest:
            commit = rest[0]
        elif name.startswith(_ARCHIVE):
            archives.append(name)
        elif name.startswith(prefix) and len(rest) == 3:
            message = b"\n\n" + rest[2].encode("utf-8", "surrogateescape")
            tips.append((seq_of(message), name, rest[0], rest[1], ends_run(message)))
    return tips, commit, archives


def _durable(git_dir: str, common_dir: str) -> tuple[str, ...]:
    """Options for what is to be synced, as ``gitmem.durability`` in the repository's own configuration says."""
    try:
        with open(f"{common_dir}/config", "rb") as stream:
            if b"durability" not in stream.read(1 << 20).lower():
                return ()
    except OSError:
        return ()
    _, said, _ = _git(git_dir, "config", "--get", "gitmem.durability")
    return DURABLE if said.strip() == b"full" else ()


def _commit(git_dir: str, tree: str, parent: str | None, message: bytes, durable: tuple[str, ...]) -> str:
    chain = ("-p", parent) if parent else ()
    call = (*durable, "commit-tree", "--no-gpg-sign", *chain, "-F", "-", tree)
    # Author and committer are one person; what is said of the committer alone is said of both.
    same = {
        f"GIT_AUTHOR_{part}": os.environ[f"GIT_COMMITTER_{part}"]
        for part in ("NAME", "EMAIL", "DATE")
        if f"GIT_COMMITTER_{part}" in os.environ
    }
    status, out, err = _git(git_dir, *call, stdin=message, env=same)
    if status and any(words in err for words in _IDENTITY_WANTED):
        status, out, err = _git(git_dir, *call, stdin=message, env=_FALLBACK)
    if status:
        raise AppendFailedError(err.decode("utf-8", "backslashreplace").strip())
    return out.decode("ascii").strip()


def _output(git_dir: str, *arguments: str) -> str:
    status, out, err = _git(git_dir, *arguments)
    if status:
        raise AppendFailedError(err.decode("utf-8", "backslashreplace").strip())
    return out.decode("ascii").strip()


def _git(
    git_dir: str, *arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None
) -> tuple[int, bytes, bytes]:
    deadline = time.monotonic() + 5
    return run_git((f"--git-dir={git_dir}", *arguments), cwd=git_dir, stdin=stdin, env=env, deadline=deadline)
