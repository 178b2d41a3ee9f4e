"""What a person asks the drift checker; light, since every check loads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from gitmem.trust.branch import Trusted

StateKind = Literal["commit", "worktree", "staged"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a person asked to be judged.

    Args:
        kind: A commit, the work tree, or the index.
        revision: The commit as written; HEAD when None.
    """

    kind: StateKind = "commit"
    revision: str | None = None


HEAD = Target()


@dataclass(frozen=True, slots=True)
class Request:
    """What to check.

    Args:
        ids: Memories to check; all living ones when empty.
        target: What is judged.
        since: A revision that is the baseline of all (``--range BASE..HEAD``); None for each memory's own.
        today: The day to judge dates at; the present day when None.
        trusted: The branch whose commit holds what is approved; this clone's present one when None.
    """

    ids: Sequence[str] = ()
    target: Target = HEAD
    since: str | None = None
    today: date | None = None
    trusted: Trusted | None = None

    @property
    def day(self) -> date:
        """The day to judge dates at."""
        from datetime import datetime

        return self.today or datetime.now().astimezone().date()
