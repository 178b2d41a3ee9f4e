"""A lock that ends with its process: `flock` on a file that stays, such as ``<common git dir>/gitmem/lock``.

The kernel lets go when the holder dies, so there is no stale lock to recover. All processes and work trees of one
clone meet at the same file.
"""

from __future__ import annotations

import fcntl
import os
import time


def acquire_lock(path: str | os.PathLike[str], *, timeout: float) -> int:
    """Wait at most `timeout` seconds for the lock; makes the file and its folder when they are missing.

    Returns:
        A descriptor for `release_lock`.

    Raises:
        TimeoutError: When somebody held it all that time.
        OSError: When the file cannot be made.
    """
    deadline = time.monotonic() + timeout
    pause = 0.0005
    while True:
        descriptor = _try_lock(os.fspath(path))
        if descriptor is not None:
            return descriptor
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"lock is busy: {os.fspath(path)}")
        time.sleep(min(pause, left))
        # Unequal pauses, so that processes that started together do not march in step.
        pause = min(
            pause * (1.5 + (os.getpid() % 7) / 10), 0.004
        )  # an append holds it for about a millisecond


def release_lock(descriptor: int) -> None:
    """Let go."""
    os.close(descriptor)


def _try_lock(path: str) -> int | None:
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _still_there(descriptor, path):
            return descriptor
    except BlockingIOError:
        pass
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        return os.open(path, flags, 0o666)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return os.open(path, flags, 0o666)


def _still_there(descriptor: int, path: str) -> bool:
    """Whether the locked file is the one that newcomers will open; somebody may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
