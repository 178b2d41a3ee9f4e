"""The class of a failure (domain rules, section "Candidates and the promotion gate"), which decides what may be learned.

In this order, the first that fits:

1. The command was not found or could not be executed (127, 126): ``environment_blocker``.
2. A signal ended it, or it ran out of time or memory (124 of timeout, over 128, "heap out of memory"): ``harness_blocker``.
3. It passed when it was tried again: ``flaky_blocker``.
4. Tests failed, and each one's own reason is an exception that the machine causes, such as a missing module that is none
   of the project's, a refused connection, a full disk (`gitmem.results.environment`): ``environment_blocker``. An assertion
   never is, whatever its text says, nor is a test whose reason is not told.
5. No test failed by name, and the end of the output shows such a sign: ``environment_blocker``.
6. The tool itself failed: its own code, usage or configuration, nothing collected (pytest INTERNALERROR, 3, 4, 5; jest's
   validation): ``harness_blocker``. So does a pytest worker that crashed.
7. Every failing test whose file is known lies in a test file that is new or changed since the last pass:
   ``verification_failure``. Where no file is known: test files are what changed, and no code.
8. Code changed since the last pass, or nobody knows what did, as of what never passed: ``agent_failure``.
9. Nothing changed since it passed: ``flaky_blocker``; failing every time it was tried, which no flaky test does, it is
   what lies around the code that changed: ``environment_blocker``.

Of a build or a linter, which have no tests, 1, 2, 3, 5, 8 and 9 count. What somebody interrupted is no result and has no
class (`was_interrupted`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from gitmem.results.environment import sign_in, sign_in_reason
from gitmem.results.outcome import NOTHING, FailingTest, Outcome

ENVIRONMENT = "environment_blocker"
FLAKY = "flaky_blocker"
HARNESS = "harness_blocker"
VERIFICATION = "verification_failure"
AGENT = "agent_failure"

_NOT_STARTED = frozenset({126, 127})
_TIMED_OUT = 124
_INTERRUPTED = frozenset({129, 130, 131, 141, 143})  # SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM
_KEYBOARD = re.compile(r"^!{3,} KeyboardInterrupt !{3,}$|^signal: interrupt$", re.MULTILINE)
_LAST_WORDS = 4_000
_PYTEST_CRASHES = frozenset({3, 4, 5})
_OUT_OF_MEMORY = re.compile(
    r"JavaScript heap out of memory|^MemoryError$|fatal error: runtime: out of memory", re.MULTILINE
)
_WORKER = re.compile(r"worker 'gw\d+' crashed while running|node down: Not properly terminated")
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs", "e2e", "testing"})
_TEST_NAME = re.compile(
    r"(?:^test_.+\.py|.+_test\.(?:py|go|rs|rb|dart|cc|cpp)|conftest\.py|.+\.(?:test|spec|cy)\.[cm]?[jt]sx?"
    r"|.+(?:Tests?|Spec|IT)\.(?:java|kt|swift|cs|scala|php|groovy)|.+_spec\.rb|.+\.bats|tests\.rs)$"
)
_NO_CODE = frozenset({".md", ".rst", ".txt", ".adoc", ".log", ".png", ".jpg", ".svg", ".gif"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a failed command leaves to judge by.

    Args:
        exit_code: As a shell tells it.
        outcome: What it reported.
        text: Its output, plain.
        signal: What ended it.
        not_started: Whether it could not be started at all.
        passed_on_retry: Whether it passed when it was tried again.
        changed: Paths that are new or changed since the last pass; None when nobody knows.
        failures: How often it failed since the last pass, this time included.
        is_own: Whether a module's first name is one of the project's own.
    """

    exit_code: int
    outcome: Outcome = NOTHING
    text: str = ""
    signal: int | None = None
    not_started: bool = False
    passed_on_retry: bool = False
    changed: frozenset[str] | None = None
    failures: int = 1
    is_own: Callable[[str], bool] = lambda _: False


def failure_class(evidence: Evidence) -> str:
    """The class of a failure; the rules stand at the top of this module."""
    if evidence.not_started or (evidence.exit_code in _NOT_STARTED and not evidence.outcome.failing):
        return ENVIRONMENT
    if _was_ended(evidence):
        return HARNESS
    if evidence.passed_on_retry:
        return FLAKY
    if _is_environment(evidence):
        return ENVIRONMENT
    if _tool_failed(evidence):
        return HARNESS
    found = _by_changes(evidence.outcome.failing, evidence.changed)
    return ENVIRONMENT if found == FLAKY and evidence.failures > 1 else found


def was_interrupted(exit_code: int, text: str, *, was_stopped: bool) -> bool:
    """Whether a command ended because somebody stopped it or nobody read on, which says nothing of the code.

    Args:
        exit_code: As a shell tells it.
        text: Its output, plain.
        was_stopped: Whether a signal asked it to end.
    """
    if exit_code == 0:
        return False
    return was_stopped or exit_code in _INTERRUPTED or _KEYBOARD.search(text[-_LAST_WORDS:]) is not None


def _was_ended(evidence: Evidence) -> bool:
    ended = evidence.signal is not None or evidence.exit_code > 128 or evidence.exit_code == _TIMED_OUT
    return (ended and evidence.exit_code < 255) or _OUT_OF_MEMORY.search(evidence.text) is not None


def _is_environment(evidence: Evidence) -> bool:
    failing = evidence.outcome.failing
    if failing:
        return all(sign_in_reason(one.reason, evidence.is_own) for one in failing)
    return sign_in(evidence.text, evidence.is_own) is not None


def _tool_failed(evidence: Evidence) -> bool:
    outcome = evidence.outcome
    if outcome.failing:
        return all(_WORKER.search(one.reason) for one in outcome.failing) or outcome.crash.startswith(
            "panic:"
        )
    return bool(outcome.crash) or (outcome.tool == "pytest" and evidence.exit_code in _PYTEST_CRASHES)


def _by_changes(failing: tuple[FailingTest, ...], changed: frozenset[str] | None) -> str:
    if changed is None:
        return AGENT
    code = any(is_code(path) and not is_test_file(path) for path in changed)
    tests = frozenset(path for path in changed if is_test_file(path))
    known = [one for one in failing if one.file and is_test_file(one.file)]
    told = all(_is_among(one.file, changed) for one in known) if known else bool(tests) and not code
    if told:
        return VERIFICATION
    return AGENT if code or tests else FLAKY


def _is_among(file: str, changed: frozenset[str]) -> bool:
    """Whether a file as a tool names it, from whatever folder, is one of some paths."""
    name = file.replace("\\", "/").removeprefix("./")
    return any(path == name or path.endswith(f"/{name}") or name.endswith(f"/{path}") for path in changed)


def is_test_file(path: str) -> bool:
    """Whether a path is a test's by the conventions of the common languages."""
    *folders, name = path.split("/")
    return _TEST_NAME.fullmatch(name) is not None or not _TEST_FOLDERS.isdisjoint(
        folder.lower() for folder in folders
    )


def is_code(path: str) -> bool:
    """Whether a change of a path can make a test fail: everything but prose, pictures and what gitmem keeps."""
    return PurePosixPath(path).suffix.lower() not in _NO_CODE and not path.startswith(".ai/")
