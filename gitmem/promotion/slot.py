"""A slot: a place of a sentence that two lessons about one thing fill in two ways."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class SlotKind(StrEnum):
    """What differs.

    Args:
        NUMBER: A number or its unit.
        NAME: An identifier, a path, a product.
        POLARITY: One says it, the other denies it.
        OPPOSITE: A word against its opposite.
        ORDER: The same things the other way round.
        CONDITION: When it holds. Both may be true, so this alone is no conflict.
    """

    NUMBER = "number"
    NAME = "name"
    POLARITY = "polarity"
    OPPOSITE = "opposite"
    ORDER = "order"
    CONDITION = "condition"


class Slot(NamedTuple):
    """One such place.

    Args:
        kind: What differs.
        ours: As the first statement has it.
        theirs: As the second has it.
    """

    kind: SlotKind
    ours: str
    theirs: str

    @property
    def words(self) -> str:
        """For people: ``3 against 5 retries``."""
        return f"{self.ours or 'nothing'} against {self.theirs or 'nothing'}"

    @property
    def turned(self) -> Slot:
        """The same, seen from the other side."""
        return Slot(self.kind, self.theirs, self.ours)
