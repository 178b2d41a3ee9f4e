"""Squarified treemaps: rectangles whose areas are in proportion to weights and whose sides are as even as can be.

After M. Bruls, K. Huizing, J. J. van Wijk, "Squarified treemaps" (2000): a row along the shorter side takes one more
weight as long as that makes its worst rectangle better.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle: its left upper corner and its sides."""

    x: float
    y: float
    width: float
    height: float

    def inset(self, side: float, top: float) -> Rect:
        """What is left inside a frame."""
        return Rect(
            self.x + side,
            self.y + top,
            max(self.width - 2 * side, 0.0),
            max(self.height - side - top, 0.0),
        )


def squarify(weights: Sequence[float], frame: Rect) -> list[Rect]:
    """A rectangle for each weight, in the order of the weights; together they fill the frame.

    Args:
        weights: None negative; where their sum is 0 all rectangles are empty.
        frame: Where they lie.
    """
    order = sorted(range(len(weights)), key=lambda at: -weights[at])
    total = sum(weights)
    found = [Rect(frame.x, frame.y, 0.0, 0.0)] * len(weights)
    if total <= 0 or frame.width <= 0 or frame.height <= 0:
        return found
    scale = frame.width * frame.height / total
    left, first = frame, 0
    while first < len(order):
        side = min(left.width, left.height)
        areas = [weights[order[first]] * scale]
        while first + len(areas) < len(order):
            longer = [*areas, weights[order[first + len(areas)]] * scale]
            if _worst(longer, side) > _worst(areas, side):
                break
            areas = longer
        row, left = _row(areas, left)
        for at, rect in enumerate(row):
            found[order[first + at]] = rect
        first += len(areas)
    return found


def _worst(areas: Sequence[float], side: float) -> float:
    """The worst ratio of two sides in a row of these areas along a side."""
    total = sum(areas)
    if min(areas) <= 0 or side <= 0:
        return float("inf")
    return max(side * side * max(areas) / (total * total), total * total / (side * side * min(areas)))


def _row(areas: Sequence[float], left: Rect) -> tuple[list[Rect], Rect]:
    """The rectangles of one row along the shorter side, and what is left of the frame."""
    total = sum(areas)
    if left.width >= left.height:
        depth = min(total / left.height, left.width) if left.height else 0.0
        row, y = [], left.y
        for area in areas:
            height = left.height * area / total if total else 0.0
            row.append(Rect(left.x, y, depth, height))
            y += height
        return row, Rect(left.x + depth, left.y, left.width - depth, left.height)
    depth = min(total / left.width, left.height) if left.width else 0.0
    row, x = [], left.x
    for area in areas:
        width = left.width * area / total if total else 0.0
        row.append(Rect(x, left.y, width, depth))
        x += width
    return row, Rect(left.x, left.y + depth, left.width, left.height - depth)
