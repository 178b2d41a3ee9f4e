"""Thousands of runs at once, written through `git fast-import` and packed as a clone would have them."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.model.event import Event
from gitmem.store.codec import encode
from tests.support.repo import Repo

_TYPES = (
    ("task_created", {"task": "checkout-결제", "goal": "An order is sent once"}),
    ("finding_noted", {"finding": "the gateway drops the header"}),
    ("test_failed", {"command": "pytest -q", "failing": ["tests/a.py::test_retry"]}),
    ("next_step_set", {"next_step": "send the key with the retry"}),
    ("test_passed", {"command": "pytest -q"}),
)


def write_runs(
    repo: Repo, count: int, *, events: int = 5, writer: str = "w1", first: int = 0, ended: bool = False
) -> list[str]:
    """Ids of some new runs, each with as many events; the later a run the newer its events."""
    runs = {number: f"run-20260713-{number:05d}" for number in range(first, first + count)}
    stream = b"".join(
        piece for number, run in runs.items() for piece in _run(run, number, events, writer, ended=ended)
    )
    repo.git("fast-import", "--quiet", stdin=stream)
    repo.git("pack-refs", "--all")
    return list(runs.values())


def _run(run: str, number: int, events: int, writer: str, *, ended: bool) -> Iterator[bytes]:
    for seq in range(1, events + 1):
        is_last = ended and seq == events
        event_type, payload = ("completed", {}) if is_last else _TYPES[(seq - 1) % len(_TYPES)]
        minutes = number % 1440
        event = Event(
            commit="",
            seq=seq,
            writer=writer,
            id=f"{number}-{seq}",
            run=run,
            type=event_type,
            at=f"2026-07-{1 + number // 1440:02d}T{minutes // 60:02d}:{minutes % 60:02d}:{seq % 60:02d}+09:00",
            actor="codex",
            payload=payload,
        )
        message = encode(event)
        yield b"commit refs/ai/runs/%b/%b\n" % (run.encode(), writer.encode())
        yield b"committer Ada <ada@example.org> %d +0900\ndata %d\n%b\n" % (
            1_780_000_000 + number, len(message), message,
        )  # fmt: skip
