"""The run that an agent's session belongs to: the current one, else one that is begun for the branch."""

from __future__ import annotations

import re

from gitmem.errors import GitmemError
from gitmem.model.event import text_field
from gitmem.model.ids import is_task
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.listing import ENDED
from gitmem.usecases.runs.starting import start_run

_OFF = frozenset({"off", "false", "no", "0"})


def run_for_session(ledger: RunLedger, agent: str) -> tuple[Run | None, str]:
    """The run, and its task when it was begun for this; None when none is current and ``gitmem.autoRun`` is off.

    Args:
        ledger: Where.
        agent: Who begins it.
    """
    current = ledger.current()
    if current is not None and _is_under_way(current):
        return current, ""
    if (ledger.repository.config("gitmem.autoRun") or "").lower() in _OFF:
        return None, ""
    run, event = start_run(ledger, branch_task(ledger), actor=agent)
    return run, text_field(event.payload, "task") or ""


def _is_under_way(run: Run) -> bool:
    if run.id == INBOX or not run.exists():
        return False
    try:
        return run.snapshot().phase not in ENDED
    except GitmemError:  # damaged: what happens now goes on in it all the same
        return True


def branch_task(ledger: RunLedger) -> str:
    """The task of a run that is begun for the branch of HEAD."""
    branch = (ledger.repository.head_ref() or "refs/heads/detached").removeprefix("refs/heads/")
    return branch if is_task(branch) else re.sub(r"[^\w+#@-]+", "-", branch).strip("-.")[:100] or "work"
