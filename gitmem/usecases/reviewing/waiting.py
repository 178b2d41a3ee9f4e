"""How many wait for a person and since when, from what is kept: no YAML is read and no rule is run.

Open candidates are counted from the events that were kept of each run, proposals by the names of files, doubtful and
proposed memories from the last check that was kept for exactly this state; where none was, they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.event import Event, text_field
from gitmem.model.standing import CANDIDATE, CLOSING, DECISION, Standing
from gitmem.store.ledger import RunLedger
from gitmem.store.ledger_state import ledger_state
from gitmem.usecases.ai_files import MEMORY_FOLDER
from gitmem.usecases.memory_events import load_events
from gitmem.usecases.vantage import Outlook


class Queued(NamedTuple):
    """What waits: how many, and the day since which the first does; empty when it cannot be told."""

    number: int = 0
    since: str = ""


class _Told(NamedTuple):
    """Where a candidate stands, since which day, and the memory that it was proposed as."""

    standing: Standing
    day: str
    memory: str = ""


def waiting(ledger: RunLedger, *, today: date, outlook: Outlook | None = None) -> Queued:
    """Count what waits; what cannot be read is not counted, and never an error.

    Args:
        ledger: The ledger of the repository.
        today: The day to judge dates at.
        outlook: Of the repository, where it was looked up already.
    """
    outlook = outlook or Outlook(ledger.repository)
    try:
        told = _candidates(ledger)
        doubtful = _doubtful(ledger, outlook, today)
        days = [*doubtful.values(), *(one.day for one in told if one.standing is Standing.OPEN)]
        known = {name for name, _ in doubtful}
        days += _proposed(ledger, [one for one in told if one.memory and one.memory not in known], outlook)
    except GitmemError:
        return Queued()
    return Queued(len(days), min((one for one in days if one), default=""))


def _candidates(ledger: RunLedger) -> tuple[_Told, ...]:
    key = ledger_state(ledger.repository.layout)
    told, _ = ledger.repository.kept("waiting", key, lambda: _read(ledger), lasts=lambda read: read[1])
    return told


def _read(ledger: RunLedger) -> tuple[tuple[_Told, ...], bool]:
    """Where each candidate stands, and whether every run could be read."""
    events, problems = load_events(ledger)
    found: dict[str, _Told] = {}
    moved: dict[str, _Told] = {}
    for event in events:
        day = event.at[:10]
        if event.type == CANDIDATE:
            found[_id_of(event)] = _Told(Standing.OPEN, day)
        elif event.type == DECISION:
            about = text_field(event.payload, "candidate")
            standing = CLOSING.get(text_field(event.payload, "decision") or "")
            if about and standing:
                memory = text_field(event.payload, "memory") if standing is Standing.PROPOSED else None
                moved[about] = _Told(standing, day, memory or "")
    return tuple(moved.get(name, told) for name, told in found.items()), not problems


def _id_of(event: Event) -> str:
    held = event.payload.get("candidate")
    fields = held if isinstance(held, dict) else event.payload
    named = fields.get("id") or fields.get("candidate_id")
    return named if isinstance(named, str) else f"candidate-{event.commit[:10]}"


def _doubtful(ledger: RunLedger, outlook: Outlook, today: date) -> dict[tuple[str, bool], str]:
    """The day of each memory that the last check doubts or takes for proposed, by id and which."""
    from gitmem.usecases.kept import KeptVerdicts

    vantage = outlook.vantage
    if vantage is None:
        return {}
    report = KeptVerdicts(ledger.repository).report(vantage, today.isoformat())
    judged = report.judgements if report else ()
    found = [one for one in judged if one.status in {"challenged", "proposed"}]
    return {
        (one.id, one.proposed): min((at.at[:10] for at in one.findings if at.at), default="") for one in found
    }


def _proposed(ledger: RunLedger, proposals: list[_Told], outlook: Outlook) -> Iterator[str]:
    """The days of proposals that the trusted branch has no file of."""
    if proposals:
        tip = outlook.trusted.commit
        entries = ledger.repository.list_tree(tip, under=MEMORY_FOLDER) if tip else ()
        merged = {one.path.rpartition("/")[2].removesuffix(".yaml") for one in entries}
        yield from (one.day for one in proposals if one.memory not in merged)
