"""All that a brief depends on, told by files of the git directory and at most two calls of git: a key for what was kept.

What HEAD's own branch stands at is told apart from the rest, so that commits on top of it can be looked at.

The loose refs of branches, remotes and the ledger are read as they lie there; ``packed-refs`` or the list of reftables
stands for the others, since git puts a new file in the place of either whenever a ref in it moves. Equal bytes mean
that nothing moved; others need not mean that something did.
"""

from __future__ import annotations

import os
import time

from gitmem.wire.loose_refs import loose_refs
from gitmem.wire.recording import place
from gitmem.wire.spawn import DROPPED, run_git
from gitmem.wire.work_tree import STATUS, filters_off

_PREFIXES = ("refs/heads/", "refs/remotes/", "refs/ai/")
_MOST_REFS = 2_000
_SECONDS = 5.0
_ODD_SETTINGS = (
    b"core.worktree",
    b"core.bare\ntrue",
    b"extensions.partialclone",
    b"gitmem.embed.",
    b"gitmem.trustedref",
)
"""Settings under which more than is told here decides what a brief says."""
_ELSEWHERE = frozenset(name for name in DROPPED if not name.startswith("GIT_AUTHOR_"))


Stand = tuple[bytes, bytes, bytes | None]
"""What stands where, as bytes to be compared; what the file of HEAD's branch says, empty where there is none; and what git
answered to `STATUS`, None where it was not asked."""
Place = tuple[str, str, str]
"""Top of the work tree, its git directory, and the one that all work trees share."""


def find_place(folder: str) -> Place | None:
    """The work tree around a folder; None where anything but files tells which repository is meant, or it is not ours."""
    if not _ELSEWHERE.isdisjoint(os.environ):
        return None
    top = folder
    while not os.path.lexists(f"{top}/.git"):
        if os.path.lexists(f"{top}/HEAD") or top in {"/", ""}:
            return None
        top = os.path.dirname(top)
    found = place({}, top)
    if found is None or any(os.stat(one).st_uid != os.geteuid() for one in (top, found[0])):
        return None
    return top, *found


def standpoint(where: Place, *, work_tree: bool) -> Stand | None:
    """What stands where.

    Args:
        where: The repository.
        work_tree: Whether what is not committed counts.

    Returns:
        None when it cannot be told like this.
    """
    top, git_dir, common_dir = where
    head = _content(f"{git_dir}/HEAD")
    settings = _git(git_dir, "config", "-z", "--list")
    own = head.removeprefix(b"ref: ").removesuffix(b"\n") if head.startswith(b"ref: refs/heads/") else b""
    refs = _refs(common_dir, own)
    if settings is None or refs is None or (b":" in head and not head.startswith(b"ref: refs/heads/")):
        return None
    if any(one in settings for one in _ODD_SETTINGS) or b".promisor\ntrue" in settings:
        return None
    parts = [head, _content(f"{git_dir}/AI_RUN")]
    parts += [_stand(f"{common_dir}/{name}") for name in ("packed-refs", "objects/pack", "shallow")]
    parts += [_content(f"{folder}/reftable/tables.list") for folder in (git_dir, common_dir)]
    parts += [settings, refs]
    changed: bytes | None = None
    if work_tree:
        changed = _git(git_dir, *STATUS, top=top, env=filters_off(_drivers(settings)))
        if changed is None:
            return None
        parts += [changed, _facts(top, changed)]
    tip = _content(os.path.join(os.fsencode(common_dir), own)) if own else b""
    return b"\0\0".join(parts), tip, changed


def _refs(common_dir: str, own: bytes) -> bytes | None:
    """The others than HEAD's own branch."""
    told: list[bytes] = []
    for prefix in _PREFIXES:
        names, odd = loose_refs(common_dir, prefix)
        if odd or len(names) > _MOST_REFS:
            return None
        told += [
            os.fsencode(name) + b" " + _content(f"{common_dir}/{name}")
            for name in sorted(names)
            if os.fsencode(name) != own
        ]
    return b"".join(told)


def _drivers(settings: bytes) -> list[str]:
    """Names of filters, from ``KEY LF VALUE NUL``."""
    keys = {row.partition(b"\n")[0].decode("utf-8", "surrogateescape") for row in settings.split(b"\0")}
    runs = (key for key in keys if key.startswith("filter.") and key.endswith((".clean", ".process")))
    return sorted({key[len("filter.") : key.rindex(".")] for key in runs if key.count(".") > 1})


def _facts(top: str, changed: bytes) -> bytes:
    """Size and time of what differs and is tracked: a file may change to its old content, and that is told no other way."""
    rows = (row.split(b" ", _PARTS[row[:1]]) for row in changed.split(b"\0") if row[:1] in _PARTS)
    return b" ".join(_stand(os.path.join(os.fsencode(top), row[-1])) for row in rows)


_PARTS = {b"1": 8, b"u": 10}
"""Spaces before the path in a row of ``git status``."""


def _stand(file: str | bytes) -> bytes:
    try:
        told = os.lstat(file)
    except (OSError, ValueError):
        return b"none"
    return b"%d %d %d" % (told.st_ino, told.st_size, told.st_mtime_ns)


def _content(file: str | bytes) -> bytes:
    try:
        with open(file, "rb") as stream:
            return stream.read(1 << 16)
    except OSError:
        return b""


def _git(git_dir: str, *arguments: str, top: str = "", env: dict[str, str] | None = None) -> bytes | None:
    options = (f"--git-dir={git_dir}", *((f"--work-tree={top}",) if top else ()))
    try:
        status, out, _ = run_git(
            (*options, *arguments), cwd=top or git_dir, env=env, deadline=time.monotonic() + _SECONDS
        )
    except (TimeoutError, OSError):
        return None
    return None if status else out
