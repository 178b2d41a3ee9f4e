"""How many wait for a person and since when, from what is kept: no YAML is read and no rule is run.

Open candidates are counted from the events that were kept of each run, doubtful and proposed memories from the last
check that was kept for exactly this state; where none was, they are left out of the count.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.event import Event, text_field
from gitmem.model.standing import CANDIDATE, CLOSING, DECISION, Standing
from gitmem.store.ledger import RunLedger
from gitmem.usecases.memory_events import load_events


class Queued(NamedTuple):
    """What waits: how many, and the day since which the first does; empty when it cannot be told."""

    number: int = 0
    since: str = ""


def waiting(ledger: RunLedger, *, today: date) -> Queued:
    """Count what waits; what cannot be read is not counted, and never an error."""
    try:
        days = [*_open_candidates(ledger), *_doubtful(ledger, today)]
    except GitmemError:
        return Queued()
    return Queued(len(days), min((one for one in days if one), default=""))


def _open_candidates(ledger: RunLedger) -> list[str]:
    """The day of each candidate that nobody closed; one that was proposed waits for its merge."""
    events, _ = load_events(ledger)
    days: dict[str, str] = {}
    standing: dict[str, Standing] = {}
    for event in events:
        if event.type == CANDIDATE:
            days[_id_of(event)] = event.at[:10]
        elif event.type == DECISION:
            about = text_field(event.payload, "candidate")
            moved_to = CLOSING.get(text_field(event.payload, "decision") or "")
            if about and moved_to:
                standing[about] = moved_to
    return [day for name, day in days.items() if standing.get(name, Standing.OPEN) is Standing.OPEN]


def _id_of(event: Event) -> str:
    held = event.payload.get("candidate")
    fields = held if isinstance(held, dict) else event.payload
    named = fields.get("id") or fields.get("candidate_id")
    return named if isinstance(named, str) else f"candidate-{event.commit[:10]}"


def _doubtful(ledger: RunLedger, today: date) -> list[str]:
    from gitmem.usecases.kept import KeptVerdicts
    from gitmem.usecases.vantage import read_vantage

    vantage = read_vantage(ledger.repository)
    report = KeptVerdicts(ledger.repository).report(vantage, today.isoformat()) if vantage else None
    found = [one for one in report.judgements if one.status in {"challenged", "proposed"}] if report else []
    return [min((at.at[:10] for at in one.findings if at.at), default="") for one in found]
