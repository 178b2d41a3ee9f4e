"""Which run is meant: the one that a word names, else the current one of this work tree."""

from __future__ import annotations

from gitmem.errors import NotFoundError, UsageError
from gitmem.store.archive import run_of
from gitmem.store.ledger import Run, RunLedger

INBOX = "inbox"
"""The standing run for memory events outside of a run (domain rules, "Without a run")."""


def find_run(ledger: RunLedger, word: str | None) -> Run:
    """A run that has events here.

    Args:
        ledger: Where.
        word: A run id or the beginning of exactly one; None for the current run.

    Raises:
        UsageError: The word can be no run id, or begins several.
        NotFoundError: No such run here, or no run is current.
    """
    if word is not None:
        return ledger.run(_whole_id(ledger, word))
    current = ledger.current()
    if current is None:
        raise NotFoundError(
            "no run is current",
            hint="gitmem run start TASK makes one, --run RUN or gitmem run switch RUN names one",
        )
    if not current.exists():
        raise NotFoundError(
            f"the current run {current.id} has no events here", hint="gitmem run list, then switch"
        )
    return current


def _whole_id(ledger: RunLedger, word: str) -> str:
    ledger.run(word)
    refs = ledger.refs()
    damaged = {run_of(problem.ref) for problem in refs.problems}  # perhaps all that is left of a run
    if word in refs.runs or word in refs.archived or word in damaged:
        return word
    # The beginning of a run that is listed does not become unclear by those that were archived.
    begun = [run for run in refs.runs if run.startswith(word)]
    begun = begun or [run for run in refs.archived if run.startswith(word)]
    if len(begun) > 1:
        raise UsageError(f"{word} begins several runs: {', '.join(begun[:5])}", hint="write more of it")
    if not begun:
        raise NotFoundError(
            f"no such run here: {word}", hint="gitmem run list --all shows them, gitmem sync fetches more"
        )
    return begun[0]
