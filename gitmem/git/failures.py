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

_FULL = "make room on the disk, then run it again; nothing was half done"
_ANY_CURE = "git fsck --full tells whether the repository is whole"
_MISSING_CURE = "git fetch brings what others have; git fsck --full tells what is missing here"
_CURES = (
    ("No space left on device", _FULL),
    ("Disk quota exceeded", "make room within your quota, then run it again; nothing was half done"),
    (
        "Read-only file system",
        "the repository lies on a file system that cannot be written to: work on a clone elsewhere",
    ),
    ("Permission denied", "the git directory must be yours to write: see who owns it with ls -l"),
    ("insufficient permission", "the git directory must be yours to write: see who owns it with ls -l"),
    ("Too many open files", "raise the limit (ulimit -n), then run it again"),
    ("Input/output error", "the disk reports an error: copy the repository to another one"),
)
"""Reasons as the system words them, and what to do."""
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
_PACKED_REFS = "take that file from a backup, or move it away and fetch: gitmem sync brings the runs back"
_UNSUPPORTED = ("unknown repository extension", "Expected git repo version", "unknown value for config")


def first_line(stderr: bytes) -> str:
    """The line of git's standard error that tells the reason: the first fatal or error line, else the first."""
    lines = stderr.decode("utf-8", "backslashreplace").strip().splitlines()
    telling = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines
    return telling[0].removeprefix("fatal: ").removeprefix("error: ") if telling else "no reason given"


def cure(reason: str) -> str:
    """What to do about a reason that the system gives; empty for what is none of the known ones."""
    return next((told for words, told in _CURES if words in reason), "")


def missing(message: str) -> InvalidDataError:
    """The error for something that names an object which is not here."""
    return InvalidDataError(message, hint=_MISSING_CURE)


def write_cure(reason: str) -> str:
    """As `cure`, of something that could not be written."""
    return cure(reason) or "the git directory must be there and yours to write: see ls -ld"


def write_failure(what: str, reason: str) -> GitFailedError:
    """The error for an object or file in the git directory that could not be written.

    Args:
        what: What was to be written.
        reason: As libgit2 or git says it; libgit2 may have none to give, which happens when the disk is full.
    """
    words = next((words for words, _ in _CURES if words in reason), "")
    if words:
        return GitFailedError(f"{what} cannot be written: {words}", hint=cure(reason))
    if "failed to create temporary file" in reason or reason in {"no error", ""}:
        return GitFailedError(
            f"{what} cannot be written", hint=f"{_FULL}; see also that the git directory is yours to write"
        )
    return GitFailedError(f"{what} cannot be written: {reason}", hint=_ANY_CURE)


def symbolic_ref_failure(name: str, status: int, stderr: bytes) -> GitmemError:
    """The error for a symbolic ref that could not be set."""
    text = stderr.decode("utf-8", "backslashreplace")
    if "File exists" in text:
        return RaceError(
            f"{name} is locked by another process, or by one that was killed",
            hint=f"run it again; if that does not help, remove {name}.lock in the git directory",
        )
    if cure(text):
        return write_failure(name, text)
    return failure("symbolic-ref", status, stderr)


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
    if "line in " in reason and "/packed-refs" in reason:  # what follows is that line, which may be anything
        file = reason[reason.index("line in ") + 8 : reason.index("/packed-refs")] + "/packed-refs"
        return InvalidDataError(f"{file} is damaged: {reason.partition(' in ')[0]}", hint=_PACKED_REFS)
    if any(words in reason for words in _MISSING_OBJECTS):
        return NotFoundError(f"git {command}: {reason}", hint=_MISSING_CURE)
    told = stderr.decode("utf-8", "backslashreplace")
    if cure(told):
        words = next(words for words, _ in _CURES if words in told)
        return GitFailedError(f"git {command} failed: {words}", hint=cure(told))
    return GitFailedError(f"git {command} failed with status {status}: {reason}", hint=_ANY_CURE)


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
        return NotFoundError(f"no such folder: {start}", hint="-C DIR names the folder to work in")
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
        return InvalidDataError(
            f"not a ref name: {name}", hint="git check-ref-format tells what a name may hold"
        )
    if any(words in reason for words in _MISSING_OBJECTS):
        return NotFoundError(f"ref {name} cannot point to a missing object: {reason}", hint=_MISSING_CURE)
    if "cannot create" in reason or "there are still refs under" in reason:
        return NotServedError(
            f"ref {name} stands in the way of another: {reason}", hint="git for-each-ref shows both"
        )
    if "Unable to create" in reason and "File exists" not in reason:
        return write_failure(f"ref {name}", reason)
    if any(words in reason for words in _LOST_RACES):
        return RaceError(f"ref {name} was moved by somebody else: {reason}", hint="run it again")
    return failure("update-ref", status, stderr)
