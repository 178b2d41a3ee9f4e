"""Up to which commit the index of commits goes: in a long history not to HEAD, so that most commits leave it as it is.

The newest commit of HEAD's first-parent line whose id begins with `_MARK` is as good an end as any, and the same for
everybody who stands at HEAD; it lies sixteen commits back on average. In a short history each commit counts.
"""

from __future__ import annotations

from typing import NamedTuple
from zlib import crc32

from gitmem.git.first_parents import first_parents
from gitmem.git.interface import Repository
from gitmem.store.shelf import Shelf

WINDOW = 256
"""First parents among which the end is looked for; a history that has no more is short."""
MARK = "0"
_KIND = "anchor"


class Anchor(NamedTuple):
    """Where the index ends.

    Args:
        commit: The newest commit in it.
        room: How many further commits may come, none of them with the mark, until it ends elsewhere; 0 where each does.
    """

    commit: str
    room: int


def anchor_in(line: tuple[str, ...]) -> Anchor:
    """The end.

    Args:
        line: HEAD and its first parents, newest first, one more than `WINDOW` where there are as many.
    """
    at = next((at for at, oid in enumerate(line[:WINDOW]) if oid.startswith(MARK)), None)
    if at is None or len(line) <= WINDOW:
        return Anchor(line[0], 0)
    return Anchor(line[at], WINDOW - 1 - at)


def anchor_of(repo: Repository, head: str) -> Anchor:
    """The same for a commit, from what was kept where it fits.

    Raises:
        GitmemError: When git cannot tell the commits.
    """
    shelf, key = Shelf(repo.layout.common_dir), f"{head} {cut_of(repo)}"
    held = shelf.get(_KIND, key)
    if held is not None:
        return Anchor._make(held)
    found = anchor_in(first_parents(repo.layout, head, most=WINDOW + 1))
    shelf.put(_KIND, key, tuple(found))
    return found


def cut_of(repo: Repository) -> str:
    """Where a shallow history ends: a fetch may lengthen it."""
    try:
        return (
            f"{crc32((repo.layout.common_dir / 'shallow').read_bytes()):08x}" if repo.layout.shallow else ""
        )
    except OSError:
        return "none"
