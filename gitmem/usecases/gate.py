"""The promotion gate over candidates and proposed memories: load once, judge each.

Reads only. The policy is the trusted branch's, or that of a commit that is named as base; what a branch changes in it
does not count for what the same branch proposes (targets.md, security 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from gitmem.model.candidate import Candidate
from gitmem.model.memory import Memory
from gitmem.promotion.case import Case, Facts
from gitmem.promotion.gate import Judged, judge
from gitmem.promotion.ruling import Decision, RuleResult
from gitmem.store.ledger import RunLedger
from gitmem.usecases.gate_policy import CountingPolicy, counting_policy
from gitmem.usecases.knowledge import Knowledge, load_knowledge


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gate says of one candidate or memory file.

    Args:
        subject: Id of the candidate or memory.
        memory: What it says.
        judged: The decision with every rule's result.
        candidate: The candidate, when it is one.
        blob: Object id of the file, when it is one.
    """

    subject: str
    memory: Memory
    judged: Judged
    candidate: Candidate | None = None
    blob: str | None = None

    @property
    def decision(self) -> Decision:
        return self.judged.decision

    @property
    def lacking(self) -> tuple[RuleResult, ...]:
        """What speaks against it, gravest first."""
        return self.judged.lacking


class Gate:
    """The gate of one repository.

    Args:
        ledger: The ledger of the repository.
        base: Revision whose policy counts, for a change that is to be merged into it; the trusted branch by default.
        today: The day to judge dates at; the present day when None.

    Raises:
        InvalidDataError: The policy that counts cannot be read: the gate refuses to guess.
        NotFoundError: The base does not exist.
    """

    def __init__(self, ledger: RunLedger, *, base: str | None = None, today: date | None = None) -> None:
        self._ledger = ledger
        self._repository = ledger.repository
        self.policy: CountingPolicy = counting_policy(self._repository, base)
        self.knowledge: Knowledge = load_knowledge(self._repository)
        self._today = today or _today()

    def candidate(self, candidate: Candidate) -> Gated:
        """Judge a candidate of the ledger."""
        case = Case(
            candidate.memory,
            self.policy.policy,
            self._facts(),
            candidate.actor,
            candidate.requires_human_review,
        )
        return Gated(candidate.id, candidate.memory, judge(case), candidate=candidate)

    def memory(self, memory: Memory, blob: str | None = None) -> Gated:
        """Judge a memory file, or one that is about to be written.

        Args:
            memory: What it says.
            blob: Object id of the file; None when it is not written yet.
        """
        return Gated(memory.id, memory, judge(Case(memory, self.policy.policy, self._facts())), blob=blob)

    def _facts(self) -> Facts:
        return Facts(self._today)


def gate_candidate(ledger: RunLedger, candidate: Candidate) -> Gated:
    """What the gate says of one candidate; `Gate` for many. Errors as `Gate`."""
    return Gate(ledger).candidate(candidate)


def gate_memory(ledger: RunLedger, memory: Memory, blob: str | None = None) -> Gated:
    """What the gate says of one memory file; `Gate` for many. Errors as `Gate`."""
    return Gate(ledger).memory(memory, blob)


def _today() -> date:
    from datetime import datetime

    return datetime.now().astimezone().date()
