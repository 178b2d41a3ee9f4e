"""The cached fold of a run: what it stands for, and the file it lies in.

``<common git dir>/gitmem/cache/run-<run>.marshal`` holds the state of exactly the events that are reachable from a set
of tips. It is thrown away as soon as anything is odd, and never a source of truth. Which events they are lies in a file
of its own (`gitmem.store.marks`), which is only added to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from gitmem.git.interface import Layout
from gitmem.model.event import Event
from gitmem.model.run import fold
from gitmem.model.snapshot import Snapshot, from_plain, to_plain
from gitmem.store.cache import Cache
from gitmem.store.judging import LedgerProblem
from gitmem.store.marks import Marks, load_marks, remove_other_marks, save_marks

FORMAT = 6


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
        marks: Which events they are, to find doubles and to know what the tips reach.
        problems: What was rejected or is doubtful; a fold with problems is not kept.
    """

    tips: dict[str, tuple[str, int]]
    last: tuple[int, str, str] | tuple[()]
    last_at: str
    count: int
    writers: tuple[str, ...]
    snapshot: Snapshot
    marks: Marks
    problems: tuple[LedgerProblem, ...] = ()

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
            marks=Marks().with_events(events),
        )


def load_folded(layout: Layout, run: str) -> FoldedRun | None:
    """The cached fold; None when there is none that can be read."""
    held = _cache(layout, run).get("run", str(FORMAT))
    try:
        return None if held is None else _thawed(held, cache_folder(layout))
    except (KeyError, TypeError, ValueError, AttributeError, OSError):
        return None


def folded_runs(layout: Layout) -> frozenset[str]:
    """Runs of which a fold is kept."""
    names = (file.name for file in cache_folder(layout).glob("run-*.marshal"))
    return frozenset(name.removeprefix("run-").removesuffix(".marshal") for name in names)


def save_folded(layout: Layout, run: str, folded: FoldedRun) -> FoldedRun:
    """Keep a fold; nothing happens when that is not possible.

    Returns:
        The fold to go on with, which knows what of it is kept.
    """
    cache = _cache(layout, run)
    folder = cache_folder(layout)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        name, length = save_marks(folder, f"run-{run}", folded.marks)
        kept = replace(folded, marks=load_marks(folder, name, length))
    except (OSError, ValueError):
        return folded
    cache.put("run", str(FORMAT), _frozen(kept))
    cache.save()
    remove_other_marks(folder, f"run-{run}", name)
    return kept


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
        (folded.marks.name, folded.marks.length),
    )


def _thawed(held: tuple[Any, ...], folder: Path) -> FoldedRun:
    tips, last, last_at, count, writers, snapshot, (name, length) = held
    return FoldedRun(
        tips, last, last_at, count, writers, from_plain(snapshot), load_marks(folder, name, length)
    )
