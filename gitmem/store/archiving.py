"""Moving refs of this clone to its archive (`gitmem.store.archive`): objects, then the archive's ref, then the deletions.

Whoever is killed in between leaves refs that stand in both places, which reads as if nothing had happened; the next
archiving deletes them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

from gitmem.errors import RaceError
from gitmem.git.event_commits import put_files
from gitmem.git.packing import pack_reachable
from gitmem.git.program import ProgramRepository
from gitmem.git.several_refs import delete_refs, list_refs
from gitmem.store.appending import WORTH_PACKING
from gitmem.store.archive import archive_line, archive_path, archive_ref, read_archives, run_of
from gitmem.store.judging import MOST_PARENTS
from gitmem.store.locking import clone_lock
from gitmem.wire.stale import StaleLock

STEPS = ("locked", "read", "commits", "moved", "deleted")
"""Where archiving can be interrupted."""

_AT_ONCE = 10 * (MOST_PARENTS - 1)
"""Refs for which the lock is held in one go."""

Step = Callable[[str], None]


def move_to_archive(
    repository: ProgramRepository,
    writer: str,
    tips: Mapping[str, str],
    *,
    wait: float = 10.0,
    step: Step = lambda _: None,
) -> tuple[str, ...]:
    """Move refs of a writer to its archive.

    Args:
        repository: Where.
        writer: This clone's id.
        tips: What the refs hold; one that holds something else by now is left alone.
        wait: Seconds to wait for a busy lock.
        step: Called with each of `STEPS` as it is reached.

    Returns:
        The refs that were moved.

    Raises:
        RaceError: The lock was busy all the time, or git held a ref.
    """
    moved: list[str] = []
    archive = archive_ref(writer)
    before = repository.ref(archive)
    left = iter(sorted(tips.items()))
    while some := dict(islice(left, _AT_ONCE)):
        with clone_lock(repository.layout, time.monotonic() + wait):
            step("locked")
            moved += _moved(repository, archive, some, wait, step)
    after = repository.ref(archive)
    if after is not None and after != before:
        pack_reachable(repository, after, at_least=WORTH_PACKING, line_since=before or "")
    return tuple(moved)


def _moved(
    repository: ProgramRepository, archive: str, tips: Mapping[str, str], wait: float, step: Step
) -> Sequence[str]:
    here = list_refs(repository, archive, *tips).refs
    known = read_archives(repository, here)[0].get(archive, {})
    still = {ref: oid for ref, oid in tips.items() if here.get(ref) == oid}
    fresh = {ref: oid for ref, oid in still.items() if known.get(run_of(ref)) != (ref, oid)}
    step("read")
    if fresh:
        new = _commits(repository, here.get(archive), fresh)
        step("commits")
        _with_patience(
            repository, [archive], wait, lambda: repository.move_ref(archive, new, old=here.get(archive))
        )
    step("moved")
    _with_patience(repository, list(still), wait, lambda: delete_refs(repository, still))
    step("deleted")
    return list(still)


def _commits(repository: ProgramRepository, before: str | None, tips: Mapping[str, str]) -> str:
    """The new archive: a commit for each 15 tips."""
    tree = (repository.tree_of(before) or "") if before else ""
    for some in _some(tips):
        blobs = {
            archive_path(run_of(ref)): repository.write_blob(archive_line(ref, tip))
            for ref, tip in some.items()
        }
        tree = put_files(repository, tree, blobs)
        runs = "\n".join(sorted(run_of(ref) for ref in some))
        before = repository.write_commit(
            tree=tree,
            parents=[*([before] if before else []), *dict.fromkeys(some.values())],
            message=f"archive {len(some)} run{'s' if len(some) > 1 else ''}\n\n{runs}\n",
            author=repository.identity(),
            at=datetime.now().astimezone().isoformat(timespec="seconds"),
        )
    assert before is not None
    return before


def _some(tips: Mapping[str, str]) -> Iterator[dict[str, str]]:
    left = iter(tips.items())
    while some := dict(islice(left, MOST_PARENTS - 1)):
        yield some


def _with_patience(
    repository: ProgramRepository, refs: Sequence[str], wait: float, move: Callable[[], None]
) -> None:
    """Move refs although git may hold one for a moment, or a killed process left its lock behind."""
    stale = [StaleLock(f"{repository.layout.common_dir}/{ref}.lock") for ref in refs]
    deadline = time.monotonic() + wait
    while True:
        try:
            move()
        except RaceError:
            removed = [one.remove() for one in stale]
            if time.monotonic() >= deadline and not any(removed):
                raise
            time.sleep(random.uniform(0.0, 0.05))
        else:
            return
