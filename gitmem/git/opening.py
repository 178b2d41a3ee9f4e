"""Opening a repository, and the choice of back end."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from gitmem.git.discovery import discover
from gitmem.git.program import ProgramRepository

Backend = Literal["program", "library"]


def open_repository(
    start: Path | str | None = None, *, prefer: Backend | None = None, deadline: float | None = None
) -> ProgramRepository:
    """Open the repository that a folder lies in.

    Args:
        start: Where to look from, upwards; the working directory when None.
        prefer: The back end wanted.
        deadline: A `time.monotonic` value after which calls of git end with TimeoutError.

    Raises:
        NotFoundError: No such folder, or no repository there.
        NotServedError: Owned by another user, of an unknown format, or a bare repository inside a work tree.
    """
    del prefer
    return ProgramRepository(discover(start), deadline=deadline)
