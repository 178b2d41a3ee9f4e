"""Signals of this process handed on to the command while it runs."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Protocol, Self

HANDED_ON = (
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGCONT,
    signal.SIGTSTP,
    signal.SIGWINCH,
)


STOPPING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
"""Those by which somebody asks a command to end."""


class Receiver(Protocol):
    """What takes signals for the command."""

    @property
    def catches(self) -> frozenset[signal.Signals]:
        """Those that this process must not simply let happen to itself."""

    def take(self, number: signal.Signals) -> None: ...


class Forwarding:
    """Catches signals until it is left; what came before there was a receiver is handed on as soon as there is one.

    The handlers hand on by themselves, so that a signal gets through while this process waits in a write.

    Attributes:
        wake: A descriptor that becomes readable with every signal, that of the command's end included.
        was_stopped: Whether one of `STOPPING` came.
    """

    def __init__(self) -> None:
        self.was_stopped = False
        self._receiver: Receiver | None = None
        self._early: list[signal.Signals] = []
        self._saved: dict[signal.Signals, Any] = {}
        self.wake, self._waker = os.pipe()

    def __enter__(self) -> Self:
        os.set_blocking(self.wake, False)
        os.set_blocking(self._waker, False)
        self._old_waker = signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        self._catch(signal.SIGCHLD, lambda *_: None)
        for number in HANDED_ON:
            # What the caller ignores (nohup, a background job of sh) stays ignored, here and in the command.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._catch(number, self._take)
        return self

    def __exit__(self, *_: object) -> None:
        self._receiver = None
        for number, handler in self._saved.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        signal.set_wakeup_fd(self._old_waker)
        os.close(self.wake)
        os.close(self._waker)

    def hand_to(self, receiver: Receiver) -> None:
        for number in HANDED_ON:
            if number in self._saved and number not in receiver.catches:
                signal.signal(number, signal.SIG_DFL)
        self._receiver = receiver
        while self._early:
            receiver.take(self._early.pop(0))

    def stop(self) -> None:
        """Hand on nothing more: the command is gone and its number may be another's."""
        self._receiver = None

    def clear(self) -> None:
        """Empty `wake`."""
        try:
            while os.read(self.wake, 4096):
                pass
        except BlockingIOError:
            return

    def _catch(self, number: signal.Signals, handler: Callable[[int, FrameType | None], None]) -> None:
        self._saved[number] = signal.signal(number, handler)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        name = signal.Signals(number)
        self.was_stopped = self.was_stopped or name in STOPPING
        if self._receiver is None:
            self._early.append(name)
        else:
            self._receiver.take(name)
