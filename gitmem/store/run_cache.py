"""The cached fold of a run: what it stands for, and the file it lies in.

``<common git dir>/gitmem/cache/run-<run>.marshal`` holds the state of exactly the events that are reachable from a set
of tips. It is thrown away as soon as anything is odd, and never a source of truth.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from gitmem.git.interface import Layout
from gitmem.model.event import Event
from gitmem.model.run import fold
from gitmem.model.snapshot import Snapshot, from_plain, to_plain
from gitmem.store.cache import Cache

FORMAT = 2
_MARK = 8


@dataclass(frozen=True, slots=True)
class FoldedRun:
    """The fold over all events of a set of tips.

    Args:
        tips: Commit and seq by full ref name.
        last: Order of the last event; empty when there is none.
        last_at: Its time.
        count: Events.
        writers: Who wrote them, sorted.
        snapshot: The state.
        ids: First bytes of a hash of each writer and event id, to find doubles.
        commits: First bytes of each commit id, to know what the tips reach.
    """

    tips: dict[str, tuple[str, int]]
    last: tuple[int, str, str] | tuple[()]
    last_at: str
    count: int
    writers: tuple[str, ...]
    snapshot: Snapshot
    ids: bytes
    commits: bytes

    @classmethod
    def of(cls, run: str, tips: dict[str, tuple[str, int]], events: list[Event]) -> Self:
        """The fold over some events in order."""
        return cls(
            tips=tips,
            last=events[-1].order if events else (),
            last_at=events[-1].at if events else "",
            count=len(events),
            writers=tuple(sorted({event.writer for event in events})),
            snapshot=fold(events, run_id=run),
            ids=b"".join(map(id_mark, events)),
            commits=b"".join(commit_mark(event.commit) for event in events),
        )

    def has_commit(self, oid: str) -> bool:
        """Whether the tips reach it, but for a chance of one in 2^64 for each commit."""
        return _has(self.commits, commit_mark(oid))

    def may_have_id(self, mark: bytes) -> bool:
        return _has(self.ids, mark)


def id_mark(event: Event) -> bytes:
    """What stands for the id of an event among those of its writer."""
    return mark_of(event.writer, event.id)


def mark_of(writer: str, event_id: str) -> bytes:
    text = f"{writer} {event_id}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=_MARK).digest()


def commit_mark(oid: str) -> bytes:
    return bytes.fromhex(oid[: 2 * _MARK])


def load_folded(layout: Layout, run: str) -> FoldedRun | None:
    """The cached fold; None when there is none that can be read."""
    held = _cache(layout, run).get("run", str(FORMAT))
    try:
        return None if held is None else _thawed(held)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def save_folded(layout: Layout, run: str, folded: FoldedRun) -> None:
    """Keep a fold; nothing happens when that is not possible."""
    cache = _cache(layout, run)
    cache.put("run", str(FORMAT), _frozen(folded))
    cache.save()


def cache_folder(layout: Layout) -> Path:
    return layout.common_dir / "gitmem" / "cache"


def _cache(layout: Layout, run: str) -> Cache:
    return Cache(cache_folder(layout), f"run-{run}")


def _frozen(folded: FoldedRun) -> tuple[Any, ...]:
    return (
        folded.tips,
        folded.last,
        folded.last_at,
        folded.count,
        folded.writers,
        to_plain(folded.snapshot),
        folded.ids,
        folded.commits,
    )


def _thawed(held: tuple[Any, ...]) -> FoldedRun:
    tips, last, last_at, count, writers, snapshot, ids, commits = held
    return FoldedRun(tips, last, last_at, count, writers, from_plain(snapshot), ids, commits)


def _has(marks: bytes, mark: bytes) -> bool:
    place = marks.find(mark)
    while place >= 0 and place % _MARK:
        place = marks.find(mark, place + 1)
    return place >= 0
