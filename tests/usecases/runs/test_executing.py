"""A recording that goes wrong in any way leaves the command's exit status alone, and says so in a line."""

from __future__ import annotations

import os
from unittest.mock import patch

import pytest

from gitmem.errors import RaceError
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.executing import Order, execute
from gitmem.usecases.runs.starting import start_run
from tests.support.repo import Repo


@pytest.fixture
def inside(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo.commit("first")
    for name, value in repo.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(repo.path)
    with RunLedger.open() as ledger:
        start_run(ledger, "cart", actor="human")
    return repo


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RaceError("another process holds it"), "another process holds it"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (KeyboardInterrupt(), "interrupted"),
        (ZeroDivisionError("two\nlines"), "this is a bug in gitmem: ZeroDivisionError: two lines"),
    ],
)
def test_the_exit_status_is_the_commands(error: BaseException, said: str, inside: Repo) -> None:
    with patch("gitmem.store.ledger.Run.append", side_effect=error):
        done = execute(Order(("sh", "-c", "exit 7")))
    assert (done.exit_code, done.run, done.notes) == (7, None, (f"nothing was recorded: {said}",))


def test_nothing_of_the_ledger_runs_beside_the_command(inside: Repo) -> None:
    """An interrupt at the terminal would end our own git processes too, were there any."""
    done = execute(Order(("sh", "-c", f"ps -o args= --ppid {os.getpid()} | grep -c '[c]at-file'")))
    assert done.exit_code == 1
