"""A change that takes a person's doubt away by editing the memory's file: told, and still a doubt.

Only a validation newer than ``challenged_at`` clears a mark (drift.md, "The validation and its baseline").
"""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.model.memory import Memory, Status
from gitmem.model.verdict import Judgement, marked
from gitmem.trust.effective import is_newer
from gitmem.usecases.knowledge import Knowledge
from gitmem.usecases.rewording import words_digest
from gitmem.usecases.subjects import LIVING

_LIFTED = "doubt lifted without a confirmation"


def lifted_doubts(before: Mapping[str, Memory], after: Mapping[str, Memory]) -> Mapping[str, Memory]:
    """Memories as they were when challenged, by id, whose mark a change removes or dates back."""
    return {name: one for name, one in before.items() if name in after and _lifts(one, after[name])}


def _lifts(old: Memory, new: Memory) -> bool:
    if old.status is not Status.CHALLENGED or new.status not in LIVING:
        return False
    if new.status is not Status.CHALLENGED:
        return True
    dates = old.challenged_at, new.challenged_at
    return dates[0] is not None and dates[1] is not None and is_newer(dates[0], dates[1])


def without_lift(
    judgement: Judgement, old: Memory | None, knowledge: Knowledge, brought: frozenset[str]
) -> Judgement:
    """The judgement, challenged still where the change lifts a doubt and nobody confirmed the memory since.

    Args:
        judgement: What was decided of it.
        old: The memory as it was challenged; None when the change lifts nothing.
        knowledge: What is known at the end of the change.
        brought: Files of the validations that the change brings.
    """
    if old is None or _is_confirmed(old, knowledge, brought):
        return judgement
    because = f": {old.challenged_because}" if old.challenged_because else ""
    cure = f"confirm it: gitmem confirm {judgement.id}"
    return marked(judgement, f"{_LIFTED}{because}", f"{_LIFTED}: this change edits its status; {cure}")


def _is_confirmed(old: Memory, knowledge: Knowledge, brought: frozenset[str]) -> bool:
    told = {words_digest(one.memory) for one in knowledge.memories if one.memory.id == old.id}
    known = (one.validation for one in knowledge.validations_of(old.id))
    return any(
        (one.file in brought if old.challenged_at is None else is_newer(one.at, old.challenged_at))
        for one in known
        if one.at is not None and (one.text is None or one.text in told)
    )
