from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.starting import start_run
from tests.support.clones import bare_remote, clone
from tests.support.repo import Repo


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    with RunLedger.open(repo.path) as opened:
        yield opened


@pytest.fixture
def run(ledger: RunLedger) -> Run:
    """A run with its first event, the current one."""
    return start_run(ledger, "checkout", actor="human", run="run-1")[0]


@pytest.fixture
def remote(tmp_path: Path) -> Repo:
    return bare_remote(tmp_path)


@pytest.fixture
def ada(remote: Repo) -> Repo:
    return clone(remote, "ada")


@pytest.fixture
def bo(remote: Repo) -> Repo:
    return clone(remote, "bo")
