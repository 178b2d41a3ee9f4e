"""The lock of a clone, which all its processes and work trees take before they move a ref of the ledger."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from gitmem.errors import NotServedError, RaceError
from gitmem.git.failures import write_cure
from gitmem.git.interface import Layout
from gitmem.wire.append import LOCK
from gitmem.wire.locks import acquire_lock, release_lock


@contextmanager
def clone_lock(layout: Layout, deadline: float) -> Iterator[None]:
    """Hold the lock.

    Args:
        layout: Whose.
        deadline: A `time.monotonic` value.

    Raises:
        RaceError: Another process held it until then.
        NotServedError: It cannot be made here.
    """
    path = layout.common_dir / LOCK
    try:
        descriptor = acquire_lock(path, timeout=max(0.0, deadline - time.monotonic()))
    except TimeoutError:
        raise RaceError(f"another process holds {path}", hint="run it again") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise NotServedError(f"cannot write {path}: {reason}", hint=write_cure(reason)) from error
    try:
        yield
    finally:
        release_lock(descriptor)
