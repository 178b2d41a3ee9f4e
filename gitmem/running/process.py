"""Running a command as if nobody stood between it and its caller.

Where stdout is a terminal the command gets one of its own (`gitmem.running.terminal`), else a pipe each for stdout and
stderr, so that they stay apart. Stdin is the command's own, but at a terminal, whose keys go through the pseudo-terminal.
Other open descriptors are inherited, as a shell lets them be.

Signals. With a pseudo-terminal the command leads a session: an interrupt goes to the group in the foreground of its
terminal, everything else to the command's group. Without any terminal it leads a process group, which gets all signals.
At a terminal with stdout elsewhere (``… | tee log``) it stays in this process's group, as in a pipeline of a shell: the
terminal itself reaches both, and this process hands on what was sent to it alone, but no interrupt, which would arrive
twice.

The exit status is the shell's: the command's own, 128 and the signal that ended it, 127 when it was not found, 126 when
it could not be executed. A script without a ``#!`` line is given to ``/bin/sh``, as shells do.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple, Self

from gitmem.running.forwarding import HANDED_ON, Forwarding, Receiver
from gitmem.running.pumping import Pump, Route
from gitmem.running.terminal import Terminal, has_controlling_terminal, take_as_controlling

NOT_FOUND, NOT_EXECUTABLE = 127, 126


class Ended(NamedTuple):
    """How a command ended.

    Args:
        exit_code: As a shell tells it.
        duration_s: Seconds.
        signal: The signal that ended it.
        not_started: Why it could not be started; empty when it was.
        was_stopped: Whether somebody asked it to end by a signal to this process.
    """

    exit_code: int
    duration_s: float
    signal: int | None = None
    not_started: str = ""
    was_stopped: bool = False


class Streams(NamedTuple):
    """Descriptors of this process."""

    stdin: int = 0
    stdout: int = 1
    stderr: int = 2


STANDARD = Streams()


def run_command(
    command: Sequence[str],
    *,
    keep: Callable[[bytes], None],
    env: Mapping[str, str] | None = None,
    streams: Streams = STANDARD,
) -> Ended:
    """Run a command to its end, passing streams and signals through.

    Args:
        command: Program and arguments.
        keep: Given every piece of output as it comes.
        env: Its environment; this process's when None.
        streams: Where its output goes and its input comes from.
    """
    began = time.monotonic()
    with ExitStack() as stack:
        forwarding = stack.enter_context(Forwarding())
        connection = stack.enter_context(_Connection(streams))
        try:
            child = connection.start(command, env)
        except OSError as error:
            code = NOT_FOUND if error.errno in {errno.ENOENT, errno.ENOTDIR} else NOT_EXECUTABLE
            return Ended(code, time.monotonic() - began, not_started=error.strerror or str(error))
        forwarding.hand_to(connection.receiver(child))
        pump = Pump(
            connection.routes,
            keep=keep,
            ended=lambda: child.poll() is not None,
            wake=forwarding.wake,
            clear=forwarding.clear,
            terminal=connection.terminal,
        )
        stack.callback(pump.close)
        connection.routes = ()
        pump.run(on_end=forwarding.stop)
        status = child.returncode
        was_stopped = forwarding.was_stopped
    number = -status if status < 0 else None
    return Ended(
        128 + number if number else status,
        time.monotonic() - began,
        signal=number,
        was_stopped=was_stopped,
    )


class _Connection:
    """The descriptors between this process and a command; what is not handed to a pump is closed in the end."""

    def __init__(self, streams: Streams) -> None:
        self.terminal: Terminal | None = None
        self.routes: tuple[Route, ...] = ()
        self._far: list[int] = []
        self._stdin: int | None = None
        at_terminal = _is_terminal(streams.stdout)
        if at_terminal:
            keyboard = streams.stdin if _is_terminal(streams.stdin) else None
            self.terminal = Terminal(streams.stdout, keyboard)
            self._stdin = None if keyboard is None else self.terminal.slave
            self.routes = (Route(self.terminal.master, streams.stdout),)
            self._stdout = self.terminal.slave
        else:
            self._stdout = self._pipe_to(streams.stdout)
        both = self.terminal is not None and _is_terminal(streams.stderr)
        self._stderr = self._stdout if both else self._pipe_to(streams.stderr)
        self._leads = self.terminal is not None or not has_controlling_terminal()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close_far_ends()
        for route in self.routes:
            if self.terminal is None or route.source != self.terminal.master:
                os.close(route.source)
        if self.terminal is not None:
            self.terminal.close()

    def start(self, command: Sequence[str], env: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
        """Start a command at the far ends.

        Raises:
            OSError: When it cannot be.
        """
        if self.terminal is not None:
            self.terminal.take_keyboard()  # before anything is printed: the outer terminal must change no line end
        if not command[0]:  # would be looked for as each folder on the path
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        try:
            child = self._start(command, env)
        except OSError as error:
            if error.errno != errno.ENOEXEC:
                raise
            script = shutil.which(command[0]) or command[0]
            child = self._start(["/bin/sh", script, *command[1:]], env)
        self._close_far_ends()
        return child

    def receiver(self, child: subprocess.Popen[bytes]) -> Receiver:
        return _Leader(child, self.terminal) if self._leads else _Companion(child)

    def _start(self, command: Sequence[str], env: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
        in_session = self.terminal is not None
        return subprocess.Popen(
            [word.encode("utf-8", "surrogateescape") for word in command],
            stdin=self._stdin,
            stdout=self._stdout,
            stderr=self._stderr,
            env=env,
            close_fds=False,  # ours are not inheritable, and the caller's others (make's job server) are the command's
            start_new_session=in_session,
            process_group=0 if self._leads and not in_session else None,
            preexec_fn=_take_stdout if in_session else None,  # noqa: PLW1509 - one thread, one system call
        )

    def _pipe_to(self, target: int) -> int:
        source, far = os.pipe()
        os.set_blocking(source, False)
        self.routes = (*self.routes, Route(source, target))
        self._far.append(far)
        return far

    def _close_far_ends(self) -> None:
        while self._far:
            os.close(self._far.pop())


class _Leader:
    """Takes signals for a command that leads a group or session of its own."""

    def __init__(self, child: subprocess.Popen[bytes], terminal: Terminal | None) -> None:
        self._child = child
        self._terminal = terminal
        self.catches = frozenset(HANDED_ON) - (frozenset() if terminal else {signal.SIGWINCH})

    def take(self, number: signal.Signals) -> None:
        if number == signal.SIGWINCH and self._terminal is not None:
            self._terminal.resize()
        elif number == signal.SIGTSTP:
            self._suspend()
        elif number in {signal.SIGINT, signal.SIGQUIT} and self._terminal is not None:
            self._send(number, self._terminal.foreground_group())
        else:
            self._send(number)

    def _suspend(self) -> None:
        """Stop the command and this process, as the terminal's stop key does to both; go on together."""
        if self._terminal is not None:
            self._terminal.restore()
        self._send(signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
        self._send(signal.SIGCONT)
        if self._terminal is not None:
            self._terminal.resize()

    def _send(self, number: signal.Signals, group: int | None = None) -> None:
        try:
            os.killpg(group or self._child.pid, number)
        except OSError:  # gone, or another user's by now
            return


class _Companion:
    """Takes signals for a command in this process's own group, at a terminal that sends its interrupts to both."""

    catches = frozenset(HANDED_ON) - {signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH}

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child

    def take(self, number: signal.Signals) -> None:
        if number not in {signal.SIGINT, signal.SIGQUIT}:
            self._child.send_signal(number)


def _take_stdout() -> None:
    take_as_controlling(1)


def _is_terminal(descriptor: int) -> bool:
    try:
        return os.isatty(descriptor)
    except OSError:
        return False
