"""What a session should hear when its user asks for something: memories that bear on it and are not before it yet."""

from __future__ import annotations

import os
import re
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from gitmem.git.program import ProgramRepository
from gitmem.usecases.sessions.bearing import bears_on, has_memories, touched_paths

if TYPE_CHECKING:
    from gitmem.usecases.recall import Item

MOST = 3
_LOOKED_AT = 12
_LONGEST_PROMPT = 4_000
_MOST_NAMED = 20
_PATH = re.compile(r"[\w.@+~-]{1,100}(?:/[\w.@+~-]{1,100})+|[\w@+-]{1,100}\.[A-Za-z]\w{0,5}\b")


def remind(
    repo: ProgramRepository, prompt: str, shown: list[str], now: datetime, *, host: str = ""
) -> tuple[Item, ...]:
    """Memories worth telling, the best first.

    Args:
        repo: The repository.
        prompt: What the user asks.
        shown: Ids that the agent's context holds already.
        now: The present moment.
        host: Agent that hears it.
    """
    if not has_memories(repo):
        return ()
    asked = prompt[:_LONGEST_PROMPT].strip()
    named = _named_paths(repo, asked)
    touched = touched_paths(repo, named)
    if not (asked or touched):
        return ()
    from gitmem.usecases.recall import Asked, recall

    known = set(shown)
    found = recall(repo, Asked(asked, touched, most=_LOOKED_AT, host=host), now, may_load=False)
    items = (one for one in found.items if one.status != "linked" and one.card.id not in known)
    return tuple(islice((one for one in items if bears_on(one.card, asked, touched)), MOST))


def _named_paths(repo: ProgramRepository, text: str) -> list[str]:
    """Paths that the text names and that are there."""
    top = repo.layout.work_tree
    if top is None:
        return []
    names = dict.fromkeys(found[0].rstrip(".") for found in islice(_PATH.finditer(text), 200))
    plain = (name for name in names if ".." not in PurePosixPath(name).parts and len(name) < 500)
    return list(islice((name for name in plain if os.path.lexists(top / name)), _MOST_NAMED))
