"""Events that a hook could not append because the lock was busy: a line each, for the next append to take in.

Each line is ``<run> <canonical JSON of the event>``; the event has an id already, so taking a line in twice does not
double it. The file lies in ``<common git dir>/gitmem/later``.
"""

from __future__ import annotations

import fcntl
import os

from gitmem.wire.canonical import canonical_json

FILE = "gitmem/later"
_MOST_BYTES = 1024 * 1024


def leave(common_dir: str, run: str, event: dict[str, object]) -> bool:
    """Leave a line; False when so many wait already that nobody seems to take them in."""
    line = b"%b %b\n" % (run.encode("ascii"), canonical_json(event))
    descriptor = _locked(f"{common_dir}/{FILE}")
    try:
        if os.fstat(descriptor).st_size > _MOST_BYTES:
            return False
        return os.write(descriptor, line) == len(line)
    finally:
        os.close(descriptor)


def waits(common_dir: str) -> bool:
    """Whether there are lines to take in."""
    folder, _, name = f"{common_dir}/{FILE}".rpartition("/")
    return any(one.startswith(name) for one in os.listdir(folder))


def set_aside(common_dir: str) -> tuple[str, ...]:
    """Files that hold lines and get no more; who took one in removes it.

    Those that an interrupted process set aside before are among them.
    """
    file = f"{common_dir}/{FILE}"
    aside = f"{file}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        os.rename(file, aside)
    except FileNotFoundError:
        pass
    else:
        # Whoever opened the file before it got its new name is done when this lock is free.
        os.close(_locked(aside))
    folder, _, name = file.rpartition("/")
    return tuple(f"{folder}/{one}" for one in sorted(os.listdir(folder)) if one.startswith(f"{name}."))


def _locked(file: str) -> int:
    """A descriptor to append to the file of that name, which nobody else holds."""
    while True:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            if os.stat(file).st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except FileNotFoundError:
            pass
        os.close(descriptor)
