"""Run a command, pass everything of it through, and record how it went.

`execute` tells it by kind. A test gives ``test_passed`` or ``test_failed``, which move the state of the run. A build or a
linter gives ``build_passed``, ``build_failed``, ``lint_passed``, ``lint_failed`` with the same payload: types that the
fold does not know, so they stand in the log of the run and leave its phase, its last test and its latest failure alone.

Payload, beside the fields of test events: ``attempts`` when there were several; ``tool``; ``counts`` (passed, failed,
errors, skipped); ``reasons`` by failing test; ``tests`` that passed, where the tool lists them; ``errors``, the error lines
of a build or linter; ``log_tail`` of a failure; ``dirty_files`` (`gitmem.usecases.runs.inputs`).

A test that fails and passes when it is tried again is told by two events: ``test_failed`` with the class
``flaky_blocker`` and then ``test_passed``. So the last test passed and no failure stands, and the flaky one is found
where failures are looked for.

What somebody interrupted – Ctrl-C, a reader that went away – is no result: ``test_interrupted`` (or of a build or linter the
same) stands in the log with what was printed so far, and moves nothing.

Whatever happens to the recording, the command's exit status stays what it is.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.opening import open_repository
from gitmem.handoff import LATEST_FAILURE, format_latest_failure, latest_failure
from gitmem.model.event import Event
from gitmem.model.snapshot import Failure
from gitmem.redaction.masking import masker_of
from gitmem.results.classes import Evidence, failure_class, was_interrupted
from gitmem.results.command_line import command_line
from gitmem.results.outcome import NOTHING, Outcome
from gitmem.results.plain import plain_log, tail
from gitmem.results.reading import error_lines, names, read_output, with_report
from gitmem.running.process import STANDARD, Ended, Streams, run_command
from gitmem.running.spool import Spool
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.compacting_policy import compaction_policy
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.inputs import Inputs, changed_since, inputs_of
from gitmem.usecases.runs.reports import read_reports

TEST, BUILD, LINT = "test", "build", "lint"
_LONGEST_DETAIL = 12_000
_CLOCK_STEP = 2.0  # some file systems keep times to two seconds


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be run.

    Args:
        command: Program and arguments.
        kind: ``test``, ``build`` or ``lint``.
        retries: How often a failing command is tried again.
        run: The run, or the beginning of its id; the current one when None.
        session: Agent session.
        actor: Who runs it.
        reports: Test reports in JUnit XML that it writes.
        streams: Where its output goes.
    """

    command: tuple[str, ...]
    kind: str = TEST
    retries: int = 0
    run: str | None = None
    session: str | None = None
    actor: str = "test-runner"
    reports: tuple[str, ...] = ()
    streams: Streams = STANDARD


@dataclass(frozen=True, slots=True)
class Execution:
    """How it went.

    Args:
        exit_code: The command's.
        not_started: Why it could not be started; empty when it was.
        run: The run that it was recorded in; None when nothing was.
        events: What was recorded.
        notes: What else to say: why nothing was recorded, what could not be read.
    """

    exit_code: int
    not_started: str = ""
    run: str | None = None
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = field(default=())


class Try(NamedTuple):
    """One attempt.

    Args:
        ended: How it ended; a negative duration is none.
        log: What it printed, plain.
        outcome: What that and its reports say.
        is_exit_told: Whether the exit code is the command's own; else what it printed tells how it went.
    """

    ended: Ended
    log: bytes
    outcome: Outcome = NOTHING
    is_exit_told: bool = True


class _Before(NamedTuple):
    run: str | None
    inputs: Inputs | None
    note: str = ""


def execute(order: Order) -> Execution:
    """Run a command and record it in the current run; never raises for anything but a bug."""
    before = _look(order)
    notes = [before.note] if before.note else []
    tries = list(_tries(order, notes, keeps=before.run is not None))
    ended = tries[-1].ended
    if before.run is None:
        return Execution(ended.exit_code, ended.not_started, notes=tuple(notes))
    try:
        with RunLedger.open() as ledger:
            recorder = Recorder(ledger, ledger.run(before.run), order, before.inputs)
            events = tuple(recorder.record(tries))
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the command's own exit status must come through
        notes.append(f"nothing was recorded: {reason_of(error)}")
        return Execution(ended.exit_code, ended.not_started, notes=tuple(notes))
    return Execution(ended.exit_code, ended.not_started, before.run, events, tuple(notes))


