"""How many wait for a person and since when, from what is kept: no YAML is read and no rule is run.

What counts is what `gitmem.usecases.reviewing.loading` lists, each thing once. Open candidates and claims are counted
from the events that were kept of each run, proposals by the names of files, memories from the last check that was kept
for exactly this state and from what sessions said; where none was, they are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.event import Event, text_field
from gitmem.model.standing import CANDIDATE, CLOSING, CONFIRMATION, DECISION, Standing
from gitmem.model.verdict import NO_SCOPE, OTHER_WORDS
from gitmem.store.ledger import RunLedger
from gitmem.store.ledger_state import ledger_state
from gitmem.trust.effective import is_newer
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
        told, claims = _kept(ledger)
        doubtful = _doubtful(ledger, outlook, today, claims)
        days = [*doubtful.values(), *(one.day for one in told if one.standing is Standing.OPEN)]
        known = {name for name, _ in doubtful}
        days += _proposed(ledger, [one for one in told if one.memory and one.memory not in known], outlook)
    except GitmemError:
        return Queued()
    return Queued(len(days), min((one for one in days if one), default=""))


class _Read(NamedTuple):
    """What the events of all runs say.

    Args:
        told: Where each candidate stands.
        claims: The time of the newest claim of each memory, RFC 3339.
    """

    told: tuple[_Told, ...]
    claims: Mapping[str, str]


def _kept(ledger: RunLedger) -> _Read:
    key = ledger_state(ledger.repository.layout)
    read, _ = ledger.repository.kept("waiting", key, lambda: _read(ledger), lasts=lambda read: read[1])
    return read


def _read(ledger: RunLedger) -> tuple[_Read, bool]:
    """What the events say, and whether every run could be read."""
    events, problems = load_events(ledger)
    found: dict[str, _Told] = {}
    moved: dict[str, _Told] = {}
    claims: dict[str, str] = {}
    for event in events:
        day = event.at[:10]
        if event.type == CANDIDATE:
            found[_id_of(event)] = _Told(Standing.OPEN, day)
        elif event.type == CONFIRMATION and event.payload.get("how") == "claimed":
            claims[text_field(event.payload, "memory") or ""] = event.at
        elif event.type == DECISION:
            about = text_field(event.payload, "candidate")
            standing = CLOSING.get(text_field(event.payload, "decision") or "")
            if about and standing:
                memory = text_field(event.payload, "memory") if standing is Standing.PROPOSED else None
                moved[about] = _Told(standing, day, memory or "")
    return _Read(tuple(moved.get(name, told) for name, told in found.items()), claims), not problems


def _id_of(event: Event) -> str:
    held = event.payload.get("candidate")
    fields = held if isinstance(held, dict) else event.payload
    named = fields.get("id") or fields.get("candidate_id")
    return named if isinstance(named, str) else f"candidate-{event.commit[:10]}"


def _doubtful(
    ledger: RunLedger, outlook: Outlook, today: date, claims: Mapping[str, str]
) -> dict[tuple[str, bool], str]:
    """The day of each memory that waits by the last check, by what sessions said or by a claim; by id and whether it is proposed."""
    from gitmem.usecases.kept import KeptVerdicts
    from gitmem.usecases.recalling.testimony import load_testimony

    vantage = outlook.vantage
    if vantage is None:
        return {}
    report = KeptVerdicts(ledger.repository).report(vantage, today.isoformat())
    judged = report.judgements if report else ()
    usage = load_testimony(ledger.repository).usage if judged else {}
    found: dict[tuple[str, bool], str] = {}
    for one in judged:
        days = [at.at[:10] for at in one.findings if at.at]
        if not one.proposed and _is_open_claim(claims.get(one.id, ""), one.validated_at):
            found[one.id, one.proposed] = claims[one.id][:10]
        elif one.status in {"challenged", "proposed"}:
            found[one.id, one.proposed] = min(days, default="")
        elif any(note.endswith((NO_SCOPE, OTHER_WORDS)) for note in one.notes) or (
            (said := usage.get(one.id)) is not None and said.ignored
        ):
            found[one.id, one.proposed] = ""
    return found


def _is_open_claim(claimed: str, validated: str | None) -> bool:
    """Whether nobody looked since somebody claimed it."""
    if not claimed or validated is None:
        return bool(claimed)
    try:
        return not is_newer(datetime.fromisoformat(validated), datetime.fromisoformat(claimed))
    except ValueError:
        return True


def _proposed(ledger: RunLedger, proposals: list[_Told], outlook: Outlook) -> Iterator[str]:
    """The days of proposals that the trusted branch has no file of."""
    if proposals:
        tip = outlook.trusted.commit
        entries = ledger.repository.list_tree(tip, under=MEMORY_FOLDER) if tip else ()
        merged = {one.path.rpartition("/")[2].removesuffix(".yaml") for one in entries}
        yield from (one.day for one in proposals if one.memory not in merged)
