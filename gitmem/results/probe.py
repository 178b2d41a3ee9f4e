"""What the run of a memory's probe says: passed, failed, or unknown because it could not really run.

Unknown is whatever says nothing of the code: the checkout or the command was not there (127, 126), the time limit, too
much output, a signal from outside, a tool or module of the machine that is missing, the test tool's own failure, nothing
collected (`gitmem.results.classes`). A crash of the program itself (segmentation fault, abort …) is a failure.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from gitmem.results.classes import ENVIRONMENT, HARNESS, Evidence, failure_class
from gitmem.results.environment import sign_in
from gitmem.results.outcome import Outcome
from gitmem.results.reading import read_output
from gitmem.running.probing import Ending, ProbeEnd


class ProbeOutcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class ProbeResult(NamedTuple):
    """An outcome with why, one clause; nothing to add when it just passed."""

    outcome: ProbeOutcome
    reason: str = ""


_CRASHES = frozenset({signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL})
_TURNED = re.compile(r"(?:^|[\s;&|(])!\s|\|\||;")
"""Shell words that can turn the status of a command that is not there into success."""
_GO_PACKAGE = re.compile(r"^ok  \t.*$", re.MULTILINE)
_NO_ENDS = {
    Ending.FLOODED: "it printed so much that it was stopped",
    Ending.LOST: "it killed what watched it",
}


def probe_result(
    end: ProbeEnd, command: str, log: str, *, limit: float, is_own: Callable[[str], bool] = lambda _: False
) -> ProbeResult:
    """Judge one run.

    Args:
        end: How it ended.
        command: As it was given to the shell.
        log: What it printed, plain.
        limit: Seconds that it was given.
        is_own: Whether a module's first name is one of the project's own.
    """
    if end.exit_code is None:
        return ProbeResult(ProbeOutcome.UNKNOWN, _why_not(end, limit))
    said = read_output(log)
    if end.exit_code == 0:
        return _passed(command, log, said)
    number = end.signal or (end.exit_code - 128 if 128 < end.exit_code < 160 else 0)
    if number in _CRASHES:
        return ProbeResult(ProbeOutcome.FAILED, f"it crashed: {signal.Signals(number).name}")
    if number:
        return ProbeResult(ProbeOutcome.UNKNOWN, f"signal {number} ended it")
    found = failure_class(Evidence(end.exit_code, said, log, is_own=is_own))
    if found in {ENVIRONMENT, HARNESS}:
        return ProbeResult(ProbeOutcome.UNKNOWN, _blocked(end.exit_code, log, said, is_own))
    failing = said.failing[0].name if said.failing else ""
    return ProbeResult(ProbeOutcome.FAILED, f"exit {end.exit_code}{f': {failing}' if failing else ''}")


def _why_not(end: ProbeEnd, limit: float) -> str:
    if end.ending is Ending.LATE:
        return f"it did not end within {limit:g} s"
    return _NO_ENDS.get(end.ending) or f"it could not be started: {end.why}"


def _passed(command: str, log: str, said: Outcome) -> ProbeResult:
    if _TURNED.search(command):
        sign = sign_in(log)
        if sign is not None and sign.what == "command":
            return ProbeResult(ProbeOutcome.UNKNOWN, f"a command in it was not found: {sign.line}")
    if _ran_nothing(said, log):
        return ProbeResult(ProbeOutcome.UNKNOWN, f"{said.tool} ran no test")
    return ProbeResult(ProbeOutcome.PASSED)


def _ran_nothing(said: Outcome, log: str) -> bool:
    """Whether a test tool says that it found nothing to run; go counts tests only when it lists them."""
    if said.tool == "go":
        packages = _GO_PACKAGE.findall(log)
        return bool(packages) and all("[no tests to run]" in line for line in packages)
    return bool(said.tool and said.counts) and not said.ran


def _blocked(exit_code: int, log: str, said: Outcome, is_own: Callable[[str], bool]) -> str:
    sign = sign_in(log, is_own)
    if sign is not None:
        return f"{sign.what} missing or refused: {sign.line}"
    if exit_code in {126, 127}:
        return "the command was not found" if exit_code == 127 else "the command could not be executed"
    if said.crash:
        return f"{said.tool or 'the tool'} itself failed: {said.crash}"
    return f"exit {exit_code}, and no test ran" if said.tool else f"exit {exit_code} says nothing of the code"
