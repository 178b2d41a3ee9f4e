"""Appending one event by the git program alone, for git hooks: three processes as a rule, never over four.

The same steps as `gitmem.store.appending`, without what a hook can do without: no artifacts, no other writers' tips
as further parents (they come with the next event that is appended there), no look for a doubled id. A hook must not
keep its user waiting, so a busy lock ends in TimeoutError soon.
"""

from __future__ import annotations

import os
import time

from gitmem.wire.event import content_of, encode_message, seq_of
from gitmem.wire.locks import acquire_lock, release_lock
from gitmem.wire.spawn import run_git
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
_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}

Objects = dict[str, tuple[str, bytes]]


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
) -> tuple[str, int]:
    """Append an event to this clone's ref of a run.

    Args:
        git_dir: This work tree's git directory, absolute.
        common_dir: The one that all work trees share, absolute.
        run: Run id, checked by the caller.
        event: ``type``, ``at``, ``actor``, ``payload``, and ``id``, ``session`` or ``code`` where known. ``code`` is
            HEAD's commit when it is not given.
        timeout: Seconds to wait for the lock.
        masked: Whether the redactor has seen the event.

    Returns:
        The commit's id and the seq.

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
        for left in reversed(range(_ATTEMPTS)):
            written = _attempt(git_dir, run, ref, {"id": random_name(ID_LENGTH), **event})
            if isinstance(written, tuple):
                return written
            if not left or not stale.remove():
                raise AppendFailedError(written)
        raise AssertionError
    finally:
        release_lock(descriptor)


def _attempt(git_dir: str, run: str, ref: str, event: dict[str, object]) -> tuple[str, int] | str:
    """Commit id and seq, or why the ref could not be moved."""
    held = _read(git_dir, [f"{ref}^{{commit}}", "HEAD^{commit}"])
    own = held.get(f"{ref}^{{commit}}")
    tip = own or _continued(git_dir, run)
    head = held.get("HEAD^{commit}")
    tree, message = content_of(tip[1]) if tip else ("", b"")
    seq = seq_of(message) + 1
    if tip and seq == 1:
        raise AppendFailedError(f"{tip[0]} is no event")
    whole: dict[str, object] = {"run": run, "writer": ref.rpartition("/")[2], "seq": seq, **event}
    if head and "code" not in event:
        whole["code"] = head[0]
    length = len((tip or head or ("0" * 40,))[0])
    commit = _commit(git_dir, tree or _EMPTY_TREE[length], tip[0] if tip else None, encode_message(whole))
    status, _, err = _git(git_dir, "update-ref", "--no-deref", ref, commit, own[0] if own else "0" * length)
    if status:
        return err.decode("utf-8", "backslashreplace").strip()
    if not own and _current(git_dir).startswith(f"refs/ai/runs/{run}/"):
        _git(git_dir, "symbolic-ref", CURRENT, ref)
    return commit, seq


def _continued(git_dir: str, run: str) -> tuple[str, bytes] | None:
    """The tip that a first event goes on from: the run's highest (seq, writer)."""
    if not _current(git_dir).startswith(f"refs/ai/runs/{run}/"):
        return _highest(git_dir, run)
    name = f"{CURRENT}^{{commit}}"
    return _read(git_dir, [name]).get(name) or _highest(git_dir, run)


def _highest(git_dir: str, run: str) -> tuple[str, bytes] | None:
    shown = "--format=%(refname) %(objectname) %(tree) %(contents:body)"
    status, out, err = _git(git_dir, "for-each-ref", shown, f"refs/ai/runs/{run}/")
    if status:
        raise AppendFailedError(err.decode("utf-8", "backslashreplace").strip())
    rows = [row.split(b" ", 3) for row in out.splitlines() if row]
    ranked = [(seq_of(b"\n\n" + row[3]), row) for row in rows if len(row) == 4]
    if not ranked:
        return None
    _, (_, oid, tree, body) = max(ranked)
    return oid.decode("ascii"), b"tree %b\n\n\n\n%b" % (tree, body)


def _current(git_dir: str) -> str:
    """What the pseudo-ref names; empty when there is none, or when refs are no files here."""
    try:
        with open(f"{git_dir}/{CURRENT}", "rb") as stream:
            return stream.read(1024).decode("utf-8", "replace").removeprefix("ref:").strip()
    except OSError:
        return ""


def _read(git_dir: str, names: list[str]) -> Objects:
    """The commits that stand under some names, with their ids, by one process."""
    asked = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    status, out, err = _git(git_dir, "cat-file", "--batch", stdin=asked)
    if status:
        raise AppendFailedError(err.decode("utf-8", "backslashreplace").strip())
    found: Objects = {}
    place = 0
    for name in names:
        end = out.index(b"\n", place)
        header = out[place:end].decode("utf-8", "surrogateescape")
        place = end + 1
        if not header.endswith((" missing", " ambiguous")):
            oid, _, size = header.rsplit(" ", 2)
            found[name] = (oid, out[place : place + int(size)])
            place += int(size) + 1
    return found


def _commit(git_dir: str, tree: str, parent: str | None, message: bytes) -> str:
    chain = ("-p", parent) if parent else ()
    call = ("commit-tree", "--no-gpg-sign", *chain, "-F", "-", tree)
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


def _git(
    git_dir: str, *arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None
) -> tuple[int, bytes, bytes]:
    deadline = time.monotonic() + 5
    return run_git((f"--git-dir={git_dir}", *arguments), cwd=git_dir, stdin=stdin, env=env, deadline=deadline)
