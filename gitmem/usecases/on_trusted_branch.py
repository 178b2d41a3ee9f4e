"""Putting a proposal straight onto the trusted branch, in a repository without a remote and after a person said yes.

Where the branch is checked out here, the new files come into its work tree and index too, which otherwise would show
them as deleted. They are new, so nothing of the user's is touched; where something stands in their way, nothing happens.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from gitmem.errors import GitmemError, NotServedError
from gitmem.git.grafting import places_of, stage_new, staged_paths, unstage_new
from gitmem.git.interface import Repository
from gitmem.trust.branch import Trusted
from gitmem.usecases.work_files import write_new_file

_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer")


def refuse_unready(repo: Repository, trusted: Trusted, *, asked: bool) -> None:
    """Refuse what could only be put there past a review, past a person, or into somebody's unfinished work.

    Args:
        repo: The repository.
        trusted: Its trusted branch.
        asked: Whether a person can be asked.

    Raises:
        NotServedError: Naming which, with the way that is open.
    """
    if repo.remotes() or trusted.remote is not None:
        raise NotServedError(
            "this repository has a remote, where a pull request is reviewed and merged",
            hint="gitmem propose CANDIDATE --branch",
        )
    if not asked:
        raise NotServedError(
            "--commit approves, so it asks a person at a terminal",
            hint="run it in a terminal, without --json; --branch leaves the approval to a merge",
        )
    if trusted.ref is None or not trusted.ref.startswith("refs/heads/"):
        raise NotServedError(f"{trusted.name} is no branch of this repository", hint="use --branch")
    places = places_of(repo.layout, trusted.ref)
    here = _is_here(repo, trusted)
    if len(places) > 1 or (places and not here):
        raise NotServedError(
            f"{trusted.name} is checked out in another work tree: {places[0]}",
            hint="run it there, or use --branch",
        )
    if here and (doing := next((name for name in _UNDER_WAY if (repo.layout.git_dir / name).exists()), None)):
        raise NotServedError(
            f"a merge, rebase or cherry-pick is under way here ({doing})",
            hint="end it first, or use --branch",
        )


def commit_there(
    repo: Repository, trusted: Trusted, commit: str, files: Mapping[str, bytes], blobs: Mapping[str, str]
) -> None:
    """Move the trusted branch to a commit that adds files to its tip, and take them in where it is checked out.

    Args:
        repo: The repository.
        trusted: The branch.
        commit: The new tip.
        files: What it adds: content by path.
        blobs: Their object ids.

    Raises:
        NotServedError: Something stands in a file's place, or cannot be written.
        RaceError: The branch moved meanwhile. Nothing is half done in either case.
    """
    assert trusted.ref is not None
    if not _is_here(repo, trusted):
        repo.move_ref(trusted.ref, commit, old=trusted.commit, message="gitmem propose --commit")
        return
    top = repo.layout.work_tree
    assert top is not None
    _refuse_taken(repo, top, tuple(files))
    written: list[str] = []
    staged = False
    try:
        for path, data in files.items():
            write_new_file(top, path, data)
            written.append(path)
        stage_new(repo.layout, blobs)
        staged = True
        repo.move_ref(trusted.ref, commit, old=trusted.commit, message="gitmem propose --commit")
    except GitmemError:
        for path in written:
            (top / path).unlink(missing_ok=True)
        if staged:
            unstage_new(repo.layout, tuple(blobs))
        raise


def _is_here(repo: Repository, trusted: Trusted) -> bool:
    return repo.layout.work_tree is not None and repo.head_ref() == trusted.ref


def _refuse_taken(repo: Repository, top: Path, paths: Sequence[str]) -> None:
    """Nothing may stand at a file's path or, as a file, above it; neither in the work tree nor in the index."""
    above = [str(folder) for path in paths for folder in [*Path(path).parents][:-1]]
    taken = [path for path in paths if os.path.lexists(top / path)]
    taken += [folder for folder in above if os.path.lexists(top / folder) and not (top / folder).is_dir()]
    held = set(staged_paths(repo.layout, [*paths, *above]))
    taken += sorted(held.intersection([*paths, *above]))
    if taken:
        raise NotServedError(
            f"{taken[0]} stands in the way in this work tree",
            hint="move it away, or use --branch and merge that",
            path=taken[0],
        )
