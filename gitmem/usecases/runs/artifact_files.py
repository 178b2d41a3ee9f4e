"""Files of the work tree that are saved as artifacts: regular files alone, looked at before they are read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from gitmem.errors import InvalidDataError, NotFoundError, UsageError
from gitmem.store.codec import is_artifact_name

LARGEST = 64 << 20
_READABLE = "the file must be yours to read: see ls -l"


def read_artifact_files(
    paths: Iterable[str], *, within: Path | None = None, largest: int = LARGEST
) -> dict[str, bytes]:
    """Contents by base name; a symbolic link is never followed.

    A ledger is for ever and goes to everybody, so what is saved is what the project's folder holds, not whatever file of
    the machine a path leads to.

    Args:
        paths: From the working directory, or absolute.
        within: The work tree, outside of which nothing is taken; None, for a bare repository, takes a file anywhere.
        largest: Bytes that a file may have.

    Raises:
        NotFoundError: A file that is not there.
        InvalidDataError: A symbolic link, folder or device, a file outside of the work tree or in ``.git``, one that
            cannot be read or is over `largest` bytes.
        UsageError: Two files of one base name, or a name that no artifact can have.
    """
    wanted: dict[str, Path] = {}
    for path in map(Path, paths):
        _look(path, largest)
        if within is not None:
            _check_place(path, within)
        if path.name in wanted:
            raise UsageError(
                f"{path}: {wanted[path.name]} has the same name", hint="an artifact is saved by its base name"
            )
        if not is_artifact_name(path.name):
            raise UsageError(f"{path}: not an artifact name", hint="copy it under a plain file name")
        wanted[path.name] = path
    return {name: _read(path, largest) for name, path in wanted.items()}


def _look(path: Path, largest: int) -> None:
    """Refuse before anything is read or opened: opening a pipe would wait for ever."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(
            f"no such file: {path}", hint="paths are taken from the folder that you are in", path=str(path)
        ) from None
    except OSError as error:
        raise InvalidDataError(f"{path}: {error.strerror}", hint=_READABLE, path=str(path)) from None
    _check(path, found, largest)


def _check_place(path: Path, within: Path) -> None:
    top = within.resolve()
    found = path.resolve()
    inside = found.relative_to(top).parts if found.is_relative_to(top) else ()
    if not inside or any(part.casefold() == ".git" for part in inside):
        raise InvalidDataError(
            f"{path}: outside of the work tree {top}",
            hint="copy it into the work tree; gitmem run exec saves by itself what a command writes to its log",
            path=str(path),
        )


def _check(path: Path, found: os.stat_result, largest: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((word for test, word in _KINDS if test(found.st_mode)), "no regular file")
        raise InvalidDataError(f"{path}: {kind}", hint="name a regular file", path=str(path))
    if found.st_size > largest:
        raise InvalidDataError(
            f"{path}: {found.st_size} bytes, over the limit of {largest}",
            hint="save the part that tells something",
            path=str(path),
        )


def _read(path: Path, largest: int) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            _check(path, os.fstat(stream.fileno()), largest)
            data = stream.read(largest + 1)
    except OSError as error:
        raise InvalidDataError(f"{path}: {error.strerror}", hint=_READABLE, path=str(path)) from None
    if len(data) > largest:
        raise InvalidDataError(
            f"{path}: grew over the limit of {largest} bytes",
            hint="run it again when the file is finished",
            path=str(path),
        )
    return data


_KINDS = (
    (stat.S_ISLNK, "a symbolic link, which is never followed"),
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)
