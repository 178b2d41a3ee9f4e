"""How far the parts of a run's state are to be trusted, in words: on which code a step succeeded, what a next step precedes.

Each function takes `name`, which makes a commit's shortened id look as the reader's text needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from gitmem.model.snapshot import LastTest, Snapshot

SHORT: Final = 12
"""Characters of a commit id in texts; JSON has it whole."""


def short(commit: str) -> str:
    return commit[:SHORT]


def success_words(state: Snapshot, name: Callable[[str], str] = str) -> str:
    """The code that the last successful step belonged to; empty when that is not known.

    Uncommitted changes belong to no commit: they are told as what came after one, with the commit recorded next.
    """
    code = state.last_successful_code
    if not state.last_successful_dirty:
        return f"commit {name(short(code))}" if code else ""
    told = _uncommitted(code, name)
    followed_by = state.last_successful_followed_by
    return f"{told}; commit {name(short(followed_by))} was recorded next" if followed_by else told


def words_of_test(test: LastTest, name: Callable[[str], str] = str) -> str:
    """That a test ran on uncommitted changes; empty when it did not, or nobody looked."""
    return _uncommitted(test.code, name) if test.dirty else ""


def uncommitted_words(state: Snapshot, name: Callable[[str], str] = str) -> str:
    """When the work tree was last seen with changes that no commit was recorded for since; empty for never."""
    seen = state.uncommitted
    if seen is None:
        return ""
    after = f" after commit {name(short(seen.code))}" if seen.code else ""
    return f"changes{after}, seen at #{seen.seq}"


def next_step_words(state: Snapshot) -> str:
    """When the next step was set, when something has happened since that may have taken it; else empty."""
    seq = state.next_step_seq
    since = _happened_since(state, seq or 0)
    return f"set at #{seq}, before {since}" if state.next_step and seq and since else ""


def _happened_since(state: Snapshot, seq: int) -> str:
    test, review, attempt = state.last_test, state.reviews[-1:], state.attempts[-1:]
    happened = [
        *[(one.seq, "the implementation was completed") for one in attempt],
        *[(one.seq, f"the {one.type.replace('_', ' ')}") for one in review],
        *([(test.seq, f"the test {test.status}")] if test else []),
        *([(state.ended_seq, f"the run was {state.phase}")] if state.ended_seq else []),
    ]
    newest, what = max(happened, default=(0, ""))
    return f"{what} at #{newest}" if newest > seq else ""


def _uncommitted(code: str | None, name: Callable[[str], str]) -> str:
    return f"on uncommitted changes{f' after {name(short(code))}' if code else ''}"
