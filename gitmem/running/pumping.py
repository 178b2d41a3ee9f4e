"""Carrying bytes between a command and where its output goes, as they come and in bounded memory."""

from __future__ import annotations

import fcntl
import os
import select
import selectors
import struct
import termios
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from gitmem.running.terminal import Terminal

CHUNK = 64 * 1024
QUIET_SECONDS = 0.1
"""After the command's end: how long silence lasts until what others hold open is left."""
MOST_SECONDS = 1.0
"""After the command's end: how long others may go on talking."""


class Route(NamedTuple):
    """Where the bytes of one descriptor go.

    Args:
        source: Read from here, without waiting; closed when nothing more comes or nobody takes it.
        target: Written to there.
    """

    source: int
    target: int


class Pump:
    """Carries until the command has ended and what it wrote has been passed on.

    A grandchild that keeps a pipe open holds nothing up. Nobody reading a target any more closes its source, so that
    the command meets the broken pipe that it would meet alone.

    Args:
        routes: The command's output.
        keep: Given every piece of output.
        ended: Whether the command has ended.
        wake: Becomes readable when it may have.
        clear: Empties `wake`.
        terminal: The command's terminal, whose keyboard is carried too.
    """

    def __init__(
        self,
        routes: Iterable[Route],
        *,
        keep: Callable[[bytes], None],
        ended: Callable[[], bool],
        wake: int,
        clear: Callable[[], None],
        terminal: Terminal | None = None,
    ) -> None:
        self._routes = {route.source: route for route in routes}
        self._keep = keep
        self._ended = ended
        self._wake = wake
        self._clear = clear
        self._terminal = terminal
        self._typed = b""
        self._keyboard_is_open = terminal is not None

    def run(self, *, on_end: Callable[[], None]) -> None:
        """Carry everything.

        Args:
            on_end: Called as soon as the command has ended.
        """
        while not self._ended():
            self._carry(self._ready(None))
        on_end()
        self._finish()

    def _finish(self) -> None:
        if self._terminal is not None:
            self._terminal.close_slave()
        self._keyboard_is_open = False
        owed = {source: _waiting(source) for source in self._routes}
        until = time.monotonic() + MOST_SECONDS
        while self._routes:
            ready = self._ready(QUIET_SECONDS)
            if not ready:
                break
            for source, count in self._carry(ready).items():
                owed[source] -= count
            if time.monotonic() >= until and all(owed[source] <= 0 for source in self._routes):
                break

    def close(self) -> None:
        """Close what is still open of the command's output, but its terminal."""
        for source in tuple(self._routes):
            self._drop(source)

    def _ready(self, timeout: float | None) -> list[tuple[int, int]]:
        """Descriptors that can be read or written now, but `wake`, which is emptied."""
        interests = self._interests()
        with selectors.SelectSelector() as selector:
            for descriptor, events in interests.items():
                selector.register(descriptor, events)
            ready = {key.fd: events for key, events in selector.select(timeout)}
        if ready.pop(self._wake, 0):
            self._clear()
        # Of two that are ready together stdout comes first.
        return [(descriptor, ready[descriptor]) for descriptor in interests if descriptor in ready]

    def _interests(self) -> dict[int, int]:
        interests = dict.fromkeys((self._wake, *self._routes), selectors.EVENT_READ)
        if self._terminal is not None and self._keyboard_is_open:
            if self._typed:
                master = self._terminal.master
                interests[master] = interests.get(master, 0) | selectors.EVENT_WRITE
            elif (keyboard := self._terminal.take_keyboard()) is not None:
                interests[keyboard] = selectors.EVENT_READ
        return interests

    def _carry(self, ready: list[tuple[int, int]]) -> dict[int, int]:
        """Move what is there; how many bytes came from each source."""
        counts: dict[int, int] = {}
        for descriptor, events in ready:
            if events & selectors.EVENT_WRITE:
                self._type()
            if events & selectors.EVENT_READ and descriptor in self._routes:
                counts[descriptor] = self._carry_one(self._routes[descriptor])
            elif events & selectors.EVENT_READ:
                self._listen(descriptor)
        return counts

    def _carry_one(self, route: Route) -> int:
        try:
            data = os.read(route.source, CHUNK)
        except BlockingIOError:
            return 0
        except OSError:  # EIO: nobody has the terminal open any more
            data = b""
        if not data:
            self._drop(route.source)
            return 0
        self._keep(data)
        if not _write(route.target, data):
            self._drop(route.source)
        return len(data)

    def _drop(self, source: int) -> None:
        del self._routes[source]
        if self._terminal is None or source != self._terminal.master:
            os.close(source)

    def _listen(self, keyboard: int) -> None:
        try:
            self._typed = os.read(keyboard, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            self._typed = b""
        self._keyboard_is_open = bool(self._typed)

    def _type(self) -> None:
        assert self._terminal is not None
        try:
            self._typed = self._typed[os.write(self._terminal.master, self._typed) :]
        except BlockingIOError:
            return
        except OSError:
            self._typed = b""


def _write(target: int, data: bytes) -> bool:
    """Write all of it; False when nobody takes it."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(target, rest) :]
        except BlockingIOError:
            select.select([], [target], [])
        except OSError:
            return False
    return True


def _waiting(source: int) -> int:
    """Bytes that can be read at once."""
    try:
        count: int = struct.unpack("i", fcntl.ioctl(source, termios.FIONREAD, bytes(4)))[0]
    except OSError:
        return 0
    return count
