"""The line of first parents below a commit."""

from __future__ import annotations

from gitmem.git.interface import Layout
from gitmem.git.parsing import text
from gitmem.git.runner import Runner


def first_parents(layout: Layout, head: str, *, most: int) -> tuple[str, ...]:
    """Ids of a commit and of its first parents, newest first, at most some.

    Raises:
        GitmemError: When git cannot tell.
    """
    out = Runner(layout).output("rev-list", "--first-parent", f"--max-count={most}", head, "--")
    return tuple(text(out).split())


def is_first_parent(layout: Layout, commit: str, head: str, *, most: int) -> bool:
    """Whether a commit is among the first parents of another; False also where it lies further below than some.

    Where the clocks of commits disagree, this takes a few commits and finding a merge base takes them all.

    Raises:
        GitmemError: When git cannot tell.
    """
    limited = ("--first-parent", "--boundary", f"--max-count={most}")
    out = Runner(layout).output("rev-list", *limited, head, f"^{commit}", "--")
    return f"-{commit}" in text(out).split()
