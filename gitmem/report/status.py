"""`gitmem status` as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from gitmem.report.ages import ago
from gitmem.report.counts import count_of
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.runs.run_list import PHASE_STYLES
from gitmem.report.runs.run_state import next_step
from gitmem.report.sanitise import prose
from gitmem.report.waiting import waiting_line
from gitmem.trust.branch import Trusted
from gitmem.usecases.reviewing.waiting import Queued
from gitmem.usecases.runs.standing import RunState
from gitmem.usecases.status import MemoryState, SetUp

_FIRST = ("active", "challenged", "proposed")


def status_document(
    state: MemoryState,
    runs: RunState | None = None,
    queued: Queued | None = None,
    set_up: SetUp | None = None,
) -> dict[str, Any]:
    """The same facts as the text."""
    trusted = state.trusted
    return {
        **(_runs_document(runs) if runs else {}),
        "trusted": {
            "ref": trusted.ref,
            "commit": trusted.commit,
            "remote": trusted.remote,
            "why": trusted.why,
            "verified": trusted.verified,
        },
        "memories": {status: state.counts.get(status, 0) for status in _statuses(state)},
        "unchecked": state.unchecked,
        "waiting": [{"what": one.what, "count": one.count, "command": one.command} for one in state.waiting],
        **({"review": {"count": queued.number, "since": queued.since or None}} if queued else {}),
        "problems": state.problems,
        **({"set_up": {"git_hooks": set_up.hooks, "agents": dict(set_up.agents or {})}} if set_up else {}),
    }


def _runs_document(runs: RunState) -> dict[str, Any]:
    document: dict[str, Any] = {
        "run": None,
        "runs_open": runs.open,
        "commits_since": runs.commits_since,
        "run_problems": runs.problems,
        "unsynced": list(runs.unsynced),
        "sync_refused": runs.refused or None,
    }
    if runs.current is not None:
        row, state = runs.current
        document["run"] = {
            "run": row.run,
            "task": row.task,
            "phase": row.phase,
            "next_step": state.next_step,
            "paused": state.paused,
            "waiting_human": state.waiting_human,
            "question": state.question,
            "events": row.events,
            "last_at": row.last_at,
        }
    return document


def run_status_lines(runs: RunState, now: datetime, look: Look = PLAIN) -> Iterator[str]:
    """The lines of one screen that are about work."""
    others = runs.open - (runs.current is not None and not runs.current[0].has_ended)
    if runs.current is None:
        open_ones = f", {others} open: gitmem run list" if others else ": gitmem run start TASK begins one"
        yield look.line(_label("run"), f"none is current{open_ones}")
    else:
        yield from _current(runs, now, look)
        if others:
            yield look.line(_label(""), f"{others} more open: gitmem run list")
    if runs.commits_since:
        yield look.line(_label(""), f"{count_of(runs.commits_since, 'commit')} not recorded yet")
    if runs.unsynced:
        yield look.line(_label(""), _unsynced(runs))
    if runs.problems:
        yield look.line(
            _label(""),
            Span(f"{count_of(runs.problems, 'run')} cannot be read as a whole: gitmem run verify", "red"),
        )


def _unsynced(runs: RunState) -> str:
    count = "1 run" if len(runs.unsynced) == 1 else f"{len(runs.unsynced)} runs"
    if runs.refused:
        return f"{count} not synced, the remote refused at the last try: {prose(runs.refused)}"
    return f"{count} not synced yet: gitmem sync"


def _current(runs: RunState, now: datetime, look: Look) -> Iterator[str]:
    assert runs.current is not None
    row, state = runs.current
    yield look.line(
        _label("run"),
        Span(row.run, "bold"),
        f"  {prose(row.task or '–')}  ",
        Span(row.phase, PHASE_STYLES.get(row.phase, "")),
        f", {count_of(row.events, 'event')}, last {ago(row.last_at, now)}",
    )
    if row.has_ended:
        yield look.line(_label(""), "it has ended: gitmem run start TASK begins another")
    elif state.waiting_human:
        question = prose(state.question or "somebody has to look")
        yield look.line(
            _label(""), Span(f"waits for a person: {question} (gitmem run answer TEXT)", "yellow")
        )
    if state.paused:
        why = f": {prose(state.pause_reason)}" if state.pause_reason else ""
        yield look.line(_label(""), Span(f"paused{why} (gitmem run resume)", "yellow"))
    if state.next_step and not row.has_ended:
        yield look.line(_label(""), f"next: {prose(next_step(state))}")


def status_lines(state: MemoryState, look: Look = PLAIN, queued: Queued | None = None) -> Iterator[str]:
    """The lines of one screen that are about memory."""
    yield look.line(_label("trusted"), _trusted(state.trusted))
    counted = ", ".join(f"{state.counts.get(status, 0)} {status}" for status in _statuses(state))
    yield look.line(
        _label("memories"),
        counted if state.counts else "none yet: write one in .ai/memory/, .ai/README.md shows how",
    )
    if state.unchecked:
        unchecked = f"{state.unchecked} cannot be checked against the code: gitmem drift --explain"
        yield look.line(_label(""), unchecked)
    review = waiting_line(queued) if queued else ""
    rows = [f"{one.count} {one.what}: {one.command}" for one in state.waiting]
    told = [*([review] if review else []), *rows] or ["nothing"]
    for number, row in enumerate(told):
        count, space, rest = row.partition(" ")
        yield look.line(
            _label("" if number else "waiting"), Span(count, "bold") if space else count, space + rest
        )


def set_up_line(set_up: SetUp, look: Look = PLAIN) -> str:
    """What is set up, and for what is not the command that does it; in one line."""
    parts = {"git hooks": set_up.hooks, **(set_up.agents or {})}
    told = [", ".join(name for name, state in parts.items() if state == "installed")]
    broken = ", ".join(name for name, state in parts.items() if state == "incomplete")
    if broken:
        told.append(f"{broken} incomplete: gitmem doctor")
    if set_up.hooks == "missing":
        told.append("no git hooks: gitmem hooks install")
    if set_up.agents is not None and not set_up.agents:
        told.append("no agent: gitmem agent install NAME")
    return look.line(_label("set up"), "; ".join(one for one in told if one))


def _label(label: str) -> Span:
    return Span(f"{label:<10}", "dim")


def _statuses(state: MemoryState) -> list[str]:
    return [*_FIRST, *sorted(set(state.counts) - set(_FIRST))]


def _trusted(trusted: Trusted) -> str:
    if trusted.commit is None:
        return f"no branch: {prose(trusted.why)}"
    return f"{prose(trusted.name)} at {trusted.commit[:12]} ({prose(trusted.why)})"
