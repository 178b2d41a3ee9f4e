"""Which versions of the trusted tip's memories count: what a bot alone brought does not, unless it was replayed.

Who brought a file is asked of history once for each file and blob, and kept in the cache. Where a bot brought one, the
ledger is asked too, so what is known then depends on more than the ``.ai`` folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.standing import DECISION
from gitmem.store.cache import Cache
from gitmem.trust.approval import approval_facts
from gitmem.usecases.approvals import Asked, how_brought, last_counting

if TYPE_CHECKING:
    from gitmem.git.program import ProgramRepository

_KIND: Final = "brought"
_PERSON, _BOT = 1, 2


def brought_by_bots(
    repo: Repository, tip: str, files: Sequence[Asked], cache: Cache | None
) -> frozenset[str]:
    """Paths of those files that a bot brought to the trusted branch and no person reviewed.

    Args:
        repo: Where.
        tip: The trusted branch's.
        files: Files of the tip.
        cache: What was asked before; None asks history anew.
    """
    held = {one.file: cache.get(_KIND, _key(one)) if cache else None for one in files}
    new = [one for one in files if held[one.file] is None]
    for file, brought in how_brought(repo, tip, new).items():
        is_bot = approval_facts(brought).state == "unmerged"
        held[file] = _BOT if is_bot else _PERSON
    if cache is not None:
        for one in new:
            if held[one.file] is not None:
                cache.put(_KIND, _key(one), held[one.file])
    return frozenset(file for file, by in held.items() if by == _BOT)


def versions_that_count(
    repo: Repository, tip: str, files: Sequence[Asked], *, require_review: bool
) -> Mapping[str, Asked | None]:
    """For each file of the tip the newest version that counts; None when none does."""
    return last_counting(repo, tip, files, replayed=_replayed(repo), require_review=require_review)


def _key(one: Asked) -> str:
    return f"{one.blob} {one.file}"


def _replayed(repo: Repository) -> frozenset[str]:
    """Blobs of memory files whose recorded scorecard says that replay passed; none where the ledger cannot be read."""
    try:
        if not repo.refs("refs/ai/"):
            return frozenset()
        from gitmem.promotion.replayed import replayed_blobs
        from gitmem.store.candidate_events import read_decision
        from gitmem.store.ledger import RunLedger
        from gitmem.usecases.memory_events import load_events

        events, _ = load_events(RunLedger(cast("ProgramRepository", repo)))
    except GitmemError:
        return frozenset()
    decisions = [read_decision(one) for one in events if one.type == DECISION]
    return replayed_blobs([one for one in decisions if one])
