"""What makes two failures the same, and which come back in several runs."""

from __future__ import annotations

import pytest

from gitmem.model.event import Event
from gitmem.recurrence import MOST_TESTS, RunFailure, failures_of, recurring, signature


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest -q tests/a.py", "pytest  -q   tests/a.py"),
        ("/home/ada/x/.venv/bin/pytest -q", "/Users/bob/pytest -q"),
        ("python3.11 -m pytest", "python3.12 -m pytest"),
        ("make check-1f2e3d4c5b6a7980", "make check-0a1b2c3d4e5f6071"),
        ("sleep 10", "sleep 200"),
        ("C:\\work\\run.bat", "D:\\other\\run.bat"),
        ("~/bin/check", "/opt/check"),
    ],
)
def test_what_differs_between_machines_and_times_does_not_count(one: str, other: str) -> None:
    assert signature(one, ["a::b"], None) == signature(other, ["a::b"], None) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("pytest", ["a::b"], None), ("pytest", ["a::c"], None)),
        (("pytest", ["a::b"], "agent_failure"), ("pytest", ["a::b"], "flaky_blocker")),
        (("pytest", [], None), ("cargo test", [], None)),
        (("pytest tests/결제.py", [], None), ("pytest tests/주문.py", [], None)),
        (("pytest ./a/test.py", [], None), ("pytest ./b/test.py", [], None)),
    ],
)
def test_what_ran_and_what_failed_counts(one: tuple, other: tuple) -> None:  # type: ignore[type-arg]  # arguments
    assert signature(*one) != signature(*other)


def test_the_order_of_failing_tests_does_not_count_and_many_are_summed_up() -> None:
    assert signature("x", ["b", "a"], None) == signature("x", ["a", "b"], None) == "x | a, b"
    names = [f"test_{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert signature(None, names, None).endswith(f"and {26 - MOST_TESTS} more")


def test_hostile_text_takes_no_time() -> None:
    for text in ("/" * 100_000, "/a" * 50_000, "a" * 100_000, "0" * 100_000, "~" * 100_000):
        signature(text, [text], None)


def failed(run: str, seq: int, *, of: str | None = None, **payload: object) -> Event:
    return Event(
        "c" * 40,
        seq,
        "w",
        f"{run}-{seq}",
        of or run,
        "test_failed",
        f"2026-07-{seq:02d}T00:00:00Z",
        "x",
        payload,
    )


def failures(*events: Event) -> list[RunFailure]:
    return [failure for event in events for failure in failures_of(event.run, [event])]


def test_a_failure_that_comes_back_is_told_with_its_runs_and_the_newest() -> None:
    events = (
        failed("run-a", 1, command="pytest"),
        failed("run-b", 3, command="pytest"),
        failed("run-a", 2, command="pytest"),
    )
    (one,) = recurring(failures(*events))
    assert (one.signature, one.count, one.runs, one.last_at) == (
        "pytest",
        3,
        ("run-a", "run-b"),
        events[1].at,
    )
    assert (one.example.run, one.example.seq) == ("run-b", 3)


def test_a_failure_of_one_run_does_not_recur_across_runs() -> None:
    assert recurring(failures(failed("run-a", 1, command="x"), failed("run-a", 2, command="x"))) == []


def test_a_fork_does_not_count_what_happened_before_it_again() -> None:
    assert failures_of("run-fork", [failed("run-fork", 1, of="run-a", command="x")]) == []


def test_a_failure_that_says_nothing_is_like_no_other() -> None:
    assert failures_of("run-a", [failed("run-a", 1), failed("run-a", 2, command=7, failing="")]) == []
