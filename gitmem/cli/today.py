"""The day that dates are judged at, and the moment that is written down."""

from __future__ import annotations

from datetime import date, datetime


def today() -> date:
    """Today where the user is."""
    return datetime.now().astimezone().date()


def now() -> datetime:
    """This millisecond where the user is: two validations of one second still have an order."""
    moment = datetime.now().astimezone()
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
