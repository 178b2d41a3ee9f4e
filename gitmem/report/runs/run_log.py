"""The events of a run as text and as JSON: `run log`, and what was just written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from gitmem.model.event import Event, not_saved
from gitmem.report.ages import ago
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import prose, visible
from gitmem.report.width import cut, pad, width
from gitmem.wire.event import gist

_STYLES = {
    "test_failed": "red",
    "review_failed": "red",
    "test_passed": "green",
    "review_passed": "green",
    "completed": "green",
    "waiting_human": "yellow",
    "risk_noted": "yellow",
    "approach_rejected": "yellow",
}
_WIDEST = (9, 12, 28, 26)
_LONGEST_GIST = 200
"""Columns, wherever the lines go: a finding may be a whole log. ``-v`` and JSON have all of it."""


def log_document(run: str, events: Iterable[Event], problems: Sequence[str]) -> dict[str, Any]:
    """The JSON document of `run log`."""
    return {"run": run, "events": [event_document(event) for event in events], "problems": list(problems)}


def event_document(event: Event) -> dict[str, Any]:
    """One event; with ``--follow`` a document of its own."""
    return {
        "seq": event.seq,
        "id": event.id,
        "type": event.type,
        "at": event.at,
        "actor": event.actor,
        "session": event.session,
        "code": event.code,
        "dirty": event.dirty,
        "payload": dict(event.payload),
        "artifacts": list(event.artifacts),
        "not_saved": list(not_saved(event)),
        "commit": event.commit,
        "writer": event.writer,
        "masked": _masked(event),
    }


def written_document(event: Event) -> dict[str, Any]:
    """The JSON document of `run event` and the short forms."""
    return {
        "run": event.run,
        "id": event.id,
        "seq": event.seq,
        "commit": event.commit,
        "masked": _masked(event),
    }


class LogLines:
    """Lines of events that come a few at a time: columns grow with what comes and never shrink.

    Args:
        look: How text may look.
        in_full: Below each line all else that the event has: payload, session, code commit, artifacts, what was masked, id
            and writer.
    """

    def __init__(self, look: Look = PLAIN, *, in_full: bool = False) -> None:
        self._look = look
        self._in_full = in_full
        self._room = [0, 0, 0, 0]

    def of(self, events: Sequence[Event], now: datetime) -> Iterator[str]:
        """One line an event: seq, when, who, type, and what it is about."""
        rows = [_cells(event, now) for event in events]
        for cells in rows:
            self._room = [
                max(room, min(width(cell), most))
                for room, cell, most in zip(self._room, cells, _WIDEST, strict=True)
            ]
        for event, cells in zip(events, rows, strict=True):
            seq, when, who, kind = map(pad, cells, self._room)
            yield self._look.line(
                Span(f"{seq}  ", "dim"),
                Span(f"{when}  ", "dim"),
                f"{who}  ",
                Span(kind, _STYLES.get(event.type, "")),
                f"  {_gist(event) if self._in_full else cut(_gist(event), _LONGEST_GIST)}".rstrip(),
            )
            if self._in_full:
                yield from self._details(event)

    def _details(self, event: Event) -> Iterator[str]:
        kinds = ", ".join(f"{count} × {visible(kind)}" for kind, count in _masked(event).items())
        told = (
            ("commit", event.commit),
            ("at", prose(event.at)),
            ("session", visible(event.session or "")),
            ("code", f"{event.code}{' (dirty)' if event.dirty else ''}" if event.code else ""),
            ("artifacts", ", ".join(map(visible, event.artifacts))),
            ("not saved", ", ".join(map(visible, not_saved(event)))),
            ("masked", kinds),
            ("id", visible(event.id)),
            ("writer", visible(event.writer)),
            *_fields(event.payload),
        )
        for label, text in told:
            if text:
                yield Look(self._look.colour).line(Span(f"    {label:<10}", "dim"), text)


def _fields(payload: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A payload field by field, each as JSON on a line of its own."""
    label = "payload"
    for name, value in payload.items():
        yield label, f"{visible(name)}: {visible(json.dumps(value, ensure_ascii=False))}"
        label = ""


def _cells(event: Event, now: datetime) -> tuple[str, str, str, str]:
    who = f"{event.actor}/{event.session}" if event.session else event.actor
    return (f"#{event.seq}", ago(event.at, now), prose(who), prose(event.type))


def _gist(event: Event) -> str:
    """What the event is about, with the reason where there is one; else what it carries."""
    said = gist(dict(event.payload))
    how = event.payload.get("how")
    if event.type == "memory_confirmed" and isinstance(how, str) and how:
        said = f"{said} ({how})"
    reason = event.payload.get("reason")
    if isinstance(reason, str) and reason.strip() and reason.strip() != said:
        said = f"{said} – {reason}"
    return prose(said) or ", ".join(map(visible, event.artifacts))


def _masked(event: Event) -> dict[str, int]:
    held = event.extra.get("masked")
    counted = held.items() if isinstance(held, dict) else ()
    return {kind: count for kind, count in counted if isinstance(count, int)}
