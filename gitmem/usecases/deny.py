"""Deny a candidate: it never becomes knowledge, and what is nearly the same is blocked with the reason."""

from __future__ import annotations

from gitmem.errors import LifecycleError, NotFoundError
from gitmem.model.candidate import Candidate, Standing
from gitmem.model.lifecycle import check_move
from gitmem.model.memory import Status
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.candidates import Candidates, load_candidates, record_decision
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.marking import Move
from gitmem.usecases.runs.recording import Teller

STATUSES = {
    Standing.OPEN: Status.CANDIDATE,
    Standing.PROPOSED: Status.CANDIDATE,
    Standing.DENIED: Status.DENIED,
    Standing.WITHDRAWN: Status.ARCHIVED,
}
"""Where a candidate stands as a status of the lifecycle; a proposal stays a candidate until it is merged."""


def deny(ledger: RunLedger, run: Run, teller: Teller, word: str, reason: str) -> Move:
    """Record that a candidate is denied; one that is denied already stays as it is.

    Args:
        ledger: Where candidates lie.
        run: Where the decision is recorded.
        teller: Who denies.
        word: Id of the candidate or the beginning of it, or id of the memory that it was proposed as.
        reason: Why.

    Raises:
        NotFoundError, UsageError: No or several candidates are meant.
        LifecycleError: It was withdrawn, or its memory is approved already.
    """
    return close_candidate(ledger, run, teller, word, reason, to=Status.DENIED)


def close_candidate(
    ledger: RunLedger, run: Run, teller: Teller, word: str, reason: str, *, to: Status
) -> Move:
    """Deny or withdraw; see `deny`."""
    candidate = find_candidate(load_candidates(ledger), word)
    _refuse_merged(load_knowledge(ledger.repository), candidate)
    before, closing = STATUSES[candidate.standing], candidate.closing
    if before is to and closing is not None:
        return Move(candidate.id, candidate.memory.file, before, to, closing.reason)
    check_move(before, to, candidate.id)
    decision = "denied" if to is Status.DENIED else "withdrawn"
    memory = closing.memory if closing else None
    record_decision(run, candidate.id, decision, teller, reason=reason, memory=memory)
    return Move(candidate.id, candidate.memory.file, before, to, reason)


def find_candidate(candidates: Candidates, word: str) -> Candidate:
    """The candidate of an id, of its beginning, or of the memory that it was proposed as.

    Raises:
        NotFoundError, UsageError: As `Candidates.find`.
    """
    try:
        return candidates.find(word)
    except NotFoundError:
        named = {one.memory: one.candidate for one in candidates.decisions if one.decision == "proposed"}
        if named.get(word) not in candidates.by_id:
            raise
        return candidates.by_id[named[word]]


def _refuse_merged(knowledge: Knowledge, candidate: Candidate) -> None:
    """A candidate whose memory is approved is none any more: what is to be done is done to the memory."""
    closing = candidate.closing
    proposed_as = closing.memory if closing and closing.decision == "proposed" else None
    for one in knowledge.memories:
        known = one.memory
        if one.merged and (known.origin.candidate == candidate.id or known.id == proposed_as):
            raise LifecycleError(
                f"{candidate.id} became the memory {known.id}, which is {known.status}",
                hint=f"gitmem retire {known.id} --reason TEXT",
                path=known.file,
            )
