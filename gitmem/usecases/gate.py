"""The promotion gate over candidates and proposed memories: load once, judge each.

Reads only; `record_gated` writes. The policy is the trusted branch's, or that of a commit that is named as base; what a
branch changes in it does not count for what the same branch proposes (targets.md, security 2).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from gitmem.git.interface import Repository
from gitmem.model.approval import Approval
from gitmem.model.candidate import Candidate, Decision, Standing
from gitmem.model.change import TreeEntry
from gitmem.model.memory import Memory
from gitmem.promotion.case import Alike, Case, Facts, Known, Replay
from gitmem.promotion.gate import Judged, judge
from gitmem.promotion.replayed import newest_replay
from gitmem.promotion.ruling import GateDecision, RuleResult
from gitmem.promotion.similarity import Band
from gitmem.redaction.masking import Masker, masker_of
from gitmem.store.ledger import RunLedger
from gitmem.trust.approval import claim_problems
from gitmem.trust.branch import Trusted
from gitmem.usecases.ai_files import is_memory_file
from gitmem.usecases.candidates import Candidates, load_candidates
from gitmem.usecases.embedding.asking import Comparing
from gitmem.usecases.gating.files import JudgedFiles
from gitmem.usecases.gating.freshness import Freshness, learnt_at
from gitmem.usecases.gating.neighbours import Neighbours, in_words, make_statements, rivals
from gitmem.usecases.gating.policy import CountingPolicy, counting_policy
from gitmem.usecases.gating.proofs import ProofReader, Standpoint
from gitmem.usecases.gating.told import Told, load_told, source_events
from gitmem.usecases.gating.transient import transient_paths
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.trusted import trusted_branch


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gate says of one candidate or memory file.

    Args:
        subject: Id of the candidate or memory; the path of a file that cannot be read.
        judged: The decision with every rule's result.
        memory: What it says; None for a file that cannot be read.
        candidate: The candidate, when it is one.
        file: Path of the file, when it is one.
        blob: Its object id.
        is_approved: Whether a merge approved it as it stands, so that there is nothing left to decide.
    """

    subject: str
    judged: Judged
    memory: Memory | None = None
    candidate: Candidate | None = None
    file: str = ""
    blob: str | None = None
    is_approved: bool = False

    @property
    def decision(self) -> GateDecision:
        return self.judged.decision

    @property
    def results(self) -> tuple[RuleResult, ...]:
        return self.judged.results

    @property
    def lacking(self) -> tuple[RuleResult, ...]:
        """What speaks against it, gravest first."""
        return self.judged.lacking


