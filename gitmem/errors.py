"""One family of expected failures, each kind with its exit code.

A face maps an instance once: one line ``gitmem: error: MESSAGE``, then ``hint: HINT``, then the exit
code. Findings of a check (a challenged memory, a lint problem) are values, never exceptions.
"""

from __future__ import annotations


class GitmemError(Exception):
    """An expected failure.

    Args:
        message: What is wrong, naming the file, line and value.
        hint: The cure, one sentence; empty when there is none.
        path: Repository path of the file at fault, as git shows it.
        line: Line in that file, from 1.
        column: Column in that line, from 1.
    """

    kind = "error"
    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line
        self.column = column


class UsageError(GitmemError):
    """The command was called wrongly: unknown option, bad argument."""

    kind = "usage"
    exit_code = 2


class NotFoundError(GitmemError):
    """A repository, revision, memory or run that does not exist."""

    kind = "not_found"
    exit_code = 3


class NotServedError(GitmemError):
    """The state of the repository does not allow the command: unborn, bare, dirty paths, unsupported format."""

    kind = "not_served"
    exit_code = 3


class InvalidDataError(GitmemError):
    """A file or value that cannot be read: broken YAML, bad date, damaged object."""

    kind = "invalid"
    exit_code = 3


class LifecycleError(GitmemError):
    """A move that the lifecycle does not have; the message names those that exist."""

    kind = "lifecycle"
    exit_code = 3


class RaceError(GitmemError):
    """A lost race or a refusing remote, after retries; nothing was half done."""

    kind = "race"
    exit_code = 4


class GitFailedError(GitmemError):
    """The git program failed in a way that no other kind names; the message holds its first line."""

    kind = "git"
    exit_code = 3


def quoted(text: str) -> str:
    """A text in quotes for a message; bytes that are no UTF-8 as bytes, not as Python carries them."""
    import re  # not where nothing fails

    return re.sub(r"(?<!\\)((?:\\\\)*)\\udc([89a-f][0-9a-f])", r"\1\\x\2", repr(text))