def reason_of(error: BaseException) -> str:
    """Why something could not be recorded, in one line; what is none of the expected failures is named as a bug."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    said = " ".join(str(error).split())
    if isinstance(error, (GitmemError, OSError)):
        return said
    return f"this is a bug in gitmem: {type(error).__name__}: {said}"


@contextmanager
def _quick_ledger() -> Iterator[RunLedger]:
    """The ledger through the git program alone, which is there sooner; for looking."""
    repository = open_repository(prefer="program")
    with RunLedger(repository) as ledger:
        yield ledger


def _look(order: Order) -> _Before:
    """Which run, and what it is run on. Nothing of ours is left running while the command runs."""
    try:
        with _quick_ledger() as ledger:
            run = find_run(ledger, order.run)
            return _Before(run.id, inputs_of(ledger.repository))
    except Exception as error:  # noqa: BLE001 - the command runs, whatever is wrong with the ledger
        return _Before(None, None, f"nothing is recorded: {reason_of(error)}")


def _tries(order: Order, notes: list[str], *, keeps: bool) -> Iterator[Try]:
    for number in range(order.retries + 1):
        began = time.time()
        with Spool() as spool:
            ended = run_command(order.command, keep=spool.write if keeps else _forget, streams=order.streams)
            log = plain_log(spool.content()) if keeps else b""
            if spool.failed and keeps:
                notes.append(f"the log is not whole: {spool.failed}")
        outcome = _outcome(order, log, began, notes) if keeps and order.kind == TEST else NOTHING
        yield Try(ended, log, outcome)
        is_last = number == order.retries
        if (
            ended.exit_code == 0
            or ended.not_started
            or is_last
            or ended.signal
            or _was_interrupted(ended, log)
        ):
            return


def _forget(_data: bytes) -> None:
    return


def _was_interrupted(ended: Ended, log: bytes) -> bool:
    return was_interrupted(ended.exit_code, log.decode("utf-8", "replace"), was_stopped=ended.was_stopped)


def _outcome(order: Order, log: bytes, began: float, notes: list[str]) -> Outcome:
    printed = read_output(log.decode("utf-8", "replace"))
    report, problems = read_reports(
        order.command, order.reports, since=began - _CLOCK_STEP, folder=Path.cwd()
    )
    notes.extend(problems)
    return with_report(printed, report)


class Recorder:
    """Turns attempts into events of a run."""

    def __init__(self, ledger: RunLedger, run: Run, order: Order, inputs: Inputs | None) -> None:
        self._ledger = ledger
        self._run = run
        self._order = order
        self._inputs = inputs
        self._policy = compaction_policy(ledger.repository).policy
        self._events = run.events()

    def record(self, tries: Sequence[Try]) -> Iterator[Event]:
        """Append what some attempts come to; yields each event."""
        last = tries[-1]
        number = self._next_number()
        passed = last.ended.exit_code == 0
        if passed and len(tries) > 1:
            yield self._failed(tries[0], number, attempts=1, retried=True)
            number += 1
        if _was_interrupted(last.ended, last.log):
            yield self._interrupted(last, number, attempts=len(tries))
        elif passed:
            yield self._passed(last, number, attempts=len(tries))
        else:
            yield self._failed(last, number, attempts=len(tries), retried=False)

    def _next_number(self) -> int:
        prefix = f"{self._order.kind}-"
        saved = {name.rpartition("/")[2] for event in self._events for name in event.artifacts}
        used = [
            int(middle)
            for name in saved
            if name.startswith(prefix) and (middle := name[len(prefix) : -len(".log")]).isdecimal()
        ]
        return 1 + max(used, default=0)

    def _passed(self, one: Try, number: int, *, attempts: int) -> Event:
        clears = self._order.kind == TEST and self._run.file(LATEST_FAILURE) not in {None, b"null\n"}
        files = {LATEST_FAILURE: format_latest_failure(None)} if clears else {}
        payload = self._payload(one, number, attempts) | self._listed(one.outcome)
        return self._append("passed", payload, one, number, files)

    def _listed(self, outcome: Outcome) -> dict[str, Any]:
        return {"tests": list(outcome.passing)} if outcome.passing else {}

    def _interrupted(self, one: Try, number: int, *, attempts: int) -> Event:
        said = tail(one.log.decode("utf-8", "replace"), self._policy.max_log_tail_characters)
        payload = self._payload(one, number, attempts) | ({"log_tail": said} if said else {})
        return self._append("interrupted", payload, one, number, {})

    def _failed(self, one: Try, number: int, *, attempts: int, retried: bool) -> Event:
        # Before anything is cut from it: half a secret, which a tail may begin with, is told for none.
        text = masker_of(os.environ).mask(one.log.decode("utf-8", "replace")).text
        payload = self._payload(one, number, attempts)
        payload["failure_class"] = self._class(one, text, attempts=attempts, retried=retried)
        failing = one.outcome.failing
        if failing:
            payload["failing"] = names(failing)
            payload["reasons"] = _bounded({test.name: test.reason for test in failing if test.reason})
        elif errors := error_lines(text):
            payload["errors"] = list(errors)
        is_latest = self._order.kind == TEST and not retried
        files = {LATEST_FAILURE: self._latest(payload, text)} if is_latest else {}
        payload["log_tail"] = tail(text, self._policy.max_log_tail_characters)
        return self._append(
            "failed",
            {name: value for name, value in payload.items() if value not in ("", {})},
            one,
            number,
            files,
        )

    def _class(self, one: Try, text: str, *, attempts: int, retried: bool) -> str:
        inputs = self._inputs
        own = inputs.names() if inputs else frozenset()
        return failure_class(
            Evidence(
                one.ended.exit_code,
                one.outcome,
                text,
                signal=one.ended.signal,
                not_started=bool(one.ended.not_started),
                passed_on_retry=retried,
                changed=self._changed(),
                failures=attempts + self._failures_before(),
                is_own=own.__contains__,
            )
        )

    def _failures_before(self) -> int:
        """How often the same command failed since this kind of command last passed."""
        passed, failed = f"{self._order.kind}_passed", f"{self._order.kind}_failed"
        since = itertools.takewhile(lambda event: event.type != passed, reversed(self._events))
        command = command_line(self._order.command)
        return sum(event.type == failed and event.payload.get("command") == command for event in since)

    def _changed(self) -> frozenset[str] | None:
        """What changed since this kind of command last passed; before it ever did, since the run began.

        A command that never passed in this run and fails on untouched code is a fault that was there before, not a
        flaky test: nobody knows what changed.
        """
        if self._inputs is None:
            return None
        kind = f"{self._order.kind}_passed"
        passed = next((event for event in reversed(self._events) if event.type == kind and event.code), None)
        then = passed or next((event for event in self._events if event.code), None)
        changed = changed_since(self._ledger.repository, self._inputs, then) if then else None
        return changed if passed or changed else None

    def _payload(self, one: Try, number: int, attempts: int) -> dict[str, Any]:
        payload: dict[str, Any] = {"command": command_line(self._order.command)}
        if one.is_exit_told:
            payload["exit_code"] = one.ended.exit_code
        if one.ended.duration_s >= 0:
            payload["duration_s"] = round(one.ended.duration_s, 3)
        if one.log:
            payload["artifact"] = self._log_name(number)
        if attempts > 1:
            payload["attempts"] = attempts
        if one.outcome.tool:
            payload |= {"tool": one.outcome.tool, "counts": dict(one.outcome.counts)}
        return payload | (self._inputs.payload() if self._inputs else {})

    def _log_name(self, number: int) -> str:
        return f"{self._order.kind}-{number}.log"

    def _latest(self, payload: Mapping[str, Any], text: str) -> bytes:
        failure = Failure(
            "test_failed",
            0,
            artifact=payload.get("artifact"),
            command=payload["command"],
            exit_code=payload.get("exit_code"),
            failure_class=payload["failure_class"],
            failing=tuple(payload.get("failing", ())),
        )
        code = self._inputs.code if self._inputs else None
        record = latest_failure(failure, run=self._run.id, log=text, code=code, policy=self._policy)
        told = {name: payload[name] for name in ("counts", "reasons", "attempts") if payload.get(name)}
        return format_latest_failure({**(record or {}), **told})

    def _append(
        self, how: str, payload: Mapping[str, Any], one: Try, number: int, files: Mapping[str, bytes]
    ) -> Event:
        return self._run.append(
            event_type=f"{self._order.kind}_{how}",
            actor=self._order.actor,
            payload=payload,
            session=self._order.session,
            code=self._inputs.code if self._inputs else None,
            artifacts={self._log_name(number): one.log} if one.log else {},
            files=files,
        )


def _bounded(reasons: Mapping[str, str]) -> dict[str, str]:
    """As many reasons as fit beside the rest of an event."""
    kept: dict[str, str] = {}
    left = _LONGEST_DETAIL
    for name, reason in reasons.items():
        left -= len(name) + len(reason)
        if left < 0:
            break
        kept[name] = reason
    return kept
