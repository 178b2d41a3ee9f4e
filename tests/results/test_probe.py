"""What the run of a probe says: passed, failed, or unknown because it could not run."""

from __future__ import annotations

import pytest

from gitmem.results.probe import ProbeOutcome, probe_result
from gitmem.running.probing import Ending, ProbeEnd


def judged(exit_code: int, log: str = "", command: str = "make test", signal: int | None = None) -> str:
    end = ProbeEnd(Ending.ENDED, exit_code, 1.0, signal)
    return probe_result(end, command, log, limit=300, is_own={"shop"}.__contains__).outcome


@pytest.mark.parametrize(
    ("exit_code", "log"),
    [
        (0, ""),
        (0, "3 passed in 0.12s\n"),
        (0, "ok  \texample.org/shop\t0.004s\n"),
        (0, "ok  \ta/b\t0.01s\nok  \tx/y\t0.004s [no tests to run]\n"),
        (0, "building: sh: not found in cache, fetched\n"),
    ],
)
def test_exit_zero_passes(exit_code: int, log: str) -> None:
    assert judged(exit_code, log) == ProbeOutcome.PASSED


@pytest.mark.parametrize(
    ("exit_code", "log"),
    [
        (1, ""),
        (1, "FAILED tests/test_a.py::test_b - AssertionError: not found\n1 failed in 0.1s\n"),
        (1, "ModuleNotFoundError: No module named 'shop.checkout'\n"),  # its own: the code is not there yet
        (2, "grep: gateway/headers.go: No such file or directory\n"),
        (139, ""),  # segmentation fault
        (134, "Aborted\n"),
    ],
)
def test_what_the_code_does_wrong_fails(exit_code: int, log: str) -> None:
    assert judged(exit_code, log) == ProbeOutcome.FAILED


@pytest.mark.parametrize(
    ("exit_code", "log"),
    [
        (127, "sh: 1: xcodebuild: not found\n"),
        (126, "sh: 1: ./check: Permission denied\n"),
        (1, "sh: 1: jest: not found\nnpm ERR! code 1\n"),
        (1, "ModuleNotFoundError: No module named 'requests'\n"),
        (1, "sh: 1: 명령어를 찾을 수 없음\nnpm error code 127\n"),
        (4, "ERROR: file or directory not found: tests/test_new.py\n\nno tests ran in 0.00s\n"),
        (5, "no tests ran in 0.01s\n"),
        (0, "testing: warning: no tests to run\nPASS\nok  \tx/y\t0.004s [no tests to run]\n"),
        (
            0,
            "\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out\n",
        ),
        (137, ""),
        (143, ""),
        (124, ""),
    ],
)
def test_what_could_not_run_is_unknown(exit_code: int, log: str) -> None:
    assert judged(exit_code, log) == ProbeOutcome.UNKNOWN


@pytest.mark.parametrize("command", ["! rg -q legacy src", "rg -q legacy src || true", "rg x; true"])
def test_a_missing_command_whose_status_is_turned_is_unknown(command: str) -> None:
    assert judged(0, "sh: 1: rg: not found\n", command) == ProbeOutcome.UNKNOWN


@pytest.mark.parametrize(
    ("ending", "why", "reason"),
    [
        (Ending.LATE, "", "it did not end within 2.5 s"),
        (Ending.FLOODED, "", "it printed so much that it was stopped"),
        (Ending.LOST, "", "it killed what watched it"),
        (
            Ending.NOT_STARTED,
            "No such file or directory",
            "it could not be started: No such file or directory",
        ),
    ],
)
def test_no_end_of_its_own_is_unknown_and_says_why(ending: Ending, why: str, reason: str) -> None:
    result = probe_result(ProbeEnd(ending, None, 1.0, why=why), "x", "", limit=2.5)

    assert (result.outcome, result.reason) == (ProbeOutcome.UNKNOWN, reason)


def test_the_reason_of_a_failure_names_a_test_that_failed() -> None:
    log = "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed in 0.1s\n"

    result = probe_result(ProbeEnd(Ending.ENDED, 1, 1.0), "pytest", log, limit=1)

    assert result.reason == "exit 1: tests/test_a.py::test_b"
