"""The day that dates are judged at."""

from __future__ import annotations

from datetime import date, datetime


def today() -> date:
    """Today where the user is."""
    return datetime.now().astimezone().date()
