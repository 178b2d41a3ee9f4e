"""Appending while the disk fails: told, nothing acknowledged is lost, nothing half written, the next append works."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, RaceError
from gitmem.git.opening import Backend
from gitmem.store.appending import STEPS
from tests.support.failing_calls import Call, let_fail
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import CONTEXT, check_history, ledger

_ACKED, _TOLD = 0, 3
ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


def failing(path: Path, backend: Backend, step: str, call: Call, number: int) -> int:
    """Exit status of a process that appends and whose calls fail from a step on; the status says what it was told."""

    def work() -> None:
        def fail(reached: str) -> None:
            if reached == step:
                let_fail(call, number)

        status = 70
        try:
            with ledger(path, backend=backend, step=fail, wait=0.1) as book:
                book.run("run-1").append(
                    event_type="artifact_saved",
                    actor="victim",
                    id="victim",
                    artifacts={"a.log": os.urandom(9)},
                )
            status = _ACKED
        except (GitmemError, OSError):
            status = _TOLD
        finally:
            os._exit(status)

    process = CONTEXT.Process(target=work)
    process.start()
    process.join(60)
    return process.exitcode if process.exitcode is not None else -1


@pytest.mark.parametrize("backend", ["library", "program"])
@pytest.mark.parametrize("call", ["create", "rename", "write", "mkdir"])
def test_a_call_that_fails_at_any_step_of_an_append(repo: Repo, backend: Backend, call: Call) -> None:
    repo.commit("first", {"a": "1"})
    with ledger(repo.path) as book:
        first = book.run("run-1").append(event_type="task_created", actor="human", id="first").commit
    acked = [first]
    told = []
    for place, step in enumerate(STEPS):
        status = failing(repo.path, backend, step, call, ERRORS[place % len(ERRORS)])
        assert status in {_ACKED, _TOLD}
        told.append(status)
        with ledger(repo.path) as book:
            before = [event for event in book.run("run-1").events() if event.id == "victim"]
            assert len(before) == 1 or status == _TOLD
            # Trying again tells the event that is there, or writes it.
            event = book.run("run-1").append(event_type="artifact_saved", actor="victim", id="victim")
            assert not before or event.commit == before[0].commit
            following = book.run("run-1").append(event_type="finding_noted", actor="human")
        acked += [*([event.commit] if event.commit not in acked else []), following.commit]
    check_history(repo, "run-1", {"all": acked}, garbage=True)
    assert told[-1] == _ACKED
    assert call == "mkdir" or told[0] == _TOLD


@pytest.mark.parametrize("age", [0, 3600])
@pytest.mark.parametrize(
    "name", ["refs/ai/runs/run-1/{writer}.lock", "packed-refs.lock", "index.lock", "config.lock", "HEAD.lock"]
)
def test_locks_that_somebody_left(repo: Repo, name: str, age: int) -> None:
    repo.commit("first", {"a": "1"})
    with ledger(repo.path, wait=0.05) as book:
        run = book.run("run-1")
        run.append(event_type="task_created", actor="human")
        lock = repo.path / ".git" / name.format(writer=book.writer())
        lock.touch()
        os.utime(lock, (time.time() - age, time.time() - age))
        if "refs" in name and "packed" not in name and not age:
            with pytest.raises(RaceError):
                run.append(event_type="finding_noted", actor="human")
            assert lock.exists()
        else:
            run.append(event_type="finding_noted", actor="human")
            assert lock.exists() == ("refs/ai" not in name)
        lock.unlink(missing_ok=True)
        assert run.append(event_type="finding_noted", actor="human").seq in {2, 3}
    check_history(repo, "run-1", {}, garbage=True)
