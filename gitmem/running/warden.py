"""A program that stands between gitmem and a command that may misbehave: starts it, waits, and ends all that is left.

    python -I -S warden.py LIMIT LIFELINE REPORT PROGRAM ARGUMENT…

LIMIT is in seconds. LIFELINE is a descriptor whose other end the caller holds: when it closes, because the caller wants
to stop or is gone, the command ends. On the descriptor REPORT stand one line each: ``began PID``, then ``ended STATUS
LEFT``, ``late STATUS LEFT`` or ``stopped STATUS LEFT`` (STATUS as `os.waitstatus_to_exitcode`, LEFT the processes that the
command left behind), or ``failed ERRNO`` when it could not be started. No second line: the warden itself was killed.

The command leads a session of its own, without a terminal. On Linux this program is the parent of whatever loses its own
(PR_SET_CHILD_SUBREAPER), so that a daemon does not get away by forking twice; elsewhere the command's process group is
what is ended. It imports the standard library alone: the command's environment must not decide what it is.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

GRACE = 0.5
"""Seconds that a command has between being asked to end and being ended."""
_SUBREAPER, _DEATH_SIGNAL = 36, 1
_TRIES = 50
_CAUGHT = (
    signal.SIGCHLD,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
)


def main(arguments: list[str]) -> int:
    limit, lifeline, report = float(arguments[0]), int(arguments[1]), int(arguments[2])
    for descriptor in (lifeline, report):
        os.set_inheritable(descriptor, False)
    wake = _wake_on_signals()
    _prctl(_SUBREAPER, 1)
    try:
        child = subprocess.Popen(
            [os.fsencode(word) for word in arguments[3:]],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _begin(report),  # noqa: PLW1509 - one thread, two system calls
        )
    except OSError as error:
        os.write(report, b"failed %d\n" % (error.errno or 0))
        return 1
    for descriptor in (1, 2):  # the command's alone now
        os.close(descriptor)
    status, why = _wait(child.pid, time.monotonic() + limit, lifeline, wake)
    left = end_all(child.pid) if status is not None else 0
    if status is None:
        status = _ask_to_end(child.pid, wake)
        end_all(child.pid)
        status = _reap(child.pid) if status is None else status
    os.write(report, b"%s %d %d\n" % (why, -signal.SIGKILL if status is None else status, left))
    child.returncode = status
    return 0


def _begin(report: int) -> None:
    """In the command's process, before it is the command: nothing that it does may come before its group is known."""
    _prctl(_DEATH_SIGNAL, signal.SIGKILL)
    os.write(report, b"began %d\n" % os.getpid())


def _wake_on_signals() -> int:
    """A descriptor that becomes readable with each signal. Handlers, since what is ignored stays ignored in the command."""
    wake, waker = os.pipe()
    for descriptor in (wake, waker):
        os.set_blocking(descriptor, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    for number in _CAUGHT:
        signal.signal(number, lambda *_: None)
    return wake


def _prctl(option: int, value: int) -> None:
    if sys.platform != "linux":
        return
    try:
        import ctypes
    except ImportError:  # a Python without it: what forks away from the command's group is not found
        return
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _wait(pid: int, deadline: float, lifeline: int, wake: int) -> tuple[int | None, bytes]:
    """The command's status and why the wait is over; no status when it runs on."""
    while True:
        if (status := _reap(pid)) is not None:
            return status, b"ended"
        left = deadline - time.monotonic()
        if left <= 0:
            return None, b"late"
        ready, _, _ = select.select([lifeline, wake], [], [], left)
        if lifeline in ready:
            return None, b"stopped"
        _clear(wake)


def _ask_to_end(pid: int, wake: int) -> int | None:
    _send(-pid, signal.SIGTERM)
    _send(-pid, signal.SIGCONT)
    until = time.monotonic() + GRACE
    while (status := _reap(pid)) is None and (left := until - time.monotonic()) > 0:
        select.select([wake], [], [], left)
        _clear(wake)
    return status


_statuses: dict[int, int] = {}


def _reap(wanted: int) -> int | None:
    """Bury every child that ended; the status of the one wanted, once it is known."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if not pid:
            break
        _statuses[pid] = os.waitstatus_to_exitcode(status)
        if pid != wanted:
            del _statuses[pid]
    return _statuses.get(wanted)


def end_all(command: int) -> int:
    """End the command's group and all that descends from this process; how many of the latter there were.

    They are stopped before they are ended, so that none forks while others are being found.
    """
    ended: set[int] = set()
    for _ in range(_TRIES):
        if sys.platform != "linux" or command not in _statuses:  # else its number may be another's
            _send(-command, signal.SIGKILL)
        _reap(command)
        found: set[int] = set()
        while fresh := _descendants() - found:
            for pid in fresh:
                _send(pid, signal.SIGSTOP)
            found |= fresh
        if not found:
            break
        for pid in found:
            _send(pid, signal.SIGKILL)
        ended |= found
        time.sleep(0.002)
    return len(ended)


def _descendants() -> set[int]:
    """Living processes below this one; none where ``/proc`` tells nothing."""
    parents: dict[int, int] = {}
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208 - see below
    except OSError:
        return set()
    for pid in numbers:
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib would double the start-up
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except (OSError, ValueError):  # gone meanwhile
            continue
        if state not in {b"Z", b"X"}:
            parents[pid] = int(parent)
    below, level = set[int](), {os.getpid()}
    while level := {pid for pid, parent in parents.items() if parent in level}:
        below |= level
    return below


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return


def _clear(descriptor: int) -> None:
    try:
        while os.read(descriptor, 4096):
            pass
    except BlockingIOError:
        return


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
