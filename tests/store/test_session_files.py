"""What is known of a session between two events, on literals."""

from __future__ import annotations

import pytest

from gitmem.store.session_files import SessionState


def test_an_event_that_comes_again_and_again_is_new_when_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = SessionState("s-1", {})
    told = []
    for second in (0, 3, 6, 8, 12):
        monkeypatch.setattr("time.time", lambda second=second: 1_000.0 + second)
        told.append(state.is_answered("tool", "pytest", within=5.0))
    assert told == [False, True, False, True, False]
