"""What sessions said of memories, and what came of them, folded from the events of runs.

Being delivered is circumstance, being cited is testimony; a session that never cites is no testimony at all
(domain.md section 5). Folding an event again changes nothing, so that what is new need not be told apart exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gitmem.model.event import Event, moment, text_field, text_list
from gitmem.recall.factors import IGNORED_SESSIONS, Usage
from gitmem.recall.testified import Outcome, Testimony

MOST_OUTCOMES = 200
_MOST_PATHS = 50
_LONGEST_SUMMARY = 2_000
_DELIVERED, _CITED, _PATHS, _SUMMARY, _AT, _ACTOR, _COMMIT = range(7)

Told = dict[str, list[Any]]
"""Of each session, as plain values: delivered, cited and changed names, then its summary, time, actor, commit."""
RunState = tuple[Told, dict[str, str]]
"""Of one run: its sessions, and the memory that each repetition confirmed, by event."""


def fold_sessions(state: RunState, events: Iterable[Event]) -> RunState:
    """The state of a run with some more of its events; takes the given one over.

    Args:
        state: Of the run so far.
        events: New ones; some may be known already.
    """
    sessions, repeated = state
    for event in events:
        if event.type == "memory_confirmed":
            memory = text_field(event.payload, "memory")
            if memory and event.payload.get("how") == "repeated":
                repeated[f"{event.writer} {event.id}"] = memory
        name = text_field(event.payload, "session") or event.session
        if name and event.type in _TAKES:
            _TAKES[event.type](sessions.setdefault(name, [[], [], [], "", "", "", ""]), event)
    return sessions, repeated


def _deliver(session: list[Any], event: Event) -> None:
    _add(session[_DELIVERED], text_list(event.payload, "ids"))


def _change(session: list[Any], event: Event) -> None:
    field = "files" if event.type == "commit_recorded" else "changed_files"
    _add(session[_PATHS], text_list(event.payload, field), most=_MOST_PATHS)


def _end(session: list[Any], event: Event) -> None:
    _add(session[_CITED], text_list(event.payload, "used_memories"))
    summary = (text_field(event.payload, "summary") or "").strip()[:_LONGEST_SUMMARY]
    if summary and moment(event.at) >= moment(session[_AT]):
        session[_SUMMARY:] = [summary, event.at, event.actor, event.commit]


_TAKES = {
    "memory_delivered": _deliver,
    "session_ended": _end,
    "commit_recorded": _change,
    "implementation_completed": _change,
}


def _add(held: list[str], names: Iterable[str], most: int = 1_000) -> None:
    known = set(held)
    for name in names:
        if name not in known and len(held) < most:
            known.add(name)
            held.append(name)


def testimony(runs: Mapping[str, RunState]) -> Testimony:
    """What the sessions of all runs say; a session that took part in several counts once.

    Args:
        runs: State by run id.
    """
    delivered: dict[str, set[str]] = {}
    cited: dict[str, set[str]] = {}
    outcomes: dict[str, Outcome] = {}
    repeated: dict[str, str] = {}
    for run, (sessions, again) in sorted(runs.items()):
        repeated |= again
        for name, one in sessions.items():
            delivered.setdefault(name, set()).update(one[_DELIVERED])
            cited.setdefault(name, set()).update(one[_CITED])
            outcome = Outcome(
                name, run, one[_SUMMARY], one[_AT], one[_ACTOR], tuple(one[_PATHS]), one[_COMMIT]
            )
            if outcome.summary and (name not in outcomes or outcomes[name].at < outcome.at):
                outcomes[name] = outcome
    newest = sorted(outcomes.values(), key=lambda one: (-moment(one.at), one.session))[:MOST_OUTCOMES]
    return Testimony(_usage(delivered, cited), _counted(repeated.values()), tuple(newest))


def _usage(delivered: Mapping[str, set[str]], cited: Mapping[str, set[str]]) -> dict[str, Usage]:
    citations = _counted(memory for memories in cited.values() for memory in memories)
    witnesses = [session for session, memories in cited.items() if memories]
    given = _counted(memory for session in witnesses for memory in delivered.get(session, ()))
    names = sorted({*citations, *given})
    told = {
        name: Usage(citations.get(name, 0), name not in citations and given.get(name, 0) >= IGNORED_SESSIONS)
        for name in names
    }
    return {name: usage for name, usage in told.items() if usage != Usage()}


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts
