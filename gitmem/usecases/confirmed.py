"""What confirming takes and gives: plain values, for its faces and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from gitmem.drift.capturing import Captured
from gitmem.model.verdict import Judgement


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A validation that was written.

    Args:
        id: The memory.
        file: Repository path of the validation.
        captured: Watches and what was born false.
        challenges: How often the last 90 days would have challenged it.
        judgement: The verdict it had before.
        applied: Rows of the scope patch that were written into the memory's file.
        elsewhere: Rows that stand in no such file: globs of elements.
    """

    id: str
    file: str
    captured: Captured
    challenges: int
    judgement: Judgement
    applied: tuple[tuple[str, str], ...] = ()
    elsewhere: tuple[tuple[str, str], ...] = ()

    @property
    def left(self) -> tuple[tuple[str, str], ...]:
        """Rows of the scope patch that ``--apply`` would write."""
        return tuple(row for row in self.judgement.patch if row not in {*self.applied, *self.elsewhere})


@dataclass(frozen=True, slots=True)
class Asking:
    """A memory that needs somebody to look first.

    Args:
        judgement: The verdict with its evidence.
        body: The memory's body.
        token: Names exactly this evidence.
        patch: What changed under it, a unified patch for display; empty when it cannot be shown.
        stale_token: Whether a token was given that belongs to other evidence.
    """

    judgement: Judgement
    body: str | None
    token: str
    patch: str
    stale_token: bool = False


@dataclass(frozen=True, slots=True)
class Already:
    """A memory that a validation confirms just so already.

    Args:
        id: The memory.
        file: Repository path of that validation; it may not be committed yet.
        at: When it was written.
    """

    id: str
    file: str
    at: datetime | date


@dataclass(frozen=True, slots=True)
class ConfirmResult:
    """What was confirmed, what needs a look first, what was confirmed before.

    Args:
        confirmed: Validations that were written.
        asks: Memories that need a look.
        already: Memories for which there was nothing to write.
        passed_over: Ids of fresh memories that were confirmed although the token given names no evidence here.
    """

    confirmed: tuple[Confirmed, ...]
    asks: tuple[Asking, ...]
    already: tuple[Already, ...] = ()
    passed_over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfirmRequest:
    """What to confirm.

    Args:
        ids: The memories.
        by: Who confirms.
        now: When.
        seen: The token of the evidence that was looked at; None when asking.
        worktree: Take the content of the work tree instead of HEAD.
        apply: Also write the scope patch of a relocation into the memory's file.
        how: By looking, or by a probe that passed.
        at: The commit that was looked at; HEAD when None. A probe ran there, whatever the work tree holds.
    """

    ids: Sequence[str]
    by: str
    now: datetime
    seen: str | None = None
    worktree: bool = False
    apply: bool = False
    how: Literal["looked", "replay"] = "looked"
    at: str | None = None
