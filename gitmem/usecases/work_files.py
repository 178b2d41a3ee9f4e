"""Files of the work tree that gitmem edits: never through a symbolic link, and each whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gitmem.errors import NotServedError


def refuse_links(top: Path, file: str) -> None:
    """Make sure that a path below the work tree leads through no symbolic link, so that it stays in the repository.

    Raises:
        NotServedError: A folder on the way, or the file itself, is one.
    """
    place = top
    for part in file.split("/"):
        place /= part
        if place.is_symlink():
            shown = place.relative_to(top).as_posix()
            raise NotServedError(
                f"{shown} is a symbolic link; gitmem writes only what lies in the repository itself",
                hint=f"put the real {'file' if place == top / file else 'folder'} in its place",
                path=shown,
            )


def replace_file(top: Path, file: str, data: bytes) -> None:
    """Give a file other content in one step; its mode stays.

    Raises:
        NotServedError: It cannot be written, or a symbolic link is on the way.
    """
    import tempfile

    refuse_links(top, file)
    path = top / file
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem[:50]}.", dir=path.parent)
        beside = Path(name)
        try:
            with os.fdopen(handle, "wb") as file_beside:
                file_beside.write(data)
            beside.chmod(path.stat().st_mode & 0o7777)
            beside.replace(path)
        except BaseException:
            beside.unlink()
            raise
    except OSError as error:
        raise NotServedError(
            f"{file} cannot be written: {error.strerror or error}; it is as it was",
            hint="make its folder one that you may write to",
            path=file,
        ) from None
