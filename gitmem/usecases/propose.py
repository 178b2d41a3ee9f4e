"""Propose a candidate: the gate first, then its memory file with a validation; the merge is the approval.

What is written is new files alone, so that proposals merge with plain git. Objects come first, then the decision in the
ledger, and last what makes it visible: the work tree's files, the proposal branch, or the trusted branch. What breaks off
in between is found unfinished by the next call, which goes on under the same memory id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from gitmem.drift.capturing import Captured
from gitmem.errors import InvalidDataError, NotServedError
from gitmem.git.grafting import tree_with
from gitmem.model.candidate import Candidate, Standing
from gitmem.model.lifecycle import check_move
from gitmem.model.memory import Memory, Status
from gitmem.promotion.proposal import folder_of, memory_id_of, proposed_memory
from gitmem.promotion.ruling import GateDecision, Outcome
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.memories import parse_memory
from gitmem.store.memory_writing import format_memory
from gitmem.store.validations import format_validation
from gitmem.usecases.ai_files import MEMORY_FOLDER
from gitmem.usecases.candidates import load_candidates, record_decision
from gitmem.usecases.first_validation import Looker, first_validation
from gitmem.usecases.gate import Gate, Gated
from gitmem.usecases.gating.asked import scorecard
from gitmem.usecases.marking import work_tree
from gitmem.usecases.on_trusted_branch import commit_there, refuse_unready
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.subjects import scope_spec
from gitmem.usecases.whereabouts import Whereabouts, branch_of, find_proposal, read_proposal
from gitmem.usecases.work_files import refuse_links, write_new_file

Way = Literal["worktree", "branch", "commit"]
_STOPPING = frozenset({GateDecision.REFUSE, GateDecision.HOLD})
"""What needs a person goes on: the pull request, or the terminal, is where one decides."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal before anything is written.

    Args:
        candidate: Where it comes from.
        memory: As its file will say it.
        files: Content by repository path: the memory and its validation.
        base: The commit it is proposed against; None where there is none yet.
        gate: What the gate said.
        captured: What it rests on there, and the names that are nowhere; None without a commit.
    """

    candidate: Candidate
    memory: Memory
    files: Mapping[str, bytes]
    base: str | None
    gate: Gated
    captured: Captured | None = None


@dataclass(frozen=True, slots=True)
class ProposeRequest:
    """What to propose, and how.

    Args:
        candidate: Id of the candidate, or the beginning of exactly one.
        way: Into the work tree, on a branch of its own, or straight onto the trusted branch.
        by: Who found it true, as the validation says.
        now: When.
        describe: Makes the commit message.
        ask: Shows the proposal to a person and returns the answer; None when nobody can be asked.
    """

    candidate: str
    way: Way
    by: str
    now: datetime
    describe: Callable[[Draft], str]
    ask: Callable[[Draft], bool] | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What came of it.

    Args:
        candidate: The candidate.
        gate: What the gate said; None when it was proposed before and not asked again.
        memory: As the file says it; None when the gate or the person stopped it.
        where: Where it stands; None when it was stopped.
        already: Whether it stood there before.
        declined: Whether the person who was asked said no.
        message: The commit message, which is the pull request's text; empty when nothing was committed.
        trusted: Short name of the trusted branch; empty without one.
        remote: The remote that it stands for; None for a local branch.
        captured: As in `Draft`.
    """

    candidate: Candidate
    gate: Gated | None
    memory: Memory | None = None
    where: Whereabouts | None = None
    already: bool = False
    declined: bool = False
    message: str = ""
    trusted: str = ""
    remote: str | None = None
    captured: Captured | None = None


def propose(ledger: RunLedger, run: Run, teller: Teller, request: ProposeRequest) -> Proposal:
    """Propose a candidate, or say where its proposal stands.

    Args:
        ledger: Where candidates and decisions lie.
        run: Where the decision is recorded.
        teller: Who proposes.
        request: What and how.

    Raises:
        NotFoundError, UsageError: No or several candidates are meant.
        LifecycleError: It was denied or withdrawn.
        NotServedError: This repository cannot take it that way.
        RaceError: The branch moved meanwhile; nothing is half done.
    """
    work = _Work(ledger, run, teller, request)
    found = find_proposal(work.repo, work.knowledge, work.candidate.id, work.memory_id)
    if found is not None:
        memory = read_proposal(work.repo, found)
        return replace(work.outcome(None), memory=memory, where=found, already=True)
    base = work.base()
    if request.way == "commit":
        refuse_unready(work.repo, work.knowledge.trusted, asked=request.ask is not None)
    gated = work.gate.candidate(work.candidate)
    if gated.decision in _STOPPING:
        return work.outcome(gated)
    draft = work.draft(base, gated)
    if request.way == "commit" and not (request.ask and request.ask(draft)):
        return replace(work.outcome(gated), declined=True)
    where = work.write(draft)
    message = request.describe(draft) if where.place == "branch" else ""
    return replace(
        work.outcome(gated), memory=draft.memory, where=where, message=message, captured=draft.captured
    )


