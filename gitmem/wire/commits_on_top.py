"""The commits that came on top of one, told by one call of git, for a line of plain commits alone."""

from __future__ import annotations

import time

from gitmem.wire.spawn import run_git

MOST = 16
_SHOWN = (
    "--first-parent",
    "--no-renames",
    "--no-show-signature",
    "--no-relative",
    "--ignore-submodules=none",
    "--name-only",
    "-z",
    "--format=%x00%H %P",
    f"--max-count={MOST + 1}",
)
_SECONDS = 5.0

Step = tuple[str, list[bytes]]
"""Id of a commit, and the paths that it changed."""


def commits_on_top(git_dir: str, old: str, new: str) -> list[Step] | None:
    """The commits that lead from one to another, newest first.

    Args:
        git_dir: Of the work tree.
        old: Commit id.
        new: Commit id.

    Returns:
        None where it is no line of at most `MOST` commits with one parent each, or git cannot tell.
    """
    try:
        status, out, _ = run_git(
            (f"--git-dir={git_dir}", "log", *_SHOWN, new, f"^{old}", "--"),
            cwd=git_dir,
            deadline=time.monotonic() + _SECONDS,
        )
    except (TimeoutError, OSError):
        return None
    return None if status else line_of(out, old, new)


def line_of(out: bytes, old: str, new: str) -> list[Step] | None:
    """The line that git told; no path is empty, so what follows an empty field is a commit."""
    steps: list[Step] = []
    expected, is_commit = new, False
    for field in out.split(b"\0"):
        if not field:
            is_commit = True
        elif is_commit:
            names = field.decode("ascii", "replace").split(" ")
            if len(names) != 2 or names[0] != expected:
                return None
            steps.append((names[0], []))
            expected, is_commit = names[1], False
        elif not steps:
            return None
        else:
            paths = steps[-1][1]
            paths.append(field if paths else field.removeprefix(b"\n"))
    return steps if expected == old and len(steps) <= MOST else None
