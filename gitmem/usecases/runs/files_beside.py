"""Files that lie beside a ledger.json: regular ones below its folder alone, no link on the way to them followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from gitmem.errors import InvalidDataError, NotFoundError
from gitmem.store.codec import is_artifact_name
from gitmem.store.run_reading import ARTIFACTS

LARGEST = 1 << 30


def read_regular(file: Path, limit: int, *, base: Path | None = None) -> bytes:
    """Content of a regular file, through no link below `base`.

    Raises:
        NotFoundError: No such file.
        InvalidDataError: A link, no regular file, unreadable, or over the limit.
    """
    parts = [file, *file.parents][: len(file.relative_to(base).parts) if base else 1]
    if any(part.is_symlink() for part in parts):
        raise _bad(file, "a symbolic link, which gitmem does not follow", "put the file itself there")
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(f"no such file: {file}", path=str(file)) from None
    except OSError as error:
        raise _bad(file, str(error.strerror), "give yourself the right to read it") from None
    with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _bad(file, "no regular file", "put a file there")
        if status.st_size > limit:
            raise _bad(file, f"{status.st_size} bytes, over the limit of {limit}", "import it in parts")
        return stream.read()


class FilesBeside:
    """Artifacts beside a ledger, in its folder ``artifacts`` or right beside it; each read once.

    Args:
        folder: Where the ledger lies.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, bytes] = {}
        self.missing: dict[str, str] = {}
        """Why what was asked for is not there, by name."""

    def artifact(self, name: str) -> bytes | None:
        """Content of an artifact, named with or without its folder; None when there is no file for it."""
        if name not in self._read and name not in self.missing:
            try:
                self._read[name] = self._content(name.removeprefix(f"{ARTIFACTS}/"))
            except NotFoundError:
                self.missing[name] = "no such file"
            except InvalidDataError as error:
                self.missing[name] = error.message.removeprefix(f"{error.path}: ")
        return self._read.get(name)

    def _content(self, plain: str) -> bytes:
        if not is_artifact_name(plain):
            raise InvalidDataError("not an artifact name", path=plain)
        try:
            return read_regular(self._folder / ARTIFACTS / plain, LARGEST, base=self._folder)
        except NotFoundError:
            return read_regular(self._folder / plain, LARGEST, base=self._folder)


def _bad(file: Path, reason: str, hint: str) -> InvalidDataError:
    return InvalidDataError(f"{file}: {reason}", hint=hint, path=str(file))
