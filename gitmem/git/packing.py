"""Packing what a ref reaches, so that thousands of loose objects do not make git's own tidying land in a user's commit."""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.git.loose_objects import listed
from gitmem.git.runner import Runner


def pack_reachable(
    repository: Repository,
    tip: str,
    *,
    at_least: int,
    newest: int | None = None,
    line_since: str | None = None,
) -> int:
    """Put the loose objects that a commit reaches into one pack, and remove the loose copies.

    Nothing happens when there are fewer than `at_least` (each pack costs every later lookup a little, and git tidies
    at 50 of them), where the clone cannot be written, or where objects are missing.

    Args:
        repository: Where.
        tip: The commit.
        at_least: See above.
        newest: Along first parents only so many commits are looked at, where there are more.
        line_since: Only what stands on the first-parent line after this commit is looked at; all of the line when empty.

    Returns:
        How many were packed.
    """
    runner, objects = Runner(repository.layout), repository.layout.common_dir / "objects"
    loose = listed(str(objects))
    if len(loose) < at_least:
        return 0
    try:
        wanted = [oid for oid in _reached(runner, tip, newest, line_since) if bytes.fromhex(oid) in loose]
        if len(wanted) < at_least:
            return 0
        asked = "".join(f"{oid}\n" for oid in wanted).encode("ascii")
        runner.output(
            "pack-objects", "-q", "--local", "--incremental", str(objects / "pack" / "pack"), stdin=asked
        )
        runner.output("prune-packed", "-q")
    except (GitmemError, OSError):
        return 0
    return len(wanted)


def _reached(runner: Runner, tip: str, newest: int | None, line_since: str | None) -> list[str]:
    listed = ("rev-list", "--objects", "--no-object-names", "--end-of-options", tip)
    if line_since is not None:
        known = [f"^{line_since}"] if line_since else []
        return runner.output(listed[0], "--first-parent", *listed[1:], *known).decode("ascii").split()
    if newest is not None:
        status, out, _ = runner.run(*listed, f"^{tip}~{newest}")
        if not status:
            return out.decode("ascii").split()
    return runner.output(*listed).decode("ascii").split()
