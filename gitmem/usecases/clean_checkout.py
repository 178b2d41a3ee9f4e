"""A commit checked out in a temporary folder, with an empty home beside it; gone when it is left.

Only an end of this process that nobody can catch (SIGKILL, a power cut) leaves the folder ``gitmem-replay-…`` behind in the
system's folder for temporary files.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from gitmem.errors import NotServedError
from gitmem.git.checkout import CheckedOut, check_out
from gitmem.git.interface import Repository
from gitmem.model.change import TreeEntry
from gitmem.running.clean_environment import clean_environment


class Checkout(NamedTuple):
    """Args:
    folder: Top of the files.
    environment: For what runs in it.
    held: What it was filled with.
    """

    folder: Path
    environment: Mapping[str, str]
    held: CheckedOut


@contextmanager
def clean_checkout(
    repository: Repository, commit: str, instead: Mapping[str, TreeEntry] | None = None
) -> Iterator[Checkout]:
    """Check a commit out for a while; arguments as `gitmem.git.checkout.check_out`.

    Raises:
        NotServedError: There is no room for it, or objects are missing here.
        InvalidDataError: Its tree is damaged or hostile.
    """
    try:
        # Resolved, since the command sees its folder by that name and may compare the two.
        top = Path(os.path.realpath(tempfile.mkdtemp(prefix="gitmem-replay-")))
    except OSError as error:
        raise NotServedError(
            f"no folder for a checkout: {error.strerror}", hint="set TMPDIR to a folder with room"
        ) from None
    try:
        folder, home, scratch = (top / name for name in ("tree", "home", "tmp"))
        for one in (folder, home, scratch):
            one.mkdir(mode=0o700)
        held = check_out(repository, commit, folder, instead)
        environment = clean_environment(os.environ, folder=folder, home=home, scratch=scratch)
        yield Checkout(folder, environment, held)
    finally:
        remove_folder(top)


def remove_folder(top: Path) -> None:
    """Remove a folder with all in it, folders included that were made unwritable (as Go's module cache is)."""
    shutil.rmtree(top, ignore_errors=True)
    if not top.exists():
        return
    for place, folders, _ in os.walk(top):  # top down, so that each becomes readable before it is looked into
        for name in folders:
            inner = Path(place, name)
            if not inner.is_symlink():
                inner.chmod(0o700)
    shutil.rmtree(top, ignore_errors=True)
