"""How long ago something was, for people; data keeps the RFC 3339 time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gitmem.report.sanitise import prose

_STEPS = ((60, 60, "min"), (3600, 24, "h"), (86400, 60, "d"))


def ago(at: str, now: datetime) -> str:
    """``3 h ago``, after two months the date; ``in 2 d`` by a clock ahead of this one; a text that is no time as it is.

    Args:
        at: RFC 3339; without an offset taken for UTC.
        now: With offset.
    """
    try:
        told = datetime.fromisoformat(at)
        gone = now - (told if told.tzinfo else told.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return prose(at)[:25] or "at no time"
    return _said(gone) or told.date().isoformat()


def _said(gone: timedelta) -> str:
    seconds = abs(gone.total_seconds())
    if seconds < _STEPS[0][0]:
        return "just now"
    for size, most, unit in _STEPS:
        if seconds < size * most:
            count = f"{int(seconds // size)} {unit}"
            return f"{count} ago" if gone > timedelta() else f"in {count}"
    return ""
