"""Which validation of a memory counts (drift.md, "The validation and its baseline")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from gitmem.model.memory import Memory
from gitmem.model.validation import Baseline, Validation
from gitmem.trust.effective import is_newer, moment


@dataclass(frozen=True, slots=True)
class Counting:
    """What a memory was last known true by.

    Args:
        baseline: The stored block; None when the validation has none and the baseline must be inferred.
        at: When it was last known true; None when nothing says so.
        text: Digest of the words then; None when not recorded.
        file: Where the validation lies; empty for the memory's own file.
        merged: Whether the trusted branch holds the validation.
        recorded: Whether somebody validated at all (a file, a block or a date written by hand).
    """

    baseline: Baseline | None
    at: datetime | date | None
    text: str | None = None
    file: str = ""
    merged: bool = True
    recorded: bool = False


def counting_validation(memory: Memory, validations: Iterable[tuple[Validation, bool]]) -> Counting:
    """The newest validation; a date that a person moved in the memory file by hand counts when it is newer.

    Args:
        memory: The memory.
        validations: Its validations, each with whether the trusted branch holds it.
    """
    newest = max(validations, key=lambda one: moment(one[0]), default=None)
    written = memory.last_validated_at
    if newest is not None and (written is None or not is_newer(written, newest[0].at)):
        one, merged = newest
        return Counting(one.baseline, one.at, one.text, one.file, merged=merged, recorded=True)
    if memory.baseline is not None and (newest is None or memory.last_validated_at is not None):
        return Counting(memory.baseline, written or memory.approved_at or memory.created_at, recorded=True)
    at = written or memory.approved_at or memory.created_at
    return Counting(None, at, recorded=written is not None)
