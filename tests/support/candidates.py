"""Candidates in the ledger of a repository, and what becomes of them, through the use cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.model.candidate import Candidate
from gitmem.model.memory import Kind, Memory, Origin, Scope, Status
from gitmem.report.proposal import proposal_message
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import load_candidates, record_candidate
from gitmem.usecases.propose import Draft, Proposal, ProposeRequest, Way, propose
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.repo import Repo

ADA = Teller("human")
NOW = datetime.fromisoformat("2026-07-20T10:00:00+09:00")
LESSON = Memory(
    id="candidate-20260713-7k2mq",
    file="",
    kind=Kind.CONVENTION,
    type="module_constraint",
    status=Status.CANDIDATE,
    title="Orders are sent once",
    summary="`send` ships an order before it answers",
    scope=Scope(paths=("src/shop.py",), does_not_apply_to=("none",)),
    origin=Origin(system="human"),
)
"""A person's own lesson about ``src/shop.py``, which the gate lets through to a person."""


def lesson(name: str = LESSON.id, summary: str = LESSON.summary, **fields: Any) -> Memory:
    return replace(LESSON, id=name, summary=summary, **fields)


def told(repo: Repo | Path, *lessons: Memory, teller: Teller = ADA, **beside: Any) -> None:
    """Record candidates in the inbox."""
    with RunLedger.open(_path(repo)) as ledger:
        for one in lessons or (LESSON,):
            record_candidate(inbox(ledger), one, teller, **beside)


def candidate(repo: Repo | Path, name: str = LESSON.id) -> Candidate:
    with RunLedger.open(_path(repo)) as ledger:
        return load_candidates(ledger).find(name)


def proposed(
    repo: Repo | Path,
    name: str = LESSON.id,
    way: Way = "branch",
    *,
    now: datetime = NOW,
    ask: Callable[[Draft], bool] | None = None,
) -> Proposal:
    with RunLedger.open(_path(repo)) as ledger:
        request = ProposeRequest(name, way, "Ada", now, proposal_message, ask)
        return propose(ledger, inbox(ledger), ADA, request)


def _path(repo: Repo | Path) -> Path:
    return repo.path if isinstance(repo, Repo) else repo
