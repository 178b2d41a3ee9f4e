"""Collecting garbage seldom while many small values are made that all live on."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (100_000, 20, 50)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Collect seldom inside; the thresholds are put back after."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
