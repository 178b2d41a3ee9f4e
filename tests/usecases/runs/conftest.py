from __future__ import annotations

from collections.abc import Iterator

import pytest

from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.starting import start_run
from tests.support.repo import Repo


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    with RunLedger.open(repo.path) as opened:
        yield opened


@pytest.fixture
def run(ledger: RunLedger) -> Run:
    """A run with its first event, the current one."""
    return start_run(ledger, "checkout", actor="human", run="run-1")[0]
