"""Finding the commit of a validation whose own baseline commit is missing or was never written.

A validation made with ``--worktree`` names no commit, and one made on a branch that was squashed names a commit that
nobody has. The commit that brought the validation's file to this history is its baseline when the scope held exactly
the recorded content there: equal digests prove it, whatever happened to history in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitmem.git.interface import Repository

VALIDATIONS_FOLDER = ".ai/validations"


def commits_that_brought(repository: Repository, tip: str, files: Iterable[str]) -> Mapping[str, str]:
    """First-parent commits that brought some files, from one walk; files that history does not tell of are left out.

    Args:
        repository: The repository.
        tip: Commit whose history is walked.
        files: Repository paths below ``.ai/validations``.
    """
    wanted = set(files)
    found: dict[str, str] = {}
    for commit, changes in repository.log_changes(until=tip, under=[VALIDATIONS_FOLDER], first_parent=True):
        for row in changes:
            if row.new_path in wanted and row.status != "modified":
                found[row.new_path] = commit.oid
                wanted.discard(row.new_path)
        if not wanted:
            break
    return found
