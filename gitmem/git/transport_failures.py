"""What git says when it talks to a remote and fails, as the errors of gitmem."""

from __future__ import annotations

import re

from gitmem.errors import GitFailedError, NotServedError

_UNREACHABLE = (
    "Could not resolve host",
    "Could not resolve proxy",
    "Temporary failure in name resolution",
    "Name or service not known",
    "nodename nor servname",
    "Connection refused",
    "Connection timed out",
    "Operation timed out",
    "Operation too slow",
    "Connection reset",
    "Network is unreachable",
    "No route to host",
    "Failed to connect",
    "Couldn't connect",
    "unable to connect to",
    "the remote end hung up unexpectedly",
    "early EOF",
)
_STATUS = re.compile(r"(?:returned error:|RPC failed; HTTP) (\d{3})")
_AWAY = frozenset({"408", "425", "429", "500", "502", "503", "504"})
"""Answers that another try may change."""
_SAID = {
    "401": "it wants a password, or another one",
    "403": "it is forbidden with these credentials",
    "404": "there is nothing at this address, or it is hidden from these credentials",
    "413": "it takes nothing that large",
}
_GENERAL = frozenset(
    {
        "fatal: Could not read from remote repository.",
        "fatal: the remote end hung up unexpectedly",
        "fatal: early EOF",
        "Please make sure you have the correct access rights",
        "and the repository exists.",
    }
)


class UnreachableError(GitFailedError):
    """The remote could not be reached: no network, no server, no answer. Nothing was exchanged."""

    kind = "offline"


class RefusedError(GitFailedError):
    """The remote answered and refused."""

    kind = "refused"
    exit_code = 4


def transport_failure(remote: str, stderr: bytes) -> GitFailedError | NotServedError:
    """The error for an exchange that failed.

    Args:
        remote: Name or URL, for the message.
        stderr: What git wrote to standard error.
    """
    text = stderr.decode("utf-8", "backslashreplace")
    reason = telling_line(text)
    if "hash algorithm" in text or "mismatched algorithms" in text:
        return other_object_format(remote, reason)
    status = next(iter(_STATUS.findall(text)), "")
    if status and status not in _AWAY:
        said = _SAID.get(status, "it refused")
        return RefusedError(
            f"{remote} refused: {said} ({reason})", hint="git push to the same remote tells more"
        )
    if status or any(words in text for words in _UNREACHABLE):
        return UnreachableError(f"{remote} cannot be reached: {reason}", hint="run it again when it can")
    if "does not appear to be a git repository" in text or "not found" in text:
        return NotServedError(
            f"{remote} is no repository that can be read: {reason}", hint="git remote -v shows the remotes"
        )
    return RefusedError(
        f"{remote} refused: {reason}", hint="git fetch and git push to the same remote tell more"
    )


def other_object_format(remote: str, reason: str) -> NotServedError:
    """The error for a remote whose object ids are of another kind."""
    return NotServedError(
        f"{remote} has another object format than this repository, and git exchanges nothing between them: {reason}",
        hint="git config gitmem.syncRemote names another remote; git rev-parse --show-object-format tells the format",
    )


def telling_line(text: str) -> str:
    """The line that tells the reason, rather than one that git says of every failure, without its full stop."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("remote: ")]
    telling = [line for line in lines if line not in _GENERAL] or lines
    first = next((line for line in telling if line.startswith(("fatal: ", "error: "))), (telling or [""])[0])
    return first.removeprefix("fatal: ").removeprefix("error: ").rstrip(".") or "no reason given"


def server_said(stderr: bytes) -> str:
    """What the server, or a hook of it, said for people; short, on one line."""
    lines = stderr.decode("utf-8", "backslashreplace").splitlines()
    said = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    return " / ".join(line for line in said if line)[:300]
