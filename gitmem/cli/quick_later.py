"""Whether what was told of one commit holds after some more: none of them touches what it depends on.

What must stay as it is (`gitmem.usecases.brief_reach`) lies in a file of its own, which few answers share and only this
reads. The standard library alone, with one call of git.
"""

from __future__ import annotations

import marshal
import os
import zlib

from gitmem.cli.kept_answer import read_answer, write_answer

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from gitmem.usecases.brief_reach import Leave

Later = tuple[str, int | None, str]
"""The commit that was told about, for how many further ones at most it may hold (None: any), and the file that says which."""

MARK = "0"
"""As in `gitmem.usecases.recalling.anchoring`, which a test holds it to."""


def keep_later(folder: str, leave: Leave) -> Later | None:
    """Keep what must stay as it is; None where that cannot be written.

    Args:
        folder: Where it is kept.
        leave: What was found out.
    """
    reach = dict(sorted(leave.reach.items()))
    data = marshal.dumps(reach)
    name = f"reach-{zlib.crc32(data):08x}-{zlib.adler32(data):08x}-{len(data)}.marshal"
    return (leave.head, leave.room, name) if write_answer(f"{folder}/{name}", reach) else None


def still_holds(git_dir: str, folder: str, later: Later, tip: bytes) -> Later | None:
    """What holds of an answer after what its branch stands at now; None where that has to be found out.

    Args:
        git_dir: Of the work tree.
        folder: Where it is kept.
        later: What was kept with the answer.
        tip: What the file of the branch says.
    """
    head, room, name = later
    new = tip.strip().decode("ascii", "replace")
    if len(new) != len(head) or new.strip("0123456789abcdef") or (room is not None and room < 1):
        return None
    reach = read_answer(os.path.join(folder, name))  # noqa: PTH118 - pathlib is a slow import
    if reach is None:
        return None
    from gitmem.drift.reach import is_reached
    from gitmem.wire.commits_on_top import commits_on_top

    steps = commits_on_top(git_dir, head, new)
    if steps is None:
        return None
    if room is not None:
        room -= len(steps)
        if room < 0 or any(oid.startswith(MARK) for oid, _ in steps):
            return None
    if any(is_reached(reach, path) for _, paths in steps for path in paths):
        return None
    return new, room, name
