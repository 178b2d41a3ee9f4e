"""The standing run for memory events outside of a run (domain rules, "Without a run")."""

from __future__ import annotations

from gitmem.errors import GitmemError, UsageError
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.finding import INBOX, find_run
from gitmem.usecases.runs.listing import ENDED


def inbox(ledger: RunLedger) -> Run:
    """The inbox of this repository. It comes into being with its first event, so reading it writes nothing."""
    return ledger.run(INBOX)


def find_run_to_write(ledger: RunLedger, word: str | None) -> Run:
    """The run that an event goes to: as `gitmem.usecases.runs.finding.find_run`, but the inbox is always there.

    Raises:
        UsageError: The word can be no run id, or begins several.
        NotFoundError: No such run here, or no run is current.
    """
    return inbox(ledger) if word == INBOX else find_run(ledger, word)


def refuse_inbox(run: str, what: str) -> None:
    """Refuse what the standing run is not for.

    Raises:
        UsageError: When the run is the inbox.
    """
    if run == INBOX:
        raise UsageError(
            f"{INBOX} is the standing run for memory events: it {what}",
            hint="gitmem run start TASK begins a run",
        )


def memory_run(ledger: RunLedger, word: str | None) -> Run:
    """The run that an event about memory goes to: the one named, else the current one while it is open, else the inbox.

    Raises:
        UsageError: The word can be no run id, or begins several.
        NotFoundError: No such run here.
    """
    if word is not None:
        return find_run_to_write(ledger, word)
    current = ledger.current()
    if current is None or not current.exists():
        return inbox(ledger)
    try:
        has_ended = current.folded().snapshot.phase in ENDED
    except GitmemError:  # damaged: what is decided now must not be lost with it
        has_ended = True
    return inbox(ledger) if has_ended else current
