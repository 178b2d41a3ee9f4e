"""Numbers of things in words."""

from __future__ import annotations


def count_of(number: int, noun: str) -> str:
    """``1 event``, ``2 events``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
