"""Objects that ``git gc --prune=now`` takes before a ref reaches them: written for an event, and gone again.

Without an age to wait for, git removes whatever no ref reached when it began to look. So what an append wrote is looked
at again before it moves the ref and after, and what vanished is written anew; ids are made from contents, so that
nothing else changes.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from gitmem.git.program import ProgramRepository
from gitmem.store.run_reading import ARTIFACTS

ATTEMPTS = 5
"""Times that an append is begun again because something of it vanished in between."""


def write_vanished_at_last(
    repository: ProgramRepository, contents: Mapping[str, bytes], seconds: float = 1.0
) -> None:
    """The same once the ref was moved: wait for a ``git gc --prune=now`` that may have looked at the refs before one was moved; a usual gc is not
    waited for. Where processes cannot be looked at, nothing is.
    """
    deadline = time.monotonic() + seconds
    lock = repository.layout.common_dir / "gc.pid"
    while _prunes_now(lock) and time.monotonic() < deadline:
        time.sleep(0.01)
    write_vanished(repository, contents)


def _prunes_now(lock: Path) -> bool:
    """Whether a gc that spares nothing is under way."""
    try:
        pid = lock.read_text("ascii").partition(" ")[0]
        return pid.isdecimal() and b"\0--prune=now\0" in Path("/proc", pid, "cmdline").read_bytes()
    except (OSError, ValueError):
        return False


def write_vanished(repository: ProgramRepository, contents: Mapping[str, bytes]) -> None:
    """Write the blobs that are not there any more; content by id."""
    for oid, content in contents.items():
        if not repository.has(oid):
            repository.write_blob(content)


def has_commit(repository: ProgramRepository, commit: str, tree: str, *, has_artifacts: bool) -> bool:
    """Whether a commit is there with its root tree and, where it saved artifacts, their folder."""
    if not repository.has(commit) or not repository.has(tree):
        return False
    if not has_artifacts:
        return True
    folder = repository.entry(tree, ARTIFACTS)
    return folder is not None and repository.has(folder.oid)
