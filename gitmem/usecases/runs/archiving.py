"""Let ended runs leave the list of refs; they stay readable."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitmem.errors import UsageError, quoted
from gitmem.git.interface import Layout
from gitmem.model.event import moment
from gitmem.store.archive import LedgerRefs, run_of
from gitmem.store.archiving import Step, move_to_archive
from gitmem.store.ledger import RunLedger
from gitmem.store.run_reading import run_prefix
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.listing import RunRow, list_runs
from gitmem.wire.append import CURRENT, pseudo_ref

_AGE = re.compile(r"([1-9]\d{0,4})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


@dataclass(frozen=True, slots=True)
class Kept:
    """An ended run that was not archived, and why."""

    run: str
    reason: str


@dataclass(frozen=True, slots=True)
class ArchivedRuns:
    """What an archiving did.

    Args:
        archived: Runs whose own ref was moved.
        kept: Ended runs with an own ref that stay where they are, other than the young ones.
    """

    archived: tuple[str, ...]
    kept: tuple[Kept, ...]


def parse_age(text: str) -> timedelta:
    """A length of time such as ``90d``, ``12h`` or ``4w``.

    Raises:
        UsageError: It is none.
    """
    found = _AGE.fullmatch(text)
    if found is None:
        raise UsageError(
            f"not a length of time: {quoted(text[:40])}", hint="a number with h, d or w, such as 90d"
        )
    return int(found[1]) * _UNITS[found[2]]


def archive_runs(
    ledger: RunLedger,
    *,
    older_than: timedelta | None = None,
    now: datetime | None = None,
    step: Step = lambda _: None,
) -> ArchivedRuns:
    """Move the own refs of ended runs to this clone's archive. Refs of other writers are theirs to move.

    Args:
        ledger: Where.
        older_than: How long ago the last event must have been; any time when None.
        now: The present.
        step: See `gitmem.store.archiving.move_to_archive`.

    Raises:
        RaceError: The clone's lock was busy all the time; what was moved until then is moved.
    """
    writer = ledger.writer()
    if writer is None:
        return ArchivedRuns((), ())
    refs = ledger.refs()
    newest = ((now or datetime.now(UTC)) - older_than).timestamp() if older_than else float("inf")
    listing = list_runs(ledger, everything=True, archived=False)
    doubtful = {problem.run for problem in listing.problems}
    busy = {run_of(ref) for ref in current_refs(ledger.repository.layout)}
    tips: dict[str, str] = {}
    kept: list[Kept] = []
    for row in _ended(listing.rows, refs, writer):
        ref = f"{run_prefix(row.run)}{writer}"
        if row.run in busy:
            kept.append(Kept(row.run, "it is the current run of a work tree, where AI_RUN names it"))
        elif row.run in doubtful:
            kept.append(Kept(row.run, f"it is not whole: gitmem run verify {row.run} tells more"))
        elif moment(row.last_at) <= newest:
            tips[ref] = refs.refs[ref]
    moved = move_to_archive(ledger.writing(), writer, tips, step=step)
    return ArchivedRuns(tuple(map(run_of, moved)), tuple(kept))


def current_refs(layout: Layout) -> frozenset[str]:
    """The refs that AI_RUN names in all work trees of the clone."""
    common = Path(layout.common_dir)
    held = [pseudo_ref(os.fspath(place), CURRENT) for place in (common, *common.glob("worktrees/*"))]
    return frozenset(name.removeprefix("ref: ") for name in held if name.startswith("ref: "))


def _ended(rows: tuple[RunRow, ...], refs: LedgerRefs, writer: str) -> Iterator[RunRow]:
    for row in sorted(rows):
        if row.has_ended and row.run != INBOX and f"{run_prefix(row.run)}{writer}" in refs.refs:
            yield row
