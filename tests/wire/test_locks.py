from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from gitmem.wire.locks import acquire_lock, release_lock


def _hold(path: Path, held: Event) -> None:
    acquire_lock(path, timeout=5)
    held.set()
    signal.pause()


def test_a_held_lock_is_busy_and_then_free(tmp_path: Path) -> None:
    path = tmp_path / "gitmem" / "lock"
    first = acquire_lock(path, timeout=0)
    with pytest.raises(TimeoutError, match="lock is busy"):
        acquire_lock(path, timeout=0.01)
    release_lock(first)
    release_lock(acquire_lock(path, timeout=0))


def test_a_killed_holder_leaves_no_stale_lock(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    held = context.Event()
    holder = context.Process(target=_hold, args=(tmp_path / "lock", held))
    holder.start()
    assert held.wait(10)
    with pytest.raises(TimeoutError):
        acquire_lock(tmp_path / "lock", timeout=0)
    holder.kill()
    holder.join()
    release_lock(acquire_lock(tmp_path / "lock", timeout=5))
    holder.close()


def test_a_lock_file_that_was_removed_does_not_split_the_holders(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = acquire_lock(path, timeout=0)
    path.unlink()
    second = acquire_lock(path, timeout=0)
    assert not os.path.samestat(os.fstat(first), os.fstat(second))
    with pytest.raises(TimeoutError):
        acquire_lock(path, timeout=0)
    release_lock(first)
    release_lock(second)


def _count(path: Path, times: int) -> None:
    for _ in range(times):
        lock = acquire_lock(path.with_suffix(".lock"), timeout=60)
        path.write_text(str(int(path.read_text()) + 1))
        release_lock(lock)


def test_holders_follow_one_another(tmp_path: Path) -> None:
    path = tmp_path / "number"
    path.write_text("0")
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.starmap(_count, [(path, 50)] * 4)
    assert path.read_text() == "200"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError):
        acquire_lock(tmp_path / "lock", timeout=0)
    assert not (tmp_path / "elsewhere").exists()
