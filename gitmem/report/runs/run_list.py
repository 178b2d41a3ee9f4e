"""`gitmem run list` as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitmem.report.ages import ago
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import prose
from gitmem.report.width import cut, pad, width
from gitmem.usecases.runs.listing import RunListing, RunProblem, RunRow

if TYPE_CHECKING:
    from gitmem.recurrence import Recurring
    from gitmem.usecases.runs.recurring import FailureListing

PHASE_STYLES = {
    "tested": "green",
    "completed": "green",
    "failed_test": "red",
    "fixing": "yellow",
    "waiting_human": "yellow",
    "abandoned": "dim",
}
_HEAD = ("run", "task", "phase", "events", "last", "writers")
_WIDEST_TASK = 40


def run_list_document(listing: RunListing) -> dict[str, Any]:
    """The JSON document of `run list`."""
    return {
        "runs": [_row_document(row) for row in listing.rows],
        "ended_not_shown": listing.ended,
        "problems": _problems(listing.problems),
    }


def _row_document(row: RunRow) -> dict[str, Any]:
    return {
        "run": row.run,
        "task": row.task,
        "phase": row.phase,
        "events": row.events,
        "last_at": row.last_at,
        "writers": list(row.writers),
        "archived": row.archived,
        "current": row.is_current,
    }


def run_list_lines(listing: RunListing, now: datetime, look: Look = PLAIN) -> Iterator[str]:
    """One line a run, the current one marked; columns have a head on a terminal."""
    rows = [_cells(row, now) for row in listing.rows]
    if not rows:
        return
    is_terminal = look.width is not None
    wide = [max(map(width, column)) for column in zip(*rows, *([_HEAD] if is_terminal else []), strict=True)]
    if is_terminal:
        yield look.line(Span(f"  {_laid_out(_HEAD, wide)}".rstrip(), "dim"))
    for row, cells in zip(listing.rows, rows, strict=True):
        before, phase, after = cells[:2], cells[2], cells[3:]
        yield look.line(
            Span("* ", "green") if row.is_current else "  ",
            Span(pad(before[0], wide[0]), "bold" if row.is_current else ""),
            f"  {pad(before[1], wide[1])}  ",
            Span(pad(phase, wide[2]), PHASE_STYLES.get(row.phase, "")),
            f"  {_laid_out(after, wide[3:], numbers=(0,))}".rstrip(),
        )


def _cells(row: RunRow, now: datetime) -> tuple[str, ...]:
    task = cut(prose(row.task or "–"), _WIDEST_TASK)
    return (row.run, task, row.phase, str(row.events), ago(row.last_at, now), str(len(row.writers)))


def _laid_out(cells: Sequence[str], wide: Sequence[int], numbers: Sequence[int] = ()) -> str:
    laid = (
        cell.rjust(room) if place in numbers else pad(cell, room)
        for place, (cell, room) in enumerate(zip(cells, wide, strict=True))
    )
    return "  ".join(laid)


def failures_document(listing: FailureListing) -> dict[str, Any]:
    """The JSON document of `run list --failures`."""
    return {
        "failures": [_recurring_document(one) for one in listing.failures],
        "problems": _problems(listing.problems),
    }


def _recurring_document(one: Recurring) -> dict[str, Any]:
    example = one.example
    return {
        "signature": one.signature,
        "count": one.count,
        "runs": list(one.runs),
        "last_at": one.last_at,
        "example": {
            "run": example.run,
            "seq": example.seq,
            "commit": example.commit,
            "command": example.command,
            "failing": list(example.failing),
            "failure_class": example.failure_class,
        },
    }


def failure_lines(listing: FailureListing, now: datetime, look: Look = PLAIN) -> Iterator[str]:
    """Each failure with the runs it came back in."""
    for one in listing.failures:
        times = f"{one.count} × in {len(one.runs)} runs"
        yield look.line(
            Span(times, "red"), f", last {ago(one.last_at, now)}: ", Span(prose(one.signature), "bold")
        )
        more = f" and {len(one.runs) - 5} more" if len(one.runs) > 5 else ""
        newest = one.example
        yield look.line(
            Span(f"    {', '.join(one.runs[:5])}{more}; newest: {newest.run} #{newest.seq}", "dim")
        )


def problem_lines(problems: Sequence[RunProblem]) -> Iterator[str]:
    """The first problem of each run, for stderr; it is sanitised there."""
    first: dict[str, list[str]] = {}
    for problem in problems:
        first.setdefault(problem.run, []).append(problem.message)
    for run, messages in first.items():
        more = f" (and {len(messages) - 1} more)" if len(messages) > 1 else ""
        yield f"{run}: {messages[0]}{more}"


def _problems(problems: Sequence[RunProblem]) -> list[dict[str, str]]:
    return [{"run": problem.run, "message": problem.message} for problem in problems]
