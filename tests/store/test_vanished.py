"""`git gc --prune=now` beside an append: whatever it takes, what was acknowledged is whole."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from gitmem.git.opening import Backend
from gitmem.store.appending import STEPS
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import ledger

LARGE = b"large" * (1 << 18)


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("backend", ["library", "program"])
@pytest.mark.parametrize("step", STEPS)
def test_what_vanishes_at_any_step_of_an_append_is_written_again(
    repo: Repo, backend: Backend, step: str
) -> None:
    repo.commit("first", {"a": "1"})
    left = [step]

    def prune(reached: str) -> None:
        if reached in left:
            left.remove(reached)
            repo.git("prune", "--expire=now")

    with ledger(repo.path, backend=backend, step=prune) as book:
        event = book.run("run-1").append(
            event_type="artifact_saved",
            actor="human",
            payload={"long": "x" * 20_000},
            artifacts={"small.log": b"small", "large.log": LARGE},
            files={"handoff.md": b"handoff"},
        )
        run = book.run("run-1")
        assert left == []
        assert [run.artifact(name) for name in ("small.log", "large.log")] == [b"small", LARGE]
        assert run.file("handoff.md") == b"handoff"
        assert run.events()[0].payload == {"long": "x" * 20_000}
        assert run.events()[0].commit == event.commit
        assert book.verify("run-1").problems == ()
    assert repo.git("fsck", "--full", "--strict", "--no-dangling") == ""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="other processes cannot be looked at")
def test_nothing_that_was_acknowledged_is_lost_beside_one_gc_after_another(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    ended = Event()

    def tidy() -> None:
        while not ended.is_set():
            repo.git("gc", "-q", "--prune=now", check=False)

    tidying = Thread(target=tidy)
    tidying.start()
    try:
        with ledger(repo.path) as book:
            run = book.run("run-1")
            logs = [os.urandom(99) for _ in range(4)]
            events = [
                run.append(event_type="artifact_saved", actor="human", artifacts={"a.log": log})
                for log in logs
            ]
    finally:
        ended.set()
        tidying.join()
    with ledger(repo.path) as book:
        run = book.run("run-1")
        assert [event.commit for event in run.events()] == [event.commit for event in events]
        assert [run.artifact(*event.artifacts, event=event) for event in events] == logs
        assert book.verify("run-1").problems == ()
