"""Proposals that lie on branches of their own: the same for `list`, `show` and `review`.

A proposal is a memory that is not merged, wherever its file stands. Those of the judged tree are part of what is known
there (`gitmem.usecases.knowledge`); the ledger tells of the others, and where they stand is looked up.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace
from typing import NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.approval import Approval
from gitmem.model.candidate import Candidate, Standing
from gitmem.usecases.candidates import Candidates
from gitmem.usecases.knowledge import Knowledge, KnownMemory
from gitmem.usecases.listing import Listed, Listing, Loaded
from gitmem.usecases.whereabouts import Whereabouts, find_proposal, read_proposal


class Proposal(NamedTuple):
    """A candidate that was proposed and is neither merged nor in the judged tree.

    Args:
        candidate: It.
        memory: Id of the memory that it became; the candidate's own where the ledger does not tell.
        where: Where its file stands; None when this clone has it nowhere.
    """

    candidate: Candidate
    memory: str
    where: Whereabouts | None


def elsewhere(
    repo: Repository, knowledge: Knowledge, candidates: Candidates, listed: Container[str]
) -> Iterator[Proposal]:
    """Proposals that stand elsewhere.

    Args:
        repo: The repository.
        knowledge: What HEAD and the trusted branch know.
        candidates: What the ledger tells.
        listed: Ids of the memories that HEAD and the trusted branch hold.
    """
    merged = {one.origin.candidate for one in knowledge.approved}
    for one in candidates.standing(Standing.PROPOSED):
        became = one.closing.memory if one.closing else None
        if one.id not in merged and became not in listed:
            yield Proposal(one, became or one.id, find_proposal(repo, knowledge, one.id, became))


def with_proposals(repo: Repository, loaded: Loaded) -> Listing:
    """The listing with the proposals that stand elsewhere in this clone behind it."""
    listing = loaded.listing
    known = {one.memory.id for one in listing.memories}
    found = elsewhere(repo, loaded.knowledge, loaded.candidates, known)
    told = tuple(one for proposal in found for one in _listed(repo, loaded, proposal))
    return replace(listing, memories=(*listing.memories, *told))


def _listed(repo: Repository, loaded: Loaded, proposal: Proposal) -> Iterator[Listed]:
    where = proposal.where
    memory = read_proposal(repo, where) if where is not None else None
    if where is not None and memory is not None:
        known = KnownMemory(memory, where.blob or "", merged=False)
        approval = Approval("unmerged", verified=loaded.knowledge.trusted.verified)
        times = loaded.candidates.repetitions.get(memory.id, 0)
        yield Listed(known, "proposed", approval, times, where=where)
