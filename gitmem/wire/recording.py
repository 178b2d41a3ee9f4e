"""What git itself did, as events: a commit, rewritten commits, a merge. For git hooks: plain functions on bytes.

`commit_recorded` carries commit, subject, files (at most `MOST_FILES`), insertions and deletions, and ``how`` when it
was no plain commit: ``amend``, ``cherry-pick``, ``revert``, ``merge``. Commits that a rebase makes are not recorded one
by one; ``commits_rewritten`` says once which became which.
"""

from __future__ import annotations

import os
import time

from gitmem.wire.spawn import run_git

MOST_FILES = 200
MOST_PAIRS = 1000
COUNT_SECONDS = 0.4
"""How long git may count the lines of a commit; a larger commit is recorded without files and counts."""

_HOW = (
    (b"commit (amend)", "amend"),
    (b"commit (merge)", "merge"),
    (b"commit (cherry-pick)", "cherry-pick"),
    (b"cherry-pick", "cherry-pick"),
    (b"revert", "revert"),
    (b"merge", "merge"),
)
_SHOW = ("log", "-1", "--first-parent", "-m", "--format=%H%x00%s%x00", "-z")
_NUMBERS = ("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv")


def place(environment: dict[str, str], folder: str) -> tuple[str, str] | None:
    """This work tree's git directory and the common one, both absolute; None when there is none.

    Args:
        environment: A hook's: git names the directory there for linked work trees, and not for others.
        folder: Where the hook runs: the top of the work tree, or a bare repository.
    """
    named = environment.get("GIT_DIR") or _below(folder)
    git_dir = os.path.normpath(os.path.join(folder, named)) if named else ""
    if not git_dir or not os.path.exists(f"{git_dir}/HEAD"):
        return None
    common = _line(f"{git_dir}/commondir")
    return git_dir, os.path.normpath(os.path.join(git_dir, common)) if common else git_dir


def is_rebasing(git_dir: str) -> bool:
    """Whether a rebase (or ``git am``) is under way."""
    return os.path.isdir(f"{git_dir}/rebase-merge") or os.path.isdir(f"{git_dir}/rebase-apply")


def now() -> str:
    """The time as RFC 3339 with offset."""
    moment = time.localtime()
    offset = time.strftime("%z", moment)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', moment)}{offset[:3]}:{offset[3:]}"


def commit_event(git_dir: str) -> dict[str, object] | None:
    """`commit_recorded` for the commit that HEAD names; None when there is none or git does not tell."""
    shown = _shown(git_dir)
    if shown is None:
        return None
    commit, subject, *rest = shown.split(b"\0", 2)
    payload: dict[str, object] = {"commit": _text(commit), "subject": _text(subject)}
    if rest and rest[0].strip(b"\0\n"):
        payload |= _numbers(rest[0].strip(b"\0\n"))
    how = _how(git_dir)
    if how:
        payload["how"] = how
    return {"type": "commit_recorded", "actor": "git", "at": now(), "code": _text(commit), "payload": payload}


def rewritten_event(how: str, told: bytes) -> dict[str, object] | None:
    """`commits_rewritten` for what git tells a post-rewrite hook: a line ``old new`` for each commit; None for none."""
    pairs = [
        [_text(word) for word in line.split()[:2]] for line in told.splitlines() if len(line.split()) > 1
    ]
    if not pairs:
        return None
    payload: dict[str, object] = {"pairs": pairs[:MOST_PAIRS], "how": how}
    if len(pairs) > MOST_PAIRS:
        payload["pairs_left_out"] = len(pairs) - MOST_PAIRS
    return {"type": "commits_rewritten", "actor": "git", "at": now(), "payload": payload}


def merged_event(git_dir: str) -> dict[str, object] | None:
    """`branch_merged` for the commit that HEAD names after a merge or a fast-forward."""
    shown = _shown(git_dir, numbers=False)
    if shown is None:
        return None
    commit, subject = (_text(part) for part in shown.split(b"\0", 2)[:2])
    payload: dict[str, object] = {"commit": commit, "subject": subject}
    return {"type": "branch_merged", "actor": "git", "at": now(), "code": commit, "payload": payload}


def _below(folder: str) -> str:
    """The git directory of a work tree, as its ``.git`` says; the folder itself when it is bare."""
    inside = f"{folder}/.git"
    if os.path.isdir(inside):
        return inside
    return _line(inside).removeprefix("gitdir: ") or folder


def _line(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            return os.fsdecode(stream.read(4096).rstrip(b"\n"))
    except OSError:
        return ""


def _shown(git_dir: str, *, numbers: bool = True) -> bytes | None:
    try:
        status, out, _ = run_git(
            (f"--git-dir={git_dir}", *_SHOW, *(_NUMBERS if numbers else ("--no-patch",)), "HEAD"),
            cwd=git_dir,
            deadline=time.monotonic() + COUNT_SECONDS,
        )
    except TimeoutError:
        return _shown(git_dir, numbers=False) if numbers else None
    return out if not status and out.count(b"\0") > 1 else None


def _numbers(rows: bytes) -> dict[str, object]:
    files: list[str] = []
    inserted = deleted = count = 0
    for row in rows.split(b"\0"):
        plus, minus, path = row.split(b"\t", 2)
        count += 1
        if len(files) < MOST_FILES:
            files.append(path.decode("utf-8", "surrogateescape"))
        inserted += int(plus) if plus != b"-" else 0
        deleted += int(minus) if minus != b"-" else 0
    told: dict[str, object] = {"files": files, "insertions": inserted, "deletions": deleted}
    return told if count == len(files) else {**told, "files_left_out": count - len(files)}


def _how(git_dir: str) -> str:
    """What HEAD's own log says made the commit; empty for a plain one, or where no log is kept."""
    try:
        with open(f"{git_dir}/logs/HEAD", "rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - 4096))
            last = stream.read().rstrip(b"\n").rpartition(b"\n")[2]
    except OSError:
        return ""
    said = last.partition(b"\t")[2]
    return next((how for words, how in _HOW if said.startswith(words)), "")


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
