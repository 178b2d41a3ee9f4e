"""What `run exec` says when the command has ended."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from gitmem.model.event import Event, text_field, text_list
from gitmem.usecases.runs.executing import Execution

MOST_LINES: Final = 2


def recorded_lines(execution: Execution) -> list[str]:
    """``recorded #7 test_failed: 2 failing, agent_failure``; of more than two events, one line for all of them."""
    events = execution.events
    if len(events) <= MOST_LINES:
        return [_line(event) for event in events]
    kinds = Counter(event.type for event in events)
    told = ", ".join(f"{count} × {kind}" if count > 1 else kind for kind, count in kinds.items())
    return [f"recorded #{events[0].seq} to #{events[-1].seq}: {told}"]


def execution_document(execution: Execution) -> dict[str, Any]:
    """The same as data."""
    return {
        "run": execution.run,
        "exit_code": execution.exit_code,
        "events": [_plain(event) for event in execution.events],
        "notes": list(execution.notes),
    }


def _plain(event: Event) -> dict[str, Any]:
    told = ("exit_code", "duration_s", "failure_class", "failing", "counts", "artifact", "attempts")
    payload = {name: event.payload[name] for name in told if name in event.payload}
    return {"seq": event.seq, "id": event.id, "type": event.type, "commit": event.commit, **payload}


def _line(event: Event) -> str:
    failing = text_list(event.payload, "failing")
    passed = _count(event, "passed")
    parts = [
        f"{len(failing)} failing" if failing else "",
        f"{passed} passed" if passed and not failing else "",
        f"attempt {event.payload['attempts']}" if event.payload.get("attempts") else "",
        text_field(event.payload, "failure_class") or "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"recorded #{event.seq} {event.type}{f': {told}' if told else ''}"


def _count(event: Event, name: str) -> int:
    counts = event.payload.get("counts")
    value = counts.get(name) if isinstance(counts, dict) else None
    return value if isinstance(value, int) else 0
