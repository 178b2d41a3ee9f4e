"""The state of a run as text and as JSON: `run show`, `run switch`, `run fork`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from gitmem.model.course import next_step_words, short, success_words, uncommitted_words, words_of_test
from gitmem.model.snapshot import Approach, Decision, Failure, Session, Snapshot
from gitmem.report.ages import ago
from gitmem.report.counts import count_of
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
    many = count_of(shown.events, "event")
    writers = f" of {len(shown.writers)} writers" if len(shown.writers) > 1 else ""
    when = f", as of #{shown.at}" if shown.at is not None else ""
    yield "events", f"{many}{writers}, last {ago(shown.last_at, now)}{when}", ""
    if state.waiting_human:
        question = prose(state.question or "somebody has to look")
        yield "waits", f"for a person: {question} (gitmem run answer TEXT)", "yellow"
    yield from _row("last step", checkpoint(state))
    yield from _row("left", uncommitted(state), "yellow")
    if state.last_failure is not None:
        yield "failure", _failure(state.last_failure), "red"
    yield from _row("next", next_step(state), "bold")
    yield from _listed("adopted", map(_reasoned, filter(None, [state.adopted_approach])))
    yield from _listed("rejected", map(_reasoned, state.rejected_approaches))
    yield from _listed("decided", map(_reasoned, state.decisions))
    yield from _listed("found", (one.finding for one in state.findings))
    yield from _listed("risks", state.remaining_risks, "yellow")
    yield from _row("may edit", ", ".join(map(visible, state.allowed_files)))
    yield from _row("changed", _files(state.changed_files))
    if state.last_test is not None:
        test = state.last_test
        ran = f": {test.command}" if test.command else ""
        told = ", ".join(filter(None, [f"#{test.seq}", words_of_test(test)]))
        yield from _row("last test", f"{test.status} ({told}){ran}")
    yield from _row("plan", state.plan)
    yield from _row("artifact", state.last_artifact)
    yield from _listed("sessions", map(_session, state.sessions))
    yield from _row("code", state.code)
    yield from _listed("problem", shown.problems, "red")


def checkpoint(state: Snapshot) -> str:
    """Where a run can be resumed, in words; empty when no step has succeeded."""
    if state.last_successful_seq is None:
        return ""
    return ", ".join(
        filter(None, [f"#{state.last_successful_seq} {state.last_successful_step}", success_words(state)])
    )


def uncommitted(state: Snapshot) -> str:
    """What was left in a work tree, in words; empty for nothing."""
    seen = uncommitted_words(state)
    return f"not committed: {seen}" if seen else ""


def next_step(state: Snapshot) -> str:
    """The next step, and whether something has happened since it was set; empty for none."""
    since = next_step_words(state)
    return f"{state.next_step or ''}{f' ({since})' if since else ''}"


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
    yield whole.line(Span(f"{'resume at':<{_LABEL}}", "dim"), prose(checkpoint(state) or _begun(state)))
    if left := uncommitted(state):
        yield whole.line(Span(f"{'left':<{_LABEL}}", "dim"), Span(prose(left), "yellow"))
    if state.last_failure is not None:
        yield whole.line(Span(f"{'failure':<{_LABEL}}", "dim"), Span(_failure(state.last_failure), "red"))
    following = prose(next_step(state)) if state.next_step else "nothing is set: gitmem run next TEXT"
    yield whole.line(Span(f"{'next':<{_LABEL}}", "dim"), following)


def _begun(state: Snapshot) -> str:
    """Where to go on when no step has succeeded: not at the beginning when there are commits since."""
    if state.code is None or state.code == state.started_code:
        return "the beginning: no step has succeeded yet"
    begun = f", begun at {short(state.started_code)}" if state.started_code else ""
    return f"commit {short(state.code)}, the newest that is recorded{begun}: no step has succeeded yet"
