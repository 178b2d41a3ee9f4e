"""Which index git is about to commit: a hook of ``git commit -a`` or ``git commit PATH`` is told by a variable.

Those commands build an index of their own and name it in ``GIT_INDEX_FILE``, while the repository's usual index still
holds, or already holds again, something else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gitmem.git.interface import Layout


def pending_index(layout: Layout, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variable to read the index under, when the one named in the environment is this repository's.

    A hook of another repository must not mislead: ``GIT_DIR``, when set, has to be this very git directory, and without
    it the file may not lie in another one. Relative names count from where git counts them: the git directory from the
    working directory, the index from the top of the work tree.

    Args:
        layout: The repository.
        environment: Variables of this process.

    Returns:
        ``GIT_INDEX_FILE`` with its absolute path; empty where the repository's usual index counts.
    """
    named = environment.get("GIT_INDEX_FILE")
    if not named:
        return {}
    file = Path(os.path.realpath(Path(layout.work_tree or layout.git_dir, named)))
    if not file.is_file():
        return {}
    own = Path(os.path.realpath(layout.git_dir))
    git_dir = environment.get("GIT_DIR")
    if git_dir is not None:
        return {"GIT_INDEX_FILE": str(file)} if Path(os.path.realpath(git_dir)) == own else {}
    foreign = file.parent != own and os.path.lexists(file.parent / "HEAD")
    return {} if foreign else {"GIT_INDEX_FILE": str(file)}
