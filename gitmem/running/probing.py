"""Running a command that nobody watches and that may misbehave: bounded in time and output, ended with all it started.

`gitmem.running.warden` stands between, so that a command which kills its parent does not reach this process. Input is
empty; both outputs come in one stream. This is no sandbox: the command has the rights of the user who asked for it.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Self

MOST_OUTPUT = 64 * 1024 * 1024
"""A command that prints more is stopped: nobody reads that, and it may print for ever."""
_CHUNK = 64 * 1024
_PATIENCE = 5.0
"""Seconds within which the warden must be done once it was asked to stop."""
_GLANCE = 0.5
"""Seconds after which the warden is looked after again."""
_WARDEN = Path(__file__).with_name("warden.py")


class Ending(StrEnum):
    """How it came to an end."""

    ENDED = "ended"
    LATE = "late"
    FLOODED = "flooded"
    LOST = "lost"
    NOT_STARTED = "not_started"


class ProbeEnd(NamedTuple):
    """How a probe ended.

    Args:
        ending: By itself, at the time limit, for too much output, because what watched it was killed, or it never began.
        exit_code: As a shell tells it; None when it did not end by itself.
        duration_s: Seconds.
        signal: The signal that ended it; None for an exit.
        left: Processes that it left behind, which were ended.
        why: Why it could not be started.
    """

    ending: Ending
    exit_code: int | None
    duration_s: float
    signal: int | None = None
    left: int = 0
    why: str = ""


@contextmanager
def stop_signals_interrupt() -> Iterator[None]:
    """Let a request to terminate or a hang-up raise KeyboardInterrupt meanwhile, so that what was begun is cleaned up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    wanted = [signal.SIGTERM, signal.SIGHUP]
    saved = {one: signal.getsignal(one) for one in wanted if signal.getsignal(one) is not signal.SIG_IGN}
    for number in saved:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in saved.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def run_probe(
    command: Sequence[str],
    *,
    folder: Path,
    env: Mapping[str, str],
    limit: float,
    keep: Callable[[bytes], None],
    most_output: int = MOST_OUTPUT,
) -> ProbeEnd:
    """Run a command to its end, or to a limit; nothing that it started outlives this call where that can be known.

    Args:
        command: Program and arguments.
        folder: Where it runs.
        env: Its whole environment.
        limit: Seconds that it may take.
        keep: Given every piece of output as it comes.
        most_output: Bytes after which it is stopped.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        watch = stack.enter_context(_Watch(command, folder, env, limit))
        flooded = watch.carry(keep, most_output)
        end = watch.end(time.monotonic() - began)
    return end._replace(ending=Ending.FLOODED, exit_code=None, signal=None) if flooded else end


class _Watch:
    """The warden with its descriptors. Leaving it ends the command."""

    def __init__(self, command: Sequence[str], folder: Path, env: Mapping[str, str], limit: float) -> None:
        far: list[int] = []
        near: list[int] = []
        for reads in (False, True, True):
            read, write = os.pipe()
            far.append(write if reads else read)
            near.append(read if reads else write)
        self._lifeline, self._report, self._output = near
        lifeline, report, output = far
        words = [str(limit), str(lifeline), str(report), *command]
        try:
            self._warden = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_WARDEN), *(os.fsencode(word) for word in words)],
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(lifeline, report),
                start_new_session=True,  # an interrupt at the terminal is ours to hand on
            )
        except BaseException:
            self._close(near)
            raise
        finally:
            self._close(far)
        self._open = set(near)
        self._told = b""
        self._glanced = time.monotonic()
        self._overdue = self._glanced + limit + _PATIENCE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._wake()
        try:
            with suppress(subprocess.TimeoutExpired):
                self._warden.wait(_PATIENCE)
        finally:
            self._kill()
            self._end_group()
            self._close(tuple(self._open))

    def carry(self, keep: Callable[[bytes], None], most: int) -> bool:
        """Carry the output until the warden is done; whether it was too much."""
        size = 0
        os.set_blocking(self._output, False)
        while self._report in self._open:
            interests = [one for one in (self._report, self._output) if one in self._open]
            ready, _, _ = select.select(interests, [], [], _GLANCE)
            self._look_after()
            if self._report in ready and not self._listen():
                self._shut(self._report)
            if self._output in ready and (data := self._read()):
                if size < most:
                    keep(data)
                size += len(data)
                if size >= most:  # and what comes until it has ended is read and left
                    self.stop()
        while self._output in self._open and size < most and (data := self._read()):
            keep(data)
            size += len(data)
        return size >= most

    def end(self, duration: float) -> ProbeEnd:
        lines = [line.split() for line in self._told.decode("ascii", "replace").splitlines()]
        word, *numbers = lines[-1] if lines else ["lost"]
        if word == "failed":
            number = int(numbers[0])
            return ProbeEnd(Ending.NOT_STARTED, None, duration, why=os.strerror(number))
        if word not in {"ended", "late", "stopped"}:
            return ProbeEnd(Ending.LOST, None, duration)
        status, left = (int(number) for number in numbers)
        if word != "ended":
            return ProbeEnd(Ending.LATE if word == "late" else Ending.LOST, None, duration, left=left)
        if status < 0:
            return ProbeEnd(Ending.ENDED, 128 - status, duration, -status, left)
        return ProbeEnd(Ending.ENDED, status, duration, left=left)

    def stop(self) -> None:
        """Let go of the lifeline: the warden ends the command."""
        self._shut(self._lifeline)

    def _look_after(self) -> None:
        """A command that stops its warden must not hold this process up: wake it, and at last end it."""
        now = time.monotonic()
        if now > self._overdue:
            self._kill()
        elif now > self._glanced + _GLANCE:
            self._glanced = now
            self._wake()

    def _wake(self) -> None:
        if self._warden.poll() is None:
            self._warden.send_signal(signal.SIGCONT)

    def _kill(self) -> None:
        if self._warden.poll() is None:
            self._warden.kill()
            self._warden.wait()

    def _listen(self) -> bool:
        data = os.read(self._report, 4096)
        self._told += data
        return bool(data)

    def _read(self) -> bytes:
        """Some output; empty when there is none now, or none will come."""
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return b""
        if not data:
            self._shut(self._output)
        return data

    def _end_group(self) -> None:
        """When the warden was killed, nobody else ends the command's group."""
        lines = self._told.splitlines()
        if len(lines) == 1 and lines[0].startswith(b"began "):
            with suppress(OSError, ValueError):
                os.killpg(int(lines[0].split()[1]), signal.SIGKILL)

    def _shut(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._open.discard(descriptor)
            os.close(descriptor)

    @staticmethod
    def _close(descriptors: Sequence[int]) -> None:
        for descriptor in descriptors:
            os.close(descriptor)
