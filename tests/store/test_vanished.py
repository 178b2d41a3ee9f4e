"""`git gc --prune=now` beside an append: whatever it takes, what was acknowledged is whole."""

from __future__ import annotations

from pathlib import Path

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
