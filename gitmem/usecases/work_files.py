"""Files of the work tree that gitmem edits: never through a symbolic link, and each whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from gitmem.errors import NotServedError
from gitmem.git.interface import Layout


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


def write_new_file(top: Path, path: str, data: bytes) -> None:
    """Write a file below the work tree that must not exist yet; no symbolic link is followed on the way.

    Raises:
        NotServedError: When a part of the path is a symbolic link or the file exists.
    """
    folder = top
    for part in path.split("/")[:-1]:
        folder /= part
        if folder.is_symlink():
            shown = folder.relative_to(top).as_posix()
            raise NotServedError(
                f"{shown} is a symbolic link", hint="put a real folder in its place", path=shown
            )
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise _unwritable(folder.relative_to(top).as_posix(), error) from None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(top / path, flags, 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
        except BaseException:
            (top / path).unlink(missing_ok=True)
            raise
    except FileExistsError:
        raise NotServedError(f"{path} exists already", hint="run it again", path=path) from None
    except OSError as error:
        raise _unwritable(path, error) from None


PAGE_START = b"<!DOCTYPE html>"
PAGE_MARK = b'<meta name="generator" content="gitmem">'
"""Stands in the head of every page that gitmem writes; what has no such mark is somebody else's."""
_HEAD = 2_048


def write_page(layout: Layout, place: str, text: str) -> None:
    """Write a page where the user asks for it, in one step: a new file, or in the place of an older page.

    Args:
        layout: Of the repository, whose git directory is not written into.
        place: As the user wrote it, from the working directory.
        text: The content.

    Raises:
        NotServedError: It would take the place of anything but a page, it lies in a git directory, or it cannot be
            written.
    """
    import tempfile

    path = Path(place)
    _refuse_git(layout, path)
    _refuse_others(path)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.stem[:50]}.", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as beside:
                beside.write(text)
            Path(name).chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink()
            raise
    except OSError as error:
        raise _unwritable(place, error) from None


def _refuse_git(layout: Layout, path: Path) -> None:
    """Also the git directory of another repository, and one whose name the file system spells otherwise."""
    real = Path(os.path.realpath(path))
    own = {Path(os.path.realpath(folder)) for folder in (layout.git_dir, layout.common_dir)}
    if own & {real, *real.parents} or ".git" in map(str.casefold, real.parts):
        raise NotServedError(
            f"{path} lies in the git directory; nothing was written",
            hint="name a file outside of it, such as map.html",
            path=str(path),
        )


def _refuse_others(path: Path) -> None:
    if not os.path.lexists(path):
        return
    hint = "name a new file, such as map.html"
    if path.is_symlink():
        what = "is a symbolic link"
    elif path.is_dir():
        what, hint = "is a folder", "name a file"
    elif path.is_file() and _is_page(path):
        return
    else:
        what = "exists and is no page of gitmem's"
    raise NotServedError(f"{path} {what}; nothing was written", hint=hint, path=str(path))


def _is_page(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return head.startswith(PAGE_START) and PAGE_MARK in head


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritable(path: str, error: OSError) -> NotServedError:
    why = "a file stands in the way" if isinstance(error, FileExistsError) else error.strerror or str(error)
    return NotServedError(
        f"{path} cannot be written: {why}", hint="make it a folder that you may write to", path=path
    )
