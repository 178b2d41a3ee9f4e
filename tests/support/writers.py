"""Processes that append to a run at the same time, and the checker of what they leave behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gitmem.git.opening import Backend, open_repository
from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from tests.support.repo import Repo

CONTEXT = multiprocessing.get_context("fork")


def ledger(
    path: Path,
    *,
    backend: Backend = "library",
    step: Callable[[str], None] = lambda _: None,
    wait: float = 60.0,
) -> RunLedger:
    return RunLedger(open_repository(path, prefer=backend), step=step, wait=wait)


def append_many(path: Path, run: str, name: str, *, count: int, backend: Backend, results: Any) -> None:
    """Append and report what was acknowledged, or what went wrong; runs in a process of its own."""
    acked: list[str] = []
    try:
        with ledger(path, backend=backend) as book:
            one = book.run(run)
            for number in range(count):
                finding = {"finding": f"{name} {number}"}
                acked.append(one.append(event_type="finding_noted", actor=name, payload=finding).commit)
    except BaseException as error:
        results.put((name, repr(error)))
        raise
    results.put((name, acked))


def at_once(
    path: Path, run: str, *, processes: int, count: int, backend: Backend = "library"
) -> dict[str, list[str]]:
    """Commits that each of some processes was acknowledged, in its order."""
    results = CONTEXT.Queue()
    workers = [
        CONTEXT.Process(
            target=append_many,
            args=(path, run, f"agent-{number}"),
            kwargs={"count": count, "backend": backend, "results": results},
        )
        for number in range(processes)
    ]
    for worker in workers:
        worker.start()
    acked = dict(results.get(timeout=300) for _ in workers)
    for worker in workers:
        worker.join()
    assert [said for said in acked.values() if isinstance(said, str)] == []
    return acked


def killed_at(path: Path, run: str, step: str, *, backend: Backend = "library") -> int:
    """Let a process append and be killed as it reaches a step. Returns the signal that ended it, 0 for none."""

    def work() -> None:
        def kill(reached: str) -> None:
            if reached == step:
                os.kill(os.getpid(), signal.SIGKILL)

        with ledger(path, backend=backend, step=kill) as book:
            book.run(run).append(
                event_type="artifact_saved",
                actor="victim",
                payload={"path": "log.txt"},
                id="victim-1",
                artifacts={"log.txt": b"log"},
            )

    process = CONTEXT.Process(target=work)
    process.start()
    process.join()
    return -min(process.exitcode or 0, 0)


def check_history(
    repo: Repo, run: str, acked: Mapping[str, Sequence[str]], *, garbage: bool = False
) -> list[Event]:
    """The run's events, after it was made sure that what was acknowledged is there, in order, once."""
    with ledger(repo.path) as book:
        verification = book.verify(run)
        assert verification.problems == ()
        events = list(book.run(run).events())
    commits = [event.commit for event in events]
    places = {commit: place for place, commit in enumerate(commits)}
    for mine in acked.values():
        assert [commit for commit in mine if commit not in places] == []
        assert sorted(mine, key=places.__getitem__) == list(mine)
    assert len({(event.writer, event.id) for event in events}) == len(events)
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""
    if not garbage:
        assert "commit" not in repo.git("fsck", "--unreachable", "--no-reflogs")
    return events
