"""What confirming takes and gives: plain values, for its faces and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from gitmem.drift.capturing import Captured
from gitmem.model.verdict import CHALLENGING, Finding, Judgement, Verdict


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
        others: Further files of the scope that changed, which the patch leaves out.
    """

    judgement: Judgement
    body: str | None
    token: str
    patch: str
    stale_token: bool = False
    others: tuple[str, ...] = ()


def rested_on(judgement: Judgement) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths that evidence speaks of: those that the memory rests on, else those that challenge it, then all the others."""
    found = judgement.findings
    first = [one for one in found if one.watch and one.verdict is not Verdict.FRESH]
    first = first or [one for one in found if one.verdict in CHALLENGING] or list(found)
    own = paths_of(first)
    return own, tuple(path for path in paths_of(found) if path not in frozenset(own))


def paths_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Each path that findings name, once."""
    return tuple(dict.fromkeys(path for one in findings for path in (one.path, one.new_path) if path))


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
