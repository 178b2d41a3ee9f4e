"""Reasons of the system and of libgit2 as errors that say what to do."""

from __future__ import annotations

import pytest

from gitmem.errors import GitFailedError, RaceError
from gitmem.git.failures import cure, failure, ref_failure, symbolic_ref_failure, write_cure, write_failure

FULL = "failed to write out file: No space left on device"
READ_ONLY = "failed to create temporary file '/r/.git/objects/x': Read-only file system"


@pytest.mark.parametrize(
    ("reason", "message", "hint"),
    [
        (FULL, "a blob cannot be written: No space left on device", "make room on the disk"),
        (READ_ONLY, "a blob cannot be written: Read-only file system", "a clone elsewhere"),
        ("no error", "a blob cannot be written", "make room on the disk"),
        ("something else", "a blob cannot be written: something else", "git fsck"),
    ],
)
def test_what_cannot_be_written_says_the_cure(reason: str, message: str, hint: str) -> None:
    error = write_failure("a blob", reason)
    assert error.message == message
    assert hint in error.hint


@pytest.mark.parametrize("reason", ["No space left on device", "Read-only file system", "Permission denied"])
def test_every_failure_of_git_by_the_system_has_the_cure(reason: str) -> None:
    said = f"error: unable to write: {reason}\nfatal: failed\n".encode()
    for error in (
        failure("hash-object", 128, said),
        symbolic_ref_failure("AI_RUN", 1, said),
        ref_failure("refs/x", 128, f"fatal: Unable to create '/r/x.lock': {reason}".encode()),
    ):
        assert isinstance(error, GitFailedError)
        assert reason in error.message
        assert error.hint == cure(reason)


def test_a_locked_symbolic_ref_is_a_race() -> None:
    said = b"error: Unable to create '/r/.git/AI_RUN.lock': File exists.\n"
    assert isinstance(symbolic_ref_failure("AI_RUN", 1, said), RaceError)


def test_a_reason_nobody_knows_still_has_something_to_look_at() -> None:
    assert cure("strange") == ""
    assert "ls -ld" in write_cure("strange")
    assert write_cure("Read-only file system") == cure("Read-only file system")
