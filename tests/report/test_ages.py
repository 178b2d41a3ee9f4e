from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gitmem.report.ages import ago

NOW = datetime(2026, 7, 13, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("2026-07-13T12:00:00Z", "just now"),
        ("2026-07-13T11:59:01+00:00", "just now"),
        ("2026-07-13T11:59:00Z", "1 min ago"),
        ("2026-07-13T20:00:00+09:00", "1 h ago"),
        ("2026-07-13T10:59:00", "1 h ago"),
        ("2026-07-12T11:00:00Z", "1 d ago"),
        ("2026-05-15T11:00:00Z", "59 d ago"),
        ("2024-02-03T00:00:00Z", "2024-02-03"),
        ("2026-07-15T12:00:00Z", "in 2 d"),
        ("2126-07-15T12:00:00Z", "2126-07-15"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01"),
        ("yesterday\x1b[31m", "yesterday\\x1b[31m"),
        ("", "at no time"),
    ],
)
def test_how_long_ago_something_was(at: str, told: str) -> None:
    assert ago(at, NOW) == told
