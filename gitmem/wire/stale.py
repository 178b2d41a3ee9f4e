"""Lock files of git that a killed process left behind: ``refs/….lock`` stands, and every later move of the ref fails.

Only for refs that nobody but the holder of the clone's own lock moves, and only while holding it. What remains then
is git itself (``pack-refs``, ``gc``), which locks a ref for moments.
"""

from __future__ import annotations

import os
import time

OLD_SECONDS = 10.0
WATCHED_SECONDS = 3.0


class StaleLock:
    """Watches one lock file across the attempts of one append.

    A file is stale when the clock says that it is old – or from the future – or when the very same file was there for
    `WATCHED_SECONDS` of our own waiting, which needs no clock that is right.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: tuple[int, int] | None = None
        self._since = 0.0

    def remove(self) -> bool:
        """Remove the file if it is stale. Returns whether it was removed."""
        try:
            found = os.lstat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            self._seen = None
            return False
        identity = (found.st_ino, found.st_mtime_ns)
        if identity != self._seen:
            self._seen, self._since = identity, time.monotonic()
        if (
            abs(time.time() - found.st_mtime) < OLD_SECONDS
            and time.monotonic() - self._since < WATCHED_SECONDS
        ):
            return False
        try:
            os.unlink(self._path)
        except FileNotFoundError:
            return False
        self._seen = None
        return True
