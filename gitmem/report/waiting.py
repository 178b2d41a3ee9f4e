"""How many wait for a person, in one line, for whoever begins something else."""

from __future__ import annotations

from gitmem.model.visible_text import visible
from gitmem.usecases.reviewing.waiting import Queued


def waiting_line(queued: Queued) -> str:
    """How many wait and since when, in one line; empty when nothing does."""
    if not queued.number:
        return ""
    since = f" since {visible(queued.since)}" if queued.since else ""
    verb = "waits" if queued.number == 1 else "wait"
    return f"{queued.number} {verb} for a person{since}: gitmem review"
