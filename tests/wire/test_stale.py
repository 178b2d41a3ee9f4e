from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.wire import stale
from gitmem.wire.stale import StaleLock


def test_an_old_lock_is_removed_and_a_fresh_one_is_not(tmp_path: Path) -> None:
    lock = tmp_path / "w.lock"
    lock.touch()

    assert not StaleLock(str(lock)).remove()
    os.utime(lock, (1, 1))
    assert StaleLock(str(lock)).remove()
    assert not lock.exists()


def test_a_lock_from_the_future_is_stale(tmp_path: Path) -> None:
    lock = tmp_path / "w.lock"
    lock.touch()
    os.utime(lock, (2**33, 2**33))

    assert StaleLock(str(lock)).remove()


def test_a_lock_that_stays_while_we_wait_is_stale_whatever_the_clock_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "w.lock"
    lock.touch()
    watching = StaleLock(str(lock))

    assert not watching.remove()
    monkeypatch.setattr(stale, "WATCHED_SECONDS", 0.0)
    assert watching.remove()


def test_another_lock_of_the_same_name_is_watched_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "w.lock"
    lock.touch()
    watching = StaleLock(str(lock))
    watching.remove()
    lock.rename(tmp_path / "kept")
    lock.touch()
    os.utime(lock, ns=(lock.stat().st_atime_ns, lock.stat().st_mtime_ns + 1))

    assert not watching.remove()
    assert lock.exists()


def test_no_lock_is_nothing_to_remove(tmp_path: Path) -> None:
    assert not StaleLock(str(tmp_path / "absent" / "w.lock")).remove()
