"""What `gitmem confirm --replay` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.model.memory import Status
from gitmem.promotion.replayed import ReplayVerdict, Side
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import prose, visible
from gitmem.results.probe import ProbeOutcome
from gitmem.usecases.marking import Move
from gitmem.usecases.replay import Replayed, ReplaySubject
from gitmem.usecases.replay_sides import Place

_ROLES = {"before": "before the fix", "after": "after the fix", "head": "HEAD"}
_COLOURS = {"passed": "green", "strong": "green", "failed": "red", "unknown": "yellow"}
_MEANS = {
    ReplayVerdict.STRONG: "it failed before the fix and passes after it",
    ReplayVerdict.PASSED: "the probe passed",
    ReplayVerdict.FAILED: "the probe failed",
    ReplayVerdict.UNKNOWN: "the probe could not run, which says nothing",
}


def replay_document(replays: Sequence[Replayed]) -> dict[str, Any]:
    """The ``confirm --replay`` document of cli.md; of several, each of them under ``replays``."""
    rows = [_document(one) for one in replays]
    return rows[0] if len(rows) == 1 else {"replays": rows}


def _document(one: Replayed) -> dict[str, Any]:
    subject = one.subject
    return {
        "memory": subject.id if subject.known is not None else None,
        "candidate": subject.id if subject.candidate is not None else None,
        "verdict": one.card.verdict.value,
        "probe": subject.probe or None,
        "probes": [_probe(one, side) for side in one.card.sides],
        "validation": one.validation,
        "moved": _moved(one.move) if one.move is not None else None,
        "run": one.event.run if one.event is not None else None,
        "event": one.event.commit if one.event is not None else None,
        "notes": list(one.notes),
    }


def _moved(move: Move) -> dict[str, str]:
    return {"from": move.old.value, "to": move.new.value, "file": move.file, "reason": move.reason}


def _probe(one: Replayed, side: Side) -> dict[str, Any]:
    return {
        "command": one.subject.command,
        "at": side.at,
        "exit_code": side.exit_code,
        "duration_s": round(side.duration_s, 3),
        "role": side.role,
        "outcome": side.outcome.value,
        "reason": side.reason,
        "artifact": side.artifact or None,
        "taken": list(side.taken),
        "notes": list(side.notes),
    }


def begin_line(subject: ReplaySubject, place: Place) -> str:
    """Said before a run, so that nobody waits for they know not what, and sees what is run."""
    where = f"{_ROLES[place.role]} {place.commit[:12]}" if place.commit else _ROLES[place.role]
    return f"{subject.id}: {where}: {subject.command}"


def edited_lines(subject: ReplaySubject) -> Iterator[str]:
    """The question before a probe that nobody approved."""
    yield f"{visible(subject.id)} has another probe here than was approved:"
    yield f"  {visible(subject.command)}"


def replay_lines(replays: Sequence[Replayed], look: Look = PLAIN, *, quiet: bool = False) -> Iterator[str]:
    """The answer for people.

    Args:
        replays: What was replayed.
        look: What the reader can take.
        quiet: One line for each.
    """
    for one in replays:
        verdict = one.card.verdict
        means = f"  {_MEANS[verdict]}" if one.subject.command else ""
        yield look.line(
            Span(verdict.value, _COLOURS[verdict.value]), " ", Span(visible(one.subject.id), "bold"), means
        )
        if not quiet:
            yield from (look.line(f"  {line}") for line in _detail(one))


def _detail(one: Replayed) -> Iterator[str]:
    if one.subject.command:
        named = f" ({visible(one.subject.probe)})" if one.subject.probe != one.subject.command else ""
        yield f"probe: {visible(one.subject.command)}{named}"
    for side in one.card.sides:
        yield from _side(side)
    yield from _what_followed(one)
    yield from map(prose, one.notes)
    if one.event is not None:
        logs = [side.artifact for side in one.card.sides if side.artifact]
        where = f"recorded in {visible(one.event.run)} #{one.event.seq}"
        yield f"{where}, logs: {', '.join(map(visible, logs))}" if logs else where


def _side(side: Side) -> Iterator[str]:
    at = f" {side.at[:12]}" if side.at else ""
    why = f": {prose(side.reason)}" if side.reason else ""
    ran = side.outcome is not ProbeOutcome.UNKNOWN or side.exit_code is not None or side.duration_s > 0
    took = f"  {side.duration_s:.1f} s" if ran else ""
    yield f"{_ROLES[side.role]}{at}: {side.outcome}{why}{took}"
    if side.taken:
        more = f" and {len(side.taken) - 5} more" if len(side.taken) > 5 else ""
        yield f"  with the fix's own {', '.join(map(visible, side.taken[:5]))}{more}"
    yield from (f"  {prose(note)}" for note in side.notes)


def _what_followed(one: Replayed) -> Iterator[str]:
    if one.validation is not None:
        yield f"validation {visible(one.validation)}: commit it, it counts from then on"
    if one.move is None:
        return
    file = visible(one.move.file)
    if one.move.old is one.move.new:
        yield f"{file} says {one.move.new} already"
    elif one.move.new is Status.DEPRECATED:
        yield f"{one.move.old} → deprecated in {file}: a proposal, which retires it once a person merges it"
    else:
        yield f"{one.move.old} → challenged in {file}: commit it; it is delivered with a warning until confirmed"
