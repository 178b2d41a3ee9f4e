"""What a benchmark says: one row of the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class NotRunError(Exception):
    """What is to be measured is not there; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure against its goal.

    Args:
        work: What was measured.
        against: What it is divided by.
        goal: Bound of the ratio; None for a figure that is only shown.
        ratio: Measured; None when it could not be.
        base_ms: CPU milliseconds of what it is divided by.
        detail: Sizes, assumptions, the reason why a row was not run.
        at_least: The goal is a lower bound.
    """

    work: str
    against: str
    goal: float | None
    ratio: float | None
    base_ms: float | None
    detail: str = ""
    at_least: bool = False

    @property
    def verdict(self) -> str:
        if self.ratio is None:
            return "not run"
        if self.goal is None:
            return "–"
        met = self.ratio >= self.goal if self.at_least else self.ratio <= self.goal
        return "ok" if met else "MISSED"

    @property
    def cells(self) -> tuple[str, str, str, str, str, str]:
        """Text of the six columns."""
        sign = "≥" if self.at_least else "≤"
        return (
            self.work,
            self.against,
            "" if self.goal is None else f"{sign} {self.goal:g} ×",
            "" if self.ratio is None else f"{self.ratio:.3f}",
            "" if self.base_ms is None else f"{self.base_ms:.1f}",
            self.verdict,
        )


HEADER = ("work", "against", "goal", "ratio", "base ms", "verdict")
_RIGHT = frozenset({2, 3, 4})


def format_table(rows: Iterable[Row], *, detail: bool = False) -> str:
    """All rows as one aligned table, with the detail below each row when asked."""
    listed = list(rows)
    cells = [HEADER, *(row.cells for row in listed)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADER))]
    lines = [_line(HEADER, widths), _line(["-" * width for width in widths], widths)]
    for row in listed:
        lines.append(_line(row.cells, widths))
        if detail and row.detail:
            lines.append(f"    {row.detail}")
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell.rjust(width) if column in _RIGHT else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()
