"""Record which memories a session was given, so that what nobody ever cites can be found."""

from __future__ import annotations

import os
from collections.abc import Sequence

from gitmem.git.program import ProgramRepository
from gitmem.redaction.masking import masker_of
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.recall import Recalled
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.inbox import find_run_to_write, inbox

_LONGEST_QUERY = 500


def record_delivered(
    repository: ProgramRepository, recalled: Recalled, *, run: str | None, session: str, actor: str
) -> None:
    """Append one event to the run named, else the current one, else the inbox.

    Raises:
        GitmemError: When it could not be written.
    """
    ids = [item.card.id for item in recalled.items if item.status != "linked"]
    record_told(repository, ids, query=recalled.query, run=run, session=session, actor=actor)


def record_told(
    repository: ProgramRepository,
    ids: Sequence[str],
    *,
    query: str,
    run: str | None,
    session: str,
    actor: str,
) -> None:
    """The same, where the ids are known: no event without any.

    Raises:
        GitmemError: When it could not be written.
    """
    if not ids:
        return
    ledger = RunLedger(repository, masker=masker_of(os.environ))
    payload = {"ids": list(ids), **({"query": query[:_LONGEST_QUERY]} if query else {})}
    _run(ledger, run).append(event_type="memory_delivered", actor=actor, session=session, payload=payload)


def _run(ledger: RunLedger, word: str | None) -> Run:
    if word is not None:
        return find_run_to_write(ledger, word)
    current = ledger.current()
    return current if current is not None and current.id != INBOX and current.exists() else inbox(ledger)
