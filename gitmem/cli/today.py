"""The day that dates are judged at, and the moment that is written down."""

from __future__ import annotations

from datetime import date, datetime


def today() -> date:
    """Today where the user is."""
    return datetime.now().astimezone().date()


def now() -> datetime:
    """This second where the user is."""
    return datetime.now().astimezone().replace(microsecond=0)
