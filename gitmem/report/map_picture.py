"""The knowledge map as rectangles: elements by size, those inside others within them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from gitmem.knowledge_map.cells import Cell
from gitmem.knowledge_map.covering import ancestors
from gitmem.report.sanitise import prose
from gitmem.report.treemap import Rect, squarify
from gitmem.report.width import cut, cut_beginning, width

_SMALLEST_SHARE = 0.2
"""Of the mean size: what is smaller is drawn as large as this, so that it can be hit."""
COLUMN = 7.8
"""Units of a picture for one column of letters, in the widest of the fonts that the page asks for."""
_HEADER = 20
_FEWEST_COLUMNS = 4
_FRAME = 3


class Drawn(NamedTuple):
    """One cell of one picture.

    Args:
        number: The element's place in the file.
        rect: Where it lies.
        label: What is written in it; empty when there is no room.
        note: A second line, when there is room.
        is_group: Whether others lie inside it.
        is_flagged: Whether it is marked as something to verify, which takes room.
    """

    number: int
    rect: Rect
    label: str
    note: str
    is_group: bool
    is_flagged: bool


def draw(cells: Sequence[Cell], notes: Sequence[Sequence[str]], frame: Rect) -> Iterator[Drawn]:
    """The cells of one picture; those that hold others come before them, so that they lie below.

    Args:
        cells: The elements.
        notes: What a second line may tell of each; what fits is written.
        frame: Where they lie.
    """
    return _Picture(cells, notes).place(None, frame)


class _Picture:
    def __init__(self, cells: Sequence[Cell], notes: Sequence[Sequence[str]]) -> None:
        self._cells = cells
        self._notes = notes
        self._inside = _inside(cells)
        mean = sum(cell.files for cell in cells) / max(len(cells), 1)
        self._smallest = max(_SMALLEST_SHARE * mean, 1.0)
        self._weights: dict[int, float] = {}
        for number in self._inside.get(None, ()):
            self._weigh(number)

    def _weigh(self, number: int) -> float:
        held = sum(map(self._weigh, self._inside.get(number, ())))
        self._weights[number] = max(self._cells[number].files, held, self._smallest)
        return self._weights[number]

    def place(self, holder: int | None, frame: Rect) -> Iterator[Drawn]:
        held = self._inside.get(holder, [])
        shares = [self._weights[one] for one in held]
        # What a holder has beside the elements inside it stays visible as its own colour.
        rest = self._weights[holder] - sum(shares) if holder is not None else 0.0
        placed = list(zip(held, squarify([*shares, max(rest, 0.0)], frame), strict=False))
        often = Counter(self._label(one, rect) for one, rect in placed)
        for one, rect in placed:
            is_group = one in self._inside
            label = self._label(one, rect)
            # Neighbours whose names begin alike are told apart by how they end.
            label = self._label(one, rect, cut_beginning) if often[label] > 1 else label
            yield self._drawn(one, rect, label, is_group=is_group)
            if is_group:
                has_header = rect.height > 3 * _HEADER and rect.width > 2 * _HEADER
                yield from self.place(one, rect.inset(_FRAME, _HEADER if has_header else _FRAME))

    def _drawn(self, number: int, rect: Rect, label: str, *, is_group: bool) -> Drawn:
        has_note = label and not is_group and rect.height > 2 * _HEADER
        return Drawn(
            number,
            Rect(*(round(value, 1) for value in rect)),
            label,
            _as_many(self._notes[number], self._columns(number, rect)) if has_note else "",
            is_group,
            self._is_flagged(number, rect),
        )

    def _label(self, number: int, rect: Rect, shortened: Callable[[str, int], str] = cut) -> str:
        columns = self._columns(number, rect)
        if rect.height < _HEADER or columns < _FEWEST_COLUMNS:
            return ""
        name = prose(self._cells[number].element.name)
        # The end of a long path tells more than its beginning.
        is_path = width(name) > columns and re.fullmatch(r"[\w./@()\[\]-]+/[\w.()\[\]-]+", name)
        return shortened(name.rpartition("/")[2] if is_path else name, columns)

    def _columns(self, number: int, rect: Rect) -> int:
        return int((rect.width - 12 - 16 * self._is_flagged(number, rect)) / COLUMN)

    def _is_flagged(self, number: int, rect: Rect) -> bool:
        return bool(self._cells[number].challenged) and min(rect.width, rect.height) > 14


def _as_many(facts: Sequence[str], columns: int) -> str:
    """As many of the facts as fit, the first ones first."""
    told = ""
    for fact in facts:
        longer = f"{told}, {fact}" if told else fact
        if width(longer) > columns:
            break
        told = longer
    return told


def _inside(cells: Sequence[Cell]) -> dict[int | None, list[int]]:
    """Positions of the cells by the one that holds them; those of a ring lie at the top."""
    numbers = {cell.element.name: number for number, cell in enumerate(cells)}
    above = ancestors([cell.element for cell in cells])
    found: dict[int | None, list[int]] = {}
    for number, cell in enumerate(cells):
        chain = above[cell.element.name]
        is_ring = any(cell.element.name in above[one] for one in chain)
        found.setdefault(numbers[chain[0]] if chain and not is_ring else None, []).append(number)
    return found
