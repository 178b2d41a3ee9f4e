"""Subjects of the newest commits with the paths that each changed, merges left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gitmem.git.formatting import is_oid
from gitmem.git.interface import Layout
from gitmem.git.parsing import text
from gitmem.git.runner import Runner

_FORMAT = "--format=%x01%H%x02%s%x03"
# Without renames: pairing them needs blobs, which a partial clone lacks, and git then leaves paths out silently.
_OPTIONS = ("--no-merges", "--no-renames", "--no-show-signature", "--name-only", "-z")


class Subject(NamedTuple):
    """One commit.

    Args:
        oid: Its id.
        subject: First line of its message.
        paths: What it changed.
    """

    oid: str
    subject: str
    paths: tuple[str, ...]


def subjects(layout: Layout, until: str, *, beyond: str | None = None, most: int) -> Iterator[Subject]:
    """Commits reachable from one commit and not from another, newest first.

    Args:
        layout: The repository.
        until: Commit id.
        beyond: Commit id; None for all.
        most: How many at most.

    Raises:
        GitmemError: When git cannot tell, in a partial clone for one.
    """
    known = () if beyond is None else (f"^{beyond}",)
    out = Runner(layout).output("log", *_OPTIONS, f"--max-count={most}", _FORMAT, until, *known, "--")
    for chunk in text(out).split("\x01")[1:]:
        head, _, paths = chunk.partition("\x03")
        oid, _, subject = head.partition("\x02")
        if is_oid(oid, layout.object_format):  # else a piece of a message that holds such characters
            told = tuple(path.lstrip("\n") for path in paths.split("\0") if path.strip("\n"))
            yield Subject(oid, subject, told)


def newest(layout: Layout, until: str, *, most: int) -> tuple[str, ...]:
    """Ids of the commits that `subjects` tells without `beyond`, in its order."""
    out = Runner(layout).output("rev-list", "--no-merges", f"--max-count={most}", until, "--")
    return tuple(text(out).split())


def left_behind(layout: Layout, old: str, new: str) -> tuple[str, ...]:
    """Ids of the commits reachable from `old` and not from `new`."""
    out = Runner(layout).output("rev-list", old, f"^{new}", "--")
    return tuple(text(out).split())
