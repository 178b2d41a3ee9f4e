"""What a run has saved, wherever its writers left it."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_reading import ARTIFACTS, read_artifact


def saved_artifact(ledger: RunLedger, run: Run, name: str, *, limit: int) -> bytes | None:
    """The newest content of an artifact: from the run's own tip, else from another writer's.

    Args:
        ledger: Where.
        run: A run that has events here.
        name: As an event names it, with or without the folder.
        limit: Most bytes.

    Returns:
        None when it was only named and not saved, or is longer.
    """
    plain = name.removeprefix(f"{ARTIFACTS}/")
    for tip in _tips(run):
        held = read_artifact(ledger.repository, tip, plain, limit)
        if held is not None:
            return held
    return None


def _tips(run: Run) -> Iterator[str]:
    tips = dict(run.tips())
    yield tips.pop(run.ref())
    yield from tips.values()