def _refuse_closed(candidate: Candidate) -> None:
    closed = {Standing.DENIED: Status.DENIED, Standing.WITHDRAWN: Status.ARCHIVED}.get(candidate.standing)
    if closed is None or candidate.closing is None:
        return
    said = candidate.closing
    because = f": {said.reason[:200]}" if said.reason else ""
    told = f"{candidate.id} was {'denied' if closed is Status.DENIED else 'withdrawn'} by {said.by} at {said.at[:10]}{because};"
    check_move(closed, Status.ACTIVE, told)


def _has_replayed(gate: Gated) -> bool:
    return any(one.rule == "replay" and one.outcome is Outcome.PASSED for one in gate.judged.results)


class _Work:
    """One proposal under way."""

    def __init__(self, ledger: RunLedger, run: Run, teller: Teller, request: ProposeRequest) -> None:
        self.repo = ledger.repository
        self._run = run
        self._teller = teller
        self._request = request
        self._candidates = load_candidates(ledger)
        self.candidate = self._candidates.find(request.candidate)
        _refuse_closed(self.candidate)
        closing = self.candidate.closing
        self.memory_id = closing.memory if closing else None
        self.gate = Gate(ledger, today=request.now.date())
        self.knowledge = self.gate.knowledge

    def outcome(self, gated: Gated | None) -> Proposal:
        trusted = self.knowledge.trusted
        return Proposal(self.candidate, gated, trusted=trusted.name, remote=trusted.remote)

    def base(self) -> str | None:
        """The commit that the proposal is made against: HEAD in the work tree, else the trusted tip."""
        if self._request.way == "worktree":
            refuse_links(work_tree(self.repo), MEMORY_FOLDER)
            return self.repo.head()
        trusted = self.knowledge.trusted
        if trusted.commit is None:
            raise NotServedError(
                f"there is no trusted branch to propose to: {trusted.why}",
                hint="without --branch the file is written into the work tree",
            )
        return trusted.commit

    def draft(self, base: str | None, gated: Gated) -> Draft:
        memory = self._memory(base)
        files = {memory.file: format_memory(memory)}
        parsed = parse_memory(memory.file, files[memory.file])
        if parsed.memory != memory:
            why = next((f": {one.message}" for one in parsed.problems if one.severity == "error"), "")
            raise InvalidDataError(
                f"{self.candidate.id} says what no memory file can hold{why}",
                hint="gitmem deny it with the reason, and remember the lesson in plain words",
            )
        captured = None
        if base is not None:
            how: Literal["looked", "replay"] = "replay" if _has_replayed(gated) else "looked"
            looker = Looker(self._request.by, self._request.now, how)
            spec = scope_spec(memory, self.knowledge)
            first = first_validation(self.repo, memory, spec, base, looker)
            if spec.include and not first.matched:
                self._refuse_nowhere()
            files[first.validation.file] = format_validation(first.validation)
            captured = first.captured
        return Draft(self.candidate, memory, files, base, gated, captured)

    def _refuse_nowhere(self) -> None:
        """Code that lies on no trusted branch yet: the memory would be in doubt from its first day."""
        if self._request.way != "worktree":
            raise NotServedError(
                f"the scope of {self.candidate.id} matches no file of {self.knowledge.trusted.name}",
                hint="merge the code first, or leave --branch out so that both come with one pull request",
            )

    def _memory(self, base: str | None) -> Memory:
        told = self._candidates.decisions
        others = {one.memory.id for one in self.knowledge.memories}
        others |= {one.memory for one in told if one.memory and one.candidate != self.candidate.id}
        paths = self.repo.list_tree(base, under=MEMORY_FOLDER) if base is not None else ()
        return proposed_memory(
            self.candidate,
            self.knowledge.policy,
            self._request.now.date(),
            memory_id=self.memory_id or memory_id_of(self.candidate, others),
            folder=folder_of(
                self.candidate.memory, {one.path.split("/")[2] for one in paths if one.path.count("/") > 2}
            ),
            approved={one.id: one.title for one in self.knowledge.approved},
        )

    def write(self, draft: Draft) -> Whereabouts:
        blobs = {path: self.repo.write_blob(data) for path, data in draft.files.items()}
        way, memory, blob = self._request.way, draft.memory, blobs[draft.memory.file]
        commit = self._commit(draft, blobs) if way != "worktree" else None
        told = {"memory": memory.id, "blob": blob, "scorecard": scorecard(self.gate, draft.gate)}
        record_decision(self._run, self.candidate.id, "proposed", self._teller, **told)
        if commit is None:
            for path, data in draft.files.items():
                write_new_file(work_tree(self.repo), path, data)
            return Whereabouts("worktree", memory.id, memory.file)
        if way == "branch":
            ref = branch_of(memory.id)
            self.repo.move_ref(ref, commit, old=None, message="gitmem propose")
            return Whereabouts(
                "branch", memory.id, memory.file, ref.removeprefix("refs/heads/"), commit, blob
            )
        trusted = self.knowledge.trusted
        commit_there(self.repo, trusted, commit, draft.files, blobs)
        return Whereabouts("merged", memory.id, memory.file, trusted.name, commit, blob)

    def _commit(self, draft: Draft, blobs: Mapping[str, str]) -> str:
        assert draft.base is not None
        return self.repo.write_commit(
            tree=tree_with(self.repo.layout, draft.base, blobs),
            parents=[draft.base],
            message=self._request.describe(draft),
            author=self.repo.identity(),
            at=self._request.now.isoformat(),
        )
