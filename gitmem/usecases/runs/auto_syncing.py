"""Exchange the ledger without being asked, at the moment that ``git config gitmem.autoSync`` names."""

from __future__ import annotations

from typing import Literal, NamedTuple

from gitmem.errors import GitmemError, UsageError
from gitmem.git.interface import Repository
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.syncing import sync

KEY = "gitmem.autoSync"
_SETTINGS = ("off", "session-end", "pre-push")

Moment = Literal["session-end", "pre-push"]


class AutoSynced(NamedTuple):
    """What came of it: nothing at all where nothing is configured for that moment.

    Args:
        synced: What was exchanged.
        failed: Why nothing was.
    """

    synced: Synced | None = None
    failed: str = ""


def auto_sync_setting(repository: Repository) -> str:
    """``off``, ``session-end`` or ``pre-push``.

    Raises:
        UsageError: The configuration says something else.
    """
    said = (repository.config(KEY) or "off").lower()
    if said not in _SETTINGS:
        raise UsageError(f"{KEY} is {said[:40]!r}", hint=f"one of {', '.join(_SETTINGS)}")
    return said


def auto_sync(ledger: RunLedger, moment: Moment) -> AutoSynced:
    """Exchange with the default remote if this is the moment; whatever fails is told and fails nothing else."""
    try:
        if auto_sync_setting(ledger.repository) != moment:
            return AutoSynced()
        return AutoSynced(synced=sync(ledger))
    except (GitmemError, OSError) as error:
        return AutoSynced(failed=str(error))
