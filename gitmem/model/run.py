"""The state of a run: a fold over its events in order, never stored as truth.

Phases (domain rules, section "Run ledger"): ``created`` → ``implementing`` (plan_approved) → ``reviewing``
(implementation_completed, attempt + 1) → ``testing`` (review_passed) → ``tested`` (test_passed). ``review_failed``
leads to ``fixing``, ``test_failed`` to ``failed_test``, and from there an implementation or a commit to ``fixing``.
``waiting_human`` covers the phase that goes on beneath it until ``human_answered``; ``completed`` and ``abandoned``
cover everything until ``run_resumed``.

`fold` and `continue_fold` are pure: ``fold([*a, *b]) == continue_fold(fold(a), b)``.
"""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.model.event import Event
from gitmem.model.evolution import Evolution
from gitmem.model.snapshot import Snapshot


def fold(events: Iterable[Event], *, run_id: str = "") -> Snapshot:
    """The state after some events, which stand in order."""
    return continue_fold(Snapshot(run_id=run_id), events)


def continue_fold(state: Snapshot, events: Iterable[Event]) -> Snapshot:
    """The state after more events, all of which sort after those that `state` stands for."""
    evolution = Evolution(state)
    for event in events:
        evolution.take(event)
    return evolution.snapshot()
