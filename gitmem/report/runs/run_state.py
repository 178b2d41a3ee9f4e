"""The state of a run as text and as JSON: `run show`, `run switch`, `run fork`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from gitmem.model.snapshot import Approach, Decision, Failure, Session, Snapshot
from gitmem.report.ages import ago
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.runs.run_list import PHASE_STYLES
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.runs.showing import ShownRun
from gitmem.usecases.runs.switching import Resumable

_LABEL = 10
_MOST_FILES = 12


def snapshot_document(state: Snapshot) -> dict[str, Any]:
    """A snapshot by the field names of the domain rules."""
    named = (one.name for one in fields(state) if one.name != "underlying_phase")
    return {name: _plain(getattr(state, name)) for name in named}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(one) for name, one in value._asdict().items()}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def run_document(shown: ShownRun) -> dict[str, Any]:
    """The JSON document of `run show`."""
    return {
        **snapshot_document(shown.snapshot),
        "events": shown.events,
        "writers": list(shown.writers),
        "last_at": shown.last_at,
        "at_seq": shown.at,
        "ref": shown.ref,
        "git_log": git_log(shown.snapshot.run_id),
        "problems": list(shown.problems),
    }


def git_log(run: str) -> str:
    """The line of plain git that shows a run's events, of all its writers."""
    return f"git log --glob='refs/ai/runs/{run}'"


def run_lines(shown: ShownRun, now: datetime, look: Look = PLAIN) -> Iterator[str]:
    """The state for people; what says nothing is left out, and nothing is cut."""
    state, whole = shown.snapshot, look._replace(width=None)
    yield whole.line(Span(state.run_id, "bold"), f"  {prose(state.task or '')}".rstrip())
    for label, text, style in _rows(shown, now):
        yield whole.line(Span(f"{label:<{_LABEL}}", "dim"), Span(text, style))
    yield whole.line(Span(git_log(state.run_id), "dim"))


def _rows(shown: ShownRun, now: datetime) -> Iterator[tuple[str, str, str]]:
    state = shown.snapshot
    yield from _row("goal", state.goal)
    attempt = f", attempt {state.attempt}" if state.attempt else ""
    yield "phase", f"{state.phase}{attempt}", PHASE_STYLES.get(state.phase, "")
    if state.paused:
        yield "paused", prose(state.pause_reason or "gitmem run resume goes on"), "yellow"
    many = f"{shown.events} {'event' if shown.events == 1 else 'events'}"
    writers = f" of {len(shown.writers)} writers" if len(shown.writers) > 1 else ""
    when = f", as of #{shown.at}" if shown.at is not None else ""
    yield "events", f"{many}{writers}, last {ago(shown.last_at, now)}{when}", ""
    if state.waiting_human:
        question = prose(state.question or "somebody has to look")
        yield "waits", f"for a person: {question} (gitmem run answer TEXT)", "yellow"
    yield from _row(
        "last step",
        checkpoint(state.last_successful_seq, state.last_successful_step, state.last_successful_code),
    )
    if state.last_failure is not None:
        yield "failure", _failure(state.last_failure), "red"
    yield from _row("next", state.next_step, "bold")
    yield from _listed("adopted", map(_reasoned, filter(None, [state.adopted_approach])))
    yield from _listed("rejected", map(_reasoned, state.rejected_approaches))
    yield from _listed("decided", map(_reasoned, state.decisions))
    yield from _listed("found", (one.finding for one in state.findings))
    yield from _listed("risks", state.remaining_risks, "yellow")
    yield from _row("may edit", ", ".join(map(visible, state.allowed_files)))
    yield from _row("changed", _files(state.changed_files))
    if state.last_test is not None:
        test = state.last_test
        yield from _row(
            "last test", f"{test.status} (#{test.seq}){f': {test.command}' if test.command else ''}"
        )
    yield from _row("plan", state.plan)
    yield from _row("artifact", state.last_artifact)
    yield from _listed("sessions", map(_session, state.sessions))
    yield from _row("code", state.code)
    yield from _listed("problem", shown.problems, "red")


def checkpoint(seq: int | None, step: str | None, code: str | None) -> str:
    """Where a run can be resumed, in words; empty when no step has succeeded."""
    if seq is None:
        return ""
    return f"#{seq} {step}{f', code {code[:12]}' if code else ''}"


def _row(label: str, text: str | None, style: str = "") -> Iterator[tuple[str, str, str]]:
    if text:
        yield label, prose(text), style


def _listed(label: str, texts: Iterable[str], style: str = "") -> Iterator[tuple[str, str, str]]:
    for number, text in enumerate(texts):
        yield "" if number else label, prose(text), style


def _failure(failure: Failure) -> str:
    ended = "" if failure.exit_code is None else f"exit code {failure.exit_code}"
    inside = ", ".join(filter(None, [ended, failure.failure_class]))
    tests = ", ".join(failure.failing[:5]) + (
        f" and {len(failure.failing) - 5} more" if len(failure.failing) > 5 else ""
    )
    said = [failure.command, tests, "; ".join(failure.findings)]
    told = ": ".join(filter(None, said))
    log = f" – see {failure.artifact}" if failure.artifact else ""
    head = f"#{failure.seq} {failure.type}"
    return prose(f"{head}{f': {told}' if told else ''}{f' ({inside})' if inside else ''}{log}")


def _reasoned(one: Approach | Decision) -> str:
    said = one.approach if isinstance(one, Approach) else one.decision
    return f"{said} – {one.reason}" if one.reason else said


def _files(files: tuple[str, ...]) -> str:
    more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
    return ", ".join(map(visible, files[:_MOST_FILES])) + more


def _session(one: Session) -> str:
    who = ", ".join(filter(None, [one.agent, one.model]))
    state = "open" if one.ended_seq is None else f"ended #{one.ended_seq}"
    used = f", used {', '.join(one.used_memories)}" if one.used_memories else ""
    summary = f": {one.summary}" if one.summary else ""
    return f"{one.session} ({f'{who}, ' if who else ''}{state}{used}){summary}"


def resumable_document(one: Resumable) -> dict[str, Any]:
    """The JSON document of `run switch` and `run fork`."""
    return {
        "run": one.run.id,
        "ref": one.ref,
        "checkpoint": one.checkpoint._asdict(),
        "next_step": one.snapshot.next_step,
        "task": one.snapshot.task,
        "phase": one.snapshot.phase,
    }


def resumable_lines(one: Resumable, look: Look = PLAIN) -> Iterator[str]:
    """Where to go on, for people."""
    state, whole = one.snapshot, look._replace(width=None)
    phase = Span(state.phase, PHASE_STYLES.get(state.phase, ""))
    task = f"  {prose(state.task)}" if state.task else ""
    yield whole.line(Span(one.run.id, "bold"), f"{task}  ", phase)
    found = checkpoint(*one.checkpoint)
    yield whole.line(
        Span(f"{'resume at':<{_LABEL}}", "dim"), found or "the beginning: no step has succeeded yet"
    )
    if state.last_failure is not None:
        yield whole.line(Span(f"{'failure':<{_LABEL}}", "dim"), Span(_failure(state.last_failure), "red"))
    following = prose(state.next_step) if state.next_step else "nothing is set: gitmem run next TEXT"
    yield whole.line(Span(f"{'next':<{_LABEL}}", "dim"), following)
