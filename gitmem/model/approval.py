"""Approval as git bears it out, never as a file claims it (domain.md section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Approval:
    """Whether the trusted branch's tip holds a memory, and who brought it there.

    Args:
        state: Merged when the trusted tip holds it, free fields aside.
        verified: False when only this clone's refs were asked; True after ``--remote`` asked the server.
        review: Reviewed when a trailer names somebody other than the author.
        commit: The commit that brought the approved content to the trusted branch; None when unmerged or not looked up.
        by: Who merged or reviewed it.
        at: When, RFC 3339.
    """

    state: Literal["merged", "unmerged"]
    verified: bool = False
    review: Literal["reviewed", "direct", "unknown"] = "unknown"
    commit: str | None = None
    by: str | None = None
    at: str | None = None
