"""Paths as a person writes them, from the folder they stand in, as the repository names them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import NotFoundError

if TYPE_CHECKING:
    from gitmem.git.interface import Repository


def repository_path(repo: Repository, written: str) -> str:
    """What a path names: a file from the working directory when one is there, else one from the repository's top.

    Args:
        repo: The repository; in a bare one the path is taken as it is.
        written: As the user wrote it.

    Raises:
        NotFoundError: It lies outside the work tree.
    """
    if repo.layout.work_tree is None:
        return written
    top = repo.layout.work_tree.resolve()
    # The folder is resolved, the file itself is not: a symbolic link is to be named, not followed.
    path = Path(os.path.normpath(Path(written).parent.resolve() / Path(written).name))
    if not path.is_relative_to(top):
        raise NotFoundError(
            f"{written}: not inside this work tree", hint="name a file of this repository", path=written
        )
    from_top = os.path.normpath(written)
    if not os.path.lexists(path) and not Path(written).is_absolute() and not from_top.startswith(".."):
        return from_top
    return path.relative_to(top).as_posix()
