"""Opening a repository, and the choice of back end.

Measured on one packed repository of 5,000 files, medians of seven on a busy machine: libgit2 writes a commit with about a
sixth of the CPU that the git program takes and moves a ref with a tenth. One commit read takes about half the elapsed
time. Blobs read in bulk took about the same elapsed time. Whole trees and comparisons, walked through libgit2, took 1.3
and 2.6 times the elapsed time, so they stay with the program. Importing pygit2 costs far more than a few calls of git: a
command that ends at once does better with the program, a server or a process that appends many events with libgit2.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from gitmem.errors import GitmemError, UsageError
from gitmem.git.discovery import discover
from gitmem.git.interface import Layout
from gitmem.git.program import ProgramRepository

Backend = Literal["program", "library"]

VARIABLE = "GITMEM_GIT_BACKEND"
DURABILITY = "gitmem.durability"


def open_repository(
    start: Path | str | None = None, *, prefer: Backend | None = None, deadline: float | None = None
) -> ProgramRepository:
    """Open the repository that a folder lies in.

    Args:
        start: Where to look from, upwards; the working directory when None.
        prefer: The back end wanted; the variable ``GITMEM_GIT_BACKEND`` speaks when None, and the git program is
            taken when neither does. libgit2 is taken only for a repository that it can be trusted with.
        deadline: A `time.monotonic` value after which calls of git end with TimeoutError.

    Raises:
        NotFoundError: No such folder, or no repository there.
        NotServedError: Owned by another user, of an unknown format, or a bare repository inside a work tree.
        UsageError: When the variable names no back end.
    """
    layout = discover(start)
    if _wanted(prefer) == "library" and fits_library(layout):
        from gitmem.git.library import LibraryRepository

        try:
            return LibraryRepository(layout, deadline=deadline)
        except (GitmemError, ImportError):  # what libgit2 cannot open, the git program can
            pass
    return ProgramRepository(layout, deadline=deadline)


def durable_repository(repository: ProgramRepository) -> ProgramRepository:
    """The repository to write with: the same one, or, where ``gitmem.durability`` is ``full``, one that syncs each write.

    Raises:
        UsageError: When the setting says something else.
    """
    said = repository.config(DURABILITY) or "default"
    if said not in {"default", "full"}:
        raise UsageError(
            f"{DURABILITY} is {said[:40]!r}",
            hint=f"git config {DURABILITY} full, or default, which is git's own",
        )
    return ProgramRepository(repository.layout._replace(durable=True)) if said == "full" else repository


def fits_library(layout: Layout) -> bool:
    """Whether libgit2 gives the same answers as git: sha1, refs as files, all objects here and in one place."""
    objects = layout.common_dir / "objects"
    return (
        layout.object_format == "sha1"
        and not (layout.common_dir / "reftable").exists()
        and not (objects / "info" / "alternates").exists()
        and not any(objects.glob("pack/*.promisor"))
    )


def _wanted(prefer: Backend | None) -> str:
    wanted = prefer or os.environ.get(VARIABLE) or "program"
    if wanted not in {"program", "library"}:
        raise UsageError(f"{VARIABLE} names no back end: {wanted!r}", hint="program or library")
    return wanted
