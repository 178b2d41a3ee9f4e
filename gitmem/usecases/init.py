"""Make ``.ai/`` in the work tree: only files that are not there yet, and nothing outside that folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gitmem.errors import InvalidDataError, NotServedError
from gitmem.git.interface import Repository

AI_FOLDER = ".ai"


@dataclass(frozen=True, slots=True)
class Made:
    """What happened to one file: made, or kept because it was there."""

    path: str
    made: bool


def init(repo: Repository, files: Mapping[str, str]) -> tuple[Made, ...]:
    """Write the files that do not exist yet; never overwrites, so a second call makes nothing.

    Args:
        repo: The repository.
        files: Repository path, all below ``.ai/``, to text.

    Raises:
        NotServedError: In a bare repository.
        InvalidDataError: When a folder on the way is a symbolic link or a file.
    """
    top = repo.layout.work_tree
    if top is None:
        raise NotServedError(
            "this is a bare repository: there is no work tree to put .ai/ in",
            hint="run gitmem init in a clone of it, commit, and push",
        )
    for path in files:
        _check_folders(top, path)
    return tuple(Made(path, _make(top / path, text)) for path, text in files.items())


def _check_folders(top: Path, path: str) -> None:
    assert path.startswith(f"{AI_FOLDER}/")
    for folder in [*Path(path).parents][:-1]:
        place = top / folder
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            what = "a symbolic link" if place.is_symlink() else "a file"
            raise InvalidDataError(
                f"{folder} is {what}; gitmem writes only into a real folder",
                hint=f"move {folder} away and run gitmem init again",
                path=str(folder),
            )


def _make(place: Path, text: str) -> bool:
    if os.path.lexists(place):
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        with place.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True
