"""What stands in the work tree as a patch against a commit, staged or not; no program of the repository is run."""

from __future__ import annotations

from gitmem.git.interface import Layout
from gitmem.git.runner import Runner
from gitmem.git.worktree import without_filters

_SHOWN = ("-p", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative")
_PLAIN = ("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=dirty")
_FILE = b"\ndiff --git "


def worktree_patch(layout: Layout, commit: str, *, limit: int) -> tuple[bytes, int]:
    """The patch from a commit to the tracked files of the work tree.

    Args:
        layout: The repository; one with a work tree.
        commit: A whole commit id.
        limit: Most bytes; of a longer patch the first files that fit are kept whole.

    Returns:
        The patch, and how many files are left out.

    Raises:
        GitmemError: When git cannot tell.
    """
    runner = Runner(layout)
    data = runner.output("diff", *_SHOWN, *_PLAIN, commit, "--", env=without_filters(runner))
    if len(data) <= limit:
        return data, 0
    cut = max(data.rfind(_FILE, 0, limit) + 1, 0)
    return data[:cut], data[cut - 1 if cut else 0 :].count(_FILE) + (0 if cut else 1)