class Gate:
    """The gate of one repository.

    Args:
        ledger: The ledger of the repository.
        base: Revision that holds what is approved and the policy, for a change that is to be merged into it; the trusted
            branch by default.
        today: The day to judge dates at; the present day when None.
        worktree: Whether uncommitted memory files count as proposed.

    Raises:
        InvalidDataError: The policy that counts cannot be read: the gate refuses to guess.
        NotFoundError: The base does not exist.
    """

    def __init__(
        self,
        ledger: RunLedger,
        *,
        base: str | None = None,
        today: date | None = None,
        worktree: bool = False,
    ) -> None:
        self._ledger = ledger
        self.repository = ledger.repository
        self.trusted = _trusted(self.repository, base)
        self.policy: CountingPolicy = counting_policy(self.repository, self.trusted)
        self._today = today or _present_day()
        is_worktree = worktree and self.repository.layout.work_tree is not None
        entries = self.repository.worktree_entries() if is_worktree else None
        self.files = JudgedFiles(self.repository, self.trusted.commit, entries)

    @cached_property
    def candidates(self) -> Candidates:
        return load_candidates(self._ledger)

    @cached_property
    def knowledge(self) -> Knowledge:
        read = self.files.read if self.files.entries is not None else None
        return load_knowledge(self.repository, entries=self.files.entries, read=read, trusted=self.trusted)

    def proposes(self, entry: TreeEntry) -> bool:
        """Whether a file says something else than what is approved; free fields alone propose nothing."""
        return (entry.path, entry.oid) in self._proposed or entry.path not in self._approved

    @cached_property
    def _proposed(self) -> frozenset[tuple[str, str]]:
        return frozenset((one.memory.file, one.blob) for one in self.knowledge.memories if not one.merged)

    @cached_property
    def _approved(self) -> frozenset[str]:
        return frozenset(one.memory.file for one in self.knowledge.memories if one.merged)

    def candidate(self, candidate: Candidate) -> Gated:
        """Judge a candidate of the ledger."""
        memory = candidate.memory
        facts = self._facts(memory, candidate, of=candidate.commit, merged=False)
        case = Case(memory, self.policy.policy, facts, candidate.actor, candidate.requires_human_review)
        return Gated(candidate.id, judge(case), memory, candidate=candidate)

    def memory(self, memory: Memory, blob: str | None = None) -> Gated:
        """Judge a memory file, or one that is about to be written.

        Args:
            memory: What it says; its file is its path.
            blob: Object id of the file; None when it is not written yet.
        """
        candidate = self.candidates.by_id.get(memory.origin.candidate or "")
        merged = any(one.merged and one.blob == blob for one in self.knowledge.memories)
        facts = self._facts(memory, candidate, of=blob, merged=merged)
        review = candidate is not None and candidate.requires_human_review
        actor = candidate.actor if candidate else ""
        case = Case(memory, self.policy.policy, facts, actor, review, is_file=True)
        return Gated(memory.id, judge(case), memory, file=memory.file, blob=blob)

    def contradictions(self, candidate: Candidate) -> tuple[Alike, ...]:
        """What is known and may say otherwise than a candidate; those that a person answered name the answer."""
        decisions = self._decisions(candidate.memory, candidate)
        near = self._neighbours.alike(candidate.memory, decisions)
        return tuple(one for one in near if one.band is Band.CONFLICT and one.known is not Known.DENIED)

    # facts
    def _facts(self, memory: Memory, candidate: Candidate | None, *, of: str | None, merged: bool) -> Facts:
        decisions = self._decisions(memory, candidate)
        runs = (memory.origin.run, candidate.run if candidate else None)
        events = source_events(self._ledger, memory.origin.source_events, runs)
        since = learnt_at(self.repository, self._told, candidate) if candidate else None
        codes = [one.code for one in events if one.code]
        standing = self._freshness.standing(memory, since or (codes[-1] if codes else None))
        fixed_by = candidate.fixed_by if candidate else None
        replay = _replay(decisions, of)
        return Facts(
            self._today,
            proofs=self._proofs.proofs(memory, fixed_by, runs[0] or runs[1]),
            events=events,
            matched=standing.matched,
            unknown_elements=standing.unknown_elements,
            verdict=standing.verdict,
            drifted=standing.drifted,
            masked=self._masked(memory),
            transient=transient_paths(self.repository, memory.text),
            alike=(*_own_denial(memory, candidate), *self._neighbours.alike(memory, decisions)),
            replay=replay,
            merged=merged,
            claims=_claims(memory, replay) if is_memory_file(memory.file) and not merged else (),
            rivals=rivals(memory, self.files.paths, self.knowledge.memories, decisions),
        )

    def _decisions(self, memory: Memory, candidate: Candidate | None) -> Sequence[Decision]:
        """All that was decided about a lesson, under its own id or that of the candidate that it comes from."""
        ids = {memory.id, candidate.id if candidate else memory.id}
        return [one for one in self.candidates.decisions if one.candidate in ids or one.memory in ids]

    def _masked(self, memory: Memory) -> dict[str, int]:
        parts = (memory.text, memory.origin.root_cause, memory.verification.probe)
        return dict(self._masker.mask("\n".join(part for part in parts if part)).kinds)

    @cached_property
    def _masker(self) -> Masker:
        return masker_of(os.environ)

    @cached_property
    def _told(self) -> Told:
        return load_told(self._ledger)

    @cached_property
    def _proofs(self) -> ProofReader:
        standpoint = Standpoint(self.repository.head(), self.trusted.commit, self.trusted.name)
        return ProofReader(self._ledger, self._told, standpoint)

    @cached_property
    def _freshness(self) -> Freshness:
        return Freshness(self.repository, self.knowledge, self._told)

    @cached_property
    def _neighbours(self) -> Neighbours:
        known = (self.knowledge, self.candidates)
        statements = self.repository.kept("statements", known, lambda: make_statements(*known))
        return Neighbours(*known, Comparing(self.repository).cosines, statements)


def gate_candidate(ledger: RunLedger, candidate: Candidate) -> Gated:
    """What the gate says of one candidate; `Gate` for many. Errors as `Gate`."""
    return Gate(ledger).candidate(candidate)


def gate_memory(ledger: RunLedger, memory: Memory, blob: str | None = None) -> Gated:
    """What the gate says of one memory file; `Gate` for many. Errors as `Gate`."""
    return Gate(ledger).memory(memory, blob)


def _trusted(repository: Repository, base: str | None) -> Trusted:
    if base is None:
        return trusted_branch(repository)
    return Trusted(base, repository.resolve(base), "--base names it")


def _present_day() -> date:
    from datetime import datetime

    return datetime.now().astimezone().date()


def _own_denial(memory: Memory, candidate: Candidate | None) -> tuple[Alike, ...]:
    closing = candidate.closing if candidate else None
    if closing is None or candidate is None or candidate.standing is not Standing.DENIED:
        return ()
    return (Alike(memory.origin.candidate or memory.id, Known.DENIED, Band.SAME, told=in_words(closing)),)


def _replay(decisions: Sequence[Decision], of: str | None) -> Replay | None:
    card = newest_replay(decisions, of) if of else None
    if card is None:
        return None
    return Replay(str(card.get("verdict")), f"`{card.get('command') or card.get('probe')}`")


def _claims(memory: Memory, replay: Replay | None) -> tuple[str, ...]:
    told = [one.message for one in claim_problems(memory, Approval("unmerged"), None)]
    if memory.validated_by == "replay" and not (replay and replay.has_passed):
        told.append("validated_by: replay, but the ledger has no replay of this that passed")
    return tuple(told)
