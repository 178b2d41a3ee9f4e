"""A pseudo-terminal between a command and the terminal that this process stands at."""

from __future__ import annotations

import fcntl
import os
import signal
import termios
import tty
from contextlib import suppress
from typing import Any

_INPUT, _OUTPUT, _CONTROL, _LOCAL = range(4)


class Terminal:
    """The command's terminal, as large and set as the outer one.

    Args:
        outer_out: Descriptor of the outer terminal's output.
        outer_in: Descriptor of its input; None when this process reads from elsewhere, and the command with it.

    Attributes:
        master: Our side.
        slave: The command's side; open until `close_slave`, so that a command that closes and opens it again is heard.
    """

    def __init__(self, outer_out: int, outer_in: int | None) -> None:
        self._outer_out = outer_out
        self._outer_in = outer_in
        self._saved: list[Any] | None = None
        self.master, self.slave = os.openpty()
        self._slave_is_open = True
        with suppress(termios.error):  # a terminal that tells nothing of itself leaves the defaults
            self._copy_settings()
        self.resize()
        os.set_blocking(self.master, False)

    def _copy_settings(self) -> None:
        settings = termios.tcgetattr(self._outer_out if self._outer_in is None else self._outer_in)
        if self._outer_in is None:
            # The outer terminal goes on turning line ends into returns: once is enough.
            settings[_OUTPUT] &= ~termios.OPOST
        termios.tcsetattr(self.slave, termios.TCSANOW, settings)

    def resize(self) -> None:
        """Make it as large as the outer one."""
        try:
            size = fcntl.ioctl(self._outer_out, termios.TIOCGWINSZ, bytes(8))
            fcntl.ioctl(self.master, termios.TIOCSWINSZ, size)
        except OSError:
            return

    def take_keyboard(self) -> int | None:
        """The outer input, while it is ours to read: made raw, so that every key reaches the command's terminal."""
        if self._outer_in is None or not self._is_foreground(self._outer_in):
            return None
        if self._saved is None:
            try:
                saved = termios.tcgetattr(self._outer_in)
                tty.setraw(self._outer_in, termios.TCSANOW)
            except termios.error:
                return None
            self._saved = saved
        return self._outer_in

    def restore(self) -> None:
        """Set the outer terminal as it was."""
        if self._saved is not None and self._outer_in is not None:
            before = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
            try:
                termios.tcsetattr(self._outer_in, termios.TCSADRAIN, self._saved)
            except termios.error:  # the terminal is gone
                pass
            finally:
                signal.signal(signal.SIGTTOU, before)
            self._saved = None

    def foreground_group(self) -> int | None:
        """The process group that the command's terminal would interrupt."""
        try:
            group = os.tcgetpgrp(self.master)
        except OSError:
            return None
        return group if group > 0 else None

    def close_slave(self) -> None:
        if self._slave_is_open:
            os.close(self.slave)
            self._slave_is_open = False

    def close(self) -> None:
        self.restore()
        self.close_slave()
        os.close(self.master)

    @staticmethod
    def _is_foreground(descriptor: int) -> bool:
        try:
            return os.tcgetpgrp(descriptor) == os.getpgrp()
        except OSError:
            return False


def take_as_controlling(descriptor: int) -> None:
    """In a new session: let this be its terminal."""
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


def has_controlling_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
    except OSError:
        return False
    return True
