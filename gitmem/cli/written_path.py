"""Paths as a person writes them, from the folder they stand in, as the repository names them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import NotFoundError, UsageError
from gitmem.model.literal_glob import as_glob

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


def repository_glob(repo: Repository, written: str) -> str:
    """What a glob means: from the working directory, or from the repository's top where its folder is only there.

    Args:
        repo: The repository; in a bare one the glob is taken as it is.
        written: As the user wrote it; a plain path names that file or folder.

    Raises:
        NotFoundError: It lies outside the work tree.
        UsageError: It is empty.
    """
    if not written:
        raise UsageError("an empty glob names nothing", hint="write ** for the whole repository")
    top = repo.layout.work_tree
    if top is None:
        return written
    parts = written.split("/")
    fixed = next((at for at, part in enumerate(parts) if _WILD.search(part)), len(parts))
    if fixed == len(parts):
        return _plain_glob(repository_path(repo, written), "/" if written.endswith("/") else "")
    folder, rest = "/".join(parts[:fixed]), "/".join(parts[fixed:])
    if not folder and not written.startswith("/"):
        inside = Path.cwd().resolve()
        base = inside.relative_to(top.resolve()).as_posix() if inside.is_relative_to(top.resolve()) else "."
    else:
        base = repository_path(repo, folder or "/")
    return rest if base == "." else f"{as_glob(base)}/{rest}"


def _plain_glob(path: str, end: str) -> str:
    return "**" if path == "." else as_glob(path) + end


_WILD = re.compile(r"[*?\[{\\]")
