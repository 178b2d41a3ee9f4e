"""Beginning a run and finding it again."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from gitmem.errors import NotFoundError, NotServedError, UsageError
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.starting import start_run
from tests.support.repo import Repo


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    with RunLedger.open(repo.path) as opened:
        yield opened


def test_a_started_run_is_the_current_one(ledger: RunLedger) -> None:
    made, event = start_run(ledger, "결제-중복", actor="human", goal="Orders are sent once")
    assert find_run(ledger, None).id == made.id
    assert event.payload == {"task": "결제-중복", "goal": "Orders are sent once"}


def test_the_beginning_of_one_id_names_a_run(ledger: RunLedger) -> None:
    start_run(ledger, "one", actor="human", run="run-1-one")
    start_run(ledger, "two", actor="human", run="run-2-two")
    assert find_run(ledger, "run-1").id == "run-1-one"
    with pytest.raises(UsageError, match="begins several runs"):
        find_run(ledger, "run-")


@pytest.mark.parametrize("word", ["run-9", "nothing"])
def test_an_unknown_run_is_named_with_the_cure(ledger: RunLedger, word: str) -> None:
    with pytest.raises(NotFoundError, match=f"no such run here: {word}"):
        find_run(ledger, word)


def test_no_current_run_says_how_to_get_one(ledger: RunLedger) -> None:
    with pytest.raises(NotFoundError) as caught:
        find_run(ledger, None)
    assert "gitmem run start" in caught.value.hint


@pytest.mark.parametrize("task", ["", "two words", "../up", "a/../b", "-x", "a\n", "x" * 101, "end/"])
def test_a_task_is_a_slug(ledger: RunLedger, task: str) -> None:
    with pytest.raises(UsageError, match="not a task"):
        start_run(ledger, task, actor="human")
    assert not ledger.runs()


def test_a_run_is_begun_once(ledger: RunLedger) -> None:
    start_run(ledger, "one", actor="human", run="run-1")
    with pytest.raises(UsageError, match="there is a run run-1 already"):
        start_run(ledger, "two", actor="human", run="run-1")


def test_a_lock_file_left_beside_the_current_run_is_removed(repo: Repo, ledger: RunLedger) -> None:
    lock = repo.path / ".git" / "AI_RUN.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    made, _ = start_run(ledger, "one", actor="human")
    assert find_run(ledger, None).id == made.id
    assert not lock.exists()


def test_a_run_that_cannot_be_made_current_is_named_with_the_cure(repo: Repo) -> None:
    (repo.path / ".git" / "AI_RUN.lock").touch()
    with RunLedger.open(repo.path) as opened:
        ledger = RunLedger(opened.repository, wait=0.1)
        with pytest.raises(NotServedError, match="run-1 was begun and is not current") as caught:
            start_run(ledger, "one", actor="human", run="run-1")
    assert "gitmem run switch run-1" in caught.value.hint
    assert "remove AI_RUN.lock" in caught.value.hint
