"""Fill in vectors beside a server's work, in one thread that ends with the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.store.ledger import RunLedger

_EVERY = 300.0
"""Seconds after which it looks by itself: others commit too."""


class BackgroundFilling:
    """Makes missing vectors when it is started, when it is nudged, and every five minutes.

    Without a provider a look is one question to git. Failures are kept to itself, recall says them.

    Args:
        opened: Opens the ledger; called in the thread, once for each look.
    """

    def __init__(self, opened: Callable[[], RunLedger]) -> None:
        self._opened = opened
        self._nudged = threading.Event()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="gitmem-embed-fill", daemon=True)
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin, or look again; returns at once."""
        with self._lock:
            if self._thread.ident is None and not self._stopped:
                self._thread.start()
        self._nudged.set()

    def stop(self, timeout: float = 1.0) -> None:
        """End between two batches."""
        with self._lock:
            self._stopped = True
        self._nudged.set()
        if self._thread.ident is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        while not self._stopped:
            self._nudged.clear()
            with suppress(GitmemError, OSError):  # the repository is gone or damaged: others say so
                self._look()
            if not self._stopped:
                self._nudged.wait(_EVERY)

    def _look(self) -> None:
        from gitmem.usecases.embedding.providing import configured

        with self._opened() as ledger:
            if configured(ledger.repository).provider is not None:
                from gitmem.usecases.embedding.filling import fill

                fill(ledger, stopped=lambda: self._stopped)
