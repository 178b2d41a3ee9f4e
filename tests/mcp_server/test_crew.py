"""Threads that work on calls: one that hangs costs its own call, and no more."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import anyio
import pytest

from gitmem.errors import NotServedError, UsageError
from gitmem.git.discovery import discover
from gitmem.mcp_server.crew import Crew
from gitmem.mcp_server.desk import Desk
from tests.support.repo import Repo

pytestmark = pytest.mark.anyio
SHORT = 0.05
LONG = 30


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Holds a job until the test is over."""
    with ExitStack() as stack:
        event = threading.Event()
        stack.callback(event.set)
        yield event


def crew(repo: Repo, *, seconds: float = LONG, most: int = 2) -> Crew:
    layout = discover(repo.path)
    return Crew(lambda: Desk(layout, {}), seconds=seconds, most=most)


async def test_a_call_that_hangs_is_given_up_and_the_next_one_is_answered(
    repo: Repo, gate: threading.Event
) -> None:
    made = crew(repo, seconds=SHORT)
    with pytest.raises(NotServedError, match=r"no answer within 0\.05 seconds"):
        await made.do(lambda _: gate.wait())
    assert await _patient(made).do(lambda _: 7) == 7
    gate.set()
    made.close()


async def test_where_all_threads_hang_a_call_answers_an_error_until_one_is_free(
    repo: Repo, gate: threading.Event
) -> None:
    made = crew(repo, seconds=SHORT)
    for _ in range(3):
        with pytest.raises(NotServedError):
            await made.do(lambda _: gate.wait())
    gate.set()
    assert await _patient(made).do(lambda _: 7) == 7
    made.close()


async def test_a_cancelled_call_leaves_its_thread_alone_and_the_next_one_is_answered(
    repo: Repo, gate: threading.Event
) -> None:
    made, begun = crew(repo, most=1), threading.Event()

    def job(_: Desk) -> None:
        begun.set()
        gate.wait()

    async with anyio.create_task_group() as group:
        group.start_soon(made.do, job)
        await anyio.to_thread.run_sync(begun.wait)
        group.cancel_scope.cancel()
    gate.set()
    assert await made.do(lambda _: 7) == 7
    made.close()


async def test_two_calls_are_worked_on_at_once(repo: Repo) -> None:
    made, meeting = crew(repo), threading.Barrier(2)
    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(made.do, lambda _: meeting.wait(LONG))
    assert not meeting.broken
    made.close()


async def test_what_a_job_raises_reaches_the_caller_and_the_thread_goes_on(repo: Repo) -> None:
    made = crew(repo, most=1)

    def fail(_: Desk) -> None:
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        await made.do(fail)
    assert await made.do(lambda desk: desk.repository.head()) is None
    made.close()


async def test_what_is_done_aside_is_done_before_the_thread_takes_another_call(repo: Repo) -> None:
    made, done = crew(repo, most=1), []
    made.aside(lambda _: done.append(1))
    made.aside(lambda _: done.append(2))  # no thread is free: left out
    assert await made.do(lambda _: list(done)) == [1]
    made.close()


async def test_closing_waits_for_what_was_told_to_come_to_its_end(repo: Repo) -> None:
    made, begun, done = crew(repo), threading.Event(), []

    def record(_: Desk) -> None:
        begun.wait()
        done.append(1)

    made.aside(record, to_its_end=True)
    begun.set()
    made.close()
    assert done == [1]


async def test_what_is_done_aside_may_have_more_time_than_a_call(repo: Repo) -> None:
    made, given = crew(repo, seconds=LONG, most=1), []

    def note(desk: Desk) -> None:
        given.append((desk.repository._runner.deadline or 0) - time.monotonic())

    made.aside(note)
    await made.do(note)
    made.aside(note, seconds=100 * LONG)
    await made.do(note)
    made.close()
    assert [one > LONG for one in given] == [False, False, True, False]


async def test_a_failure_aside_is_passed_over(repo: Repo) -> None:
    made = crew(repo, most=1)
    made.aside(lambda _: 1 // 0)
    assert await made.do(lambda _: 7) == 7
    made.close()
    gc.collect()


def _patient(made: Crew) -> Crew:
    made._seconds = LONG
    return made
