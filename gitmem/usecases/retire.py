"""Retire a memory: deprecated, with an heir or without, then archived; or withdraw a candidate. A person says why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitmem.errors import NotFoundError, UsageError
from gitmem.model.lifecycle import check_move
from gitmem.model.memory import RETIRED_AT, RETIRED_BECAUSE, Memory, Status
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.candidates import load_candidates
from gitmem.usecases.deny import close_candidate
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.marking import Move, edited, in_work_tree, work_tree
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.subjects import LIVING, no_such_memory
from gitmem.usecases.work_files import replace_file


@dataclass(frozen=True, slots=True)
class RetireRequest:
    """What to retire, and why.

    Args:
        id: The memory, or a candidate.
        reason: Why, one sentence.
        now: When.
        heir: Id of the memory that takes its place; None without one.
        archive: Put away what is deprecated or denied already.
    """

    id: str
    reason: str
    now: datetime
    heir: str | None = None
    archive: bool = False

    @property
    def wanted(self) -> Status:
        return Status.ARCHIVED if self.archive else Status.DEPRECATED


def retire(ledger: RunLedger, run: Run, teller: Teller, request: RetireRequest) -> Move:
    """Write the new status into the memory's file in the work tree, or withdraw a candidate in the ledger.

    What is retired so already is left as it is. An approved memory stays approved until the edit is merged.

    Args:
        ledger: Where candidates lie.
        run: Where the withdrawal of a candidate is recorded.
        teller: Who says so.
        request: What and why.

    Raises:
        NotFoundError: No memory and no candidate is meant, or the heir does not exist.
        UsageError: The heir is the memory itself, is retired, or leads back to it; or the id is a candidate's.
        LifecycleError: It stands where that move does not begin.
        NotServedError: The memory's file is not in the work tree.
    """
    knowledge = load_knowledge(ledger.repository)
    known = {one.memory.id: one.memory for one in knowledge.memories}
    if request.id not in known:
        return _withdraw(ledger, run, teller, request, knowledge)
    if request.heir is not None:
        _check_heir(request, known, knowledge)
    top = work_tree(ledger.repository)
    memory = in_work_tree(top, known[request.id])
    if memory.status is request.wanted and request.heir in {None, *memory.superseded_by}:
        because = memory.extra.get(RETIRED_BECAUSE)
        return Move(memory.id, memory.file, memory.status, memory.status, str(because or request.reason))
    check_move(memory.status, request.wanted, memory.id)
    _write(top, memory, request)
    return Move(memory.id, memory.file, memory.status, request.wanted, request.reason)


def _write(top: Path, memory: Memory, request: RetireRequest) -> None:
    fields = [
        ("status", request.wanted.value),
        *([("superseded_by", request.heir)] if request.heir is not None else []),
        (RETIRED_AT, request.now.isoformat(timespec="seconds")),
        (RETIRED_BECAUSE, request.reason),
    ]
    replace_file(top, memory.file, edited(top, memory.file, fields))


def _withdraw(
    ledger: RunLedger, run: Run, teller: Teller, request: RetireRequest, knowledge: Knowledge
) -> Move:
    """A candidate of that id is withdrawn, which is the only way to put one away that nobody denied."""
    if request.heir is not None and request.id in load_candidates(ledger).by_id:
        raise UsageError(
            f"{request.id} is a candidate: nothing takes the place of what was never knowledge",
            hint="leave --by out",
        )
    try:
        return close_candidate(ledger, run, teller, request.id, request.reason, to=Status.ARCHIVED)
    except NotFoundError:
        known = {one.memory.id for one in knowledge.memories}
        raise no_such_memory(request.id, known, knowledge.problems) from None


def _check_heir(request: RetireRequest, known: dict[str, Memory], knowledge: Knowledge) -> None:
    heir = request.heir or ""
    if heir == request.id:
        raise UsageError(f"{heir} cannot take its own place", hint="--by names another memory")
    if heir not in known:
        raise no_such_memory(heir, known, knowledge.problems)
    if known[heir].status not in LIVING:
        raise UsageError(f"{heir} is {known[heir].status} itself", hint="--by names a memory that is in use")
    if request.id in known[heir].superseded_by or knowledge.heirs.get(heir) == request.id:
        raise UsageError(
            f"{request.id} takes the place of {heir} already", hint="retire one of them without --by"
        )
