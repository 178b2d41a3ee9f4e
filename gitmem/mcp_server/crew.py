"""Threads that work on calls, so that one that hangs answers an error and the server lives on.

A thread cannot be ended from outside. One whose call is over its time is left to itself: it takes no other call, ends
its git children, which have a deadline of their own, and its place is free again when it is done.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, Final, TypeVar

import anyio

from gitmem.errors import NotServedError
from gitmem.mcp_server.desk import Desk

Result = TypeVar("Result")
Job = Callable[[Desk], Result]

SECONDS: Final = 5.0
MOST_THREADS: Final = 4
_LAST_SECONDS = 1.5
"""What a host gives a server to end in, and a little less."""
_GIT_SHARE = 0.9
"""Of the time, what git gets: its children are gone before the call is given up."""


class Crew:
    """A few threads, each with a desk of its own.

    Args:
        make: Makes a desk, in the thread that it is for.
        seconds: How long a call may take, waiting for a free thread included.
        most: How many threads there may be, those that hang included.
    """

    def __init__(
        self, make: Callable[[], Desk], *, seconds: float = SECONDS, most: int = MOST_THREADS
    ) -> None:
        self._make = make
        self._seconds = seconds
        self._places = anyio.Semaphore(most)
        self._idle: list[_Worker] = []
        self._open: set[Future[Any]] = set()

    async def do(self, job: Job[Result], client: str = "") -> Result:
        """Work on a call.

        Args:
            job: What to do.
            client: What the agent's program calls itself.

        Raises:
            NotServedError: It took too long, or all threads hang.
            Exception: What the job raised.
        """
        try:
            with anyio.fail_after(self._seconds):
                await self._places.acquire()
                return await self._done(self._worker(), job, client)
        except TimeoutError:
            raise NotServedError(
                f"no answer within {self._seconds:g} seconds",
                hint="look whether it was recorded before you try again: gitmem run log, gitmem doctor",
            ) from None

    async def _done(self, worker: _Worker, job: Job[Result], client: str) -> Result:
        future = self._begun(worker.take(job, self._seconds * _GIT_SHARE, client))
        try:
            result = await asyncio.wrap_future(future)
        except BaseException:
            if not future.done() or future.cancelled():
                worker.leave(self._places.release)  # over its time, or the caller cancelled it
                raise
            self._free(worker)
            raise
        self._free(worker)
        return result

    def aside(
        self,
        job: Job[object],
        client: str = "",
        *,
        to_its_end: bool = False,
        seconds: float | None = None,
    ) -> None:
        """Do something that nobody waits for; where no thread is free it is left out, and a failure is passed over.

        Args:
            job: What to do.
            client: As for `do`.
            to_its_end: Whether closing waits for it.
            seconds: How long git may take for it; as for a call when None.
        """
        if not self._places.value:
            return
        self._places.acquire_nowait()
        worker = self._worker()
        future = worker.take(job, seconds or self._seconds * _GIT_SHARE, client)
        if to_its_end:
            self._begun(future)
        future.add_done_callback(lambda done: worker.call_in_loop(lambda: self._end_aside(worker, done)))

    def _begun(self, future: Future[Result]) -> Future[Result]:
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        return future

    def _worker(self) -> _Worker:
        return self._idle.pop() if self._idle else _Worker(self._make, asyncio.get_running_loop())

    def _end_aside(self, worker: _Worker, done: Future[object]) -> None:
        done.exception()
        self._free(worker)

    def _free(self, worker: _Worker) -> None:
        self._idle.append(worker)
        self._places.release()

    def close(self) -> None:
        """Let what was begun come to its end, but not for long; what hangs ends with the process."""
        wait(set(self._open), timeout=_LAST_SECONDS)
        while self._idle:
            self._idle.pop().leave(lambda: None)


class _Worker:
    def __init__(self, make: Callable[[], Desk], loop: asyncio.AbstractEventLoop) -> None:
        self._make = make
        self._loop = loop
        self._jobs: queue.SimpleQueue[tuple[Job[object], float, str, Future[object]] | None] = (
            queue.SimpleQueue()
        )
        self._at_end: Callable[[], object] = lambda: None
        threading.Thread(target=self._run, name="gitmem-mcp", daemon=True).start()

    def take(self, job: Job[Result], seconds: float, client: str) -> Future[Result]:
        future: Future[Result] = Future()
        self._jobs.put((job, seconds, client, future))  # type: ignore[arg-type]  # a queue of jobs of any result
        return future

    def leave(self, at_end: Callable[[], object]) -> None:
        """Take no further job, and tell when the thread has ended."""
        self._at_end = at_end
        self._jobs.put(None)

    def call_in_loop(self, told: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(told)
        except RuntimeError:  # the server has ended meanwhile
            return

    def _run(self) -> None:
        desk: Desk | None = None
        while (taken := self._jobs.get()) is not None:
            job, seconds, client, future = taken
            if not future.set_running_or_notify_cancel():
                continue
            try:
                desk = desk or self._make()
                desk.begin(seconds, client)
                future.set_result(job(desk))
            except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for the answer
                if desk is not None:
                    desk.reset()
                future.set_exception(error)
        if desk is not None:
            desk.__exit__(None, None, None)
        self.call_in_loop(self._at_end)
