"""What the git program says when it fails, as the errors of gitmem. The one place that reads git's prose.

Children run with ``LC_ALL=C``, so the words are those of git's source.
"""

from __future__ import annotations

from gitmem.errors import (
    GitFailedError,
    GitmemError,
    InvalidDataError,
    NotFoundError,
    NotServedError,
    RaceError,
)

_LOST_RACES = (
    "but expected",
    "reference already exists",
    "unable to resolve reference",
    "Unable to create",
    "couldn't set",
    "could not delete reference",
)
_BAD_NAMES = ("invalid ref format", "refusing to update ref with bad name", "is not a valid ref")
_MISSING_OBJECTS = (
    "nonexistent object",
    "bad object",
    "not a valid object name",
    "unable to read tree",
    "Not a valid object",
    "not a tree object",
    "does not exist",
    "Could not read",
    "could not fetch",
    "is not a valid",
    "is unavailable",
)
_UNSUPPORTED = ("unknown repository extension", "Expected git repo version", "unknown value for config")


def first_line(stderr: bytes) -> str:
    """The line of git's standard error that tells the reason: the first fatal or error line, else the first."""
    lines = stderr.decode("utf-8", "backslashreplace").strip().splitlines()
    telling = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines
    return telling[0].removeprefix("fatal: ").removeprefix("error: ") if telling else "no reason given"


def failure(command: str, status: int, stderr: bytes) -> GitmemError:
    """The error for a command that failed.

    Args:
        command: Command word, for the message.
        status: Exit status.
        stderr: What git wrote to standard error.
    """
    reason = first_line(stderr)
    if "bad config" in reason or "bad numeric config" in reason or "bad boolean config" in reason:
        return InvalidDataError(
            f"git configuration cannot be read: {reason}", hint="correct or remove that line"
        )
    if any(words in reason for words in _MISSING_OBJECTS):
        return NotFoundError(f"git {command}: {reason}")
    return GitFailedError(f"git {command} failed with status {status}: {reason}")


def discovery_failure(start: str, stderr: bytes) -> GitmemError:
    """The error for a folder in which no repository could be opened."""
    text = stderr.decode("utf-8", "backslashreplace")
    reason = first_line(stderr)
    if "dubious ownership" in text:
        cure = next((line.strip() for line in text.splitlines() if "safe.directory" in line), "")
        return NotServedError(
            f"repository belongs to another user: {start}",
            hint=f"if you trust it, run: {cure}" if cure else "add it to safe.directory",
        )
    if "not a git repository" in text:
        return not_a_repository(start)
    if "cannot change to" in text:
        return NotFoundError(f"no such folder: {start}")
    if any(words in text for words in _UNSUPPORTED):
        return NotServedError(
            f"repository format not supported by this git: {reason}", hint="use a newer git program"
        )
    return failure("rev-parse", 128, stderr)


def not_a_repository(start: str) -> NotFoundError:
    return NotFoundError(
        f"not a git repository: {start}", hint="run inside a repository, or name one with -C DIR"
    )


def ref_failure(name: str, status: int, stderr: bytes) -> GitmemError:
    """The error for a ref that could not be moved."""
    reason = first_line(stderr)
    if any(words in reason for words in _BAD_NAMES):
        return InvalidDataError(f"not a ref name: {name}")
    if any(words in reason for words in _MISSING_OBJECTS):
        return NotFoundError(f"ref {name} cannot point to a missing object: {reason}")
    if "cannot create" in reason or "there are still refs under" in reason:
        return NotServedError(f"ref {name} stands in the way of another: {reason}")
    if "Unable to create" in reason and "File exists" not in reason:
        return GitFailedError(f"ref {name} cannot be written: {reason}")
    if any(words in reason for words in _LOST_RACES):
        return RaceError(f"ref {name} was moved by somebody else: {reason}", hint="run it again")
    return failure("update-ref", status, stderr)
