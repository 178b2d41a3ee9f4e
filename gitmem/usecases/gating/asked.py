"""What `gitmem gate` is asked about: candidates and memory files by name, or everything open; and its decision recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gitmem.errors import GitmemError, NotFoundError
from gitmem.model.candidate import Standing
from gitmem.model.change import TreeEntry
from gitmem.model.event import Event
from gitmem.model.problem import Problem
from gitmem.promotion.gate import Judged
from gitmem.promotion.loosening import loosened
from gitmem.promotion.ruling import GateDecision, RuleResult, failed
from gitmem.store.ledger import Run
from gitmem.store.policies import MEMORY_POLICY, parse_memory_policy
from gitmem.usecases.candidates import record_decision
from gitmem.usecases.gate import Gate, Gated
from gitmem.usecases.gating.files import names_file
from gitmem.usecases.runs.listing import RunProblem
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.trusted import ask_server

_GRAVEST_FIRST: Final = (GateDecision.REFUSE, GateDecision.HOLD, GateDecision.NEEDS_HUMAN)


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """Everything that `gitmem gate` tells.

    Args:
        gated: One for each subject.
        remarks: What is said once: a policy that does not count, what the server says.
        problems: Runs, candidates and files that could not be read.
    """

    gated: tuple[Gated, ...]
    remarks: tuple[str, ...] = ()
    problems: tuple[RunProblem | Problem, ...] = ()

    def has(self, mildest: str) -> bool:
        """Whether the gate decided this or something graver about any of them."""
        graver = _GRAVEST_FIRST[: _GRAVEST_FIRST.index(GateDecision(mildest)) + 1]
        return any(one.decision in graver for one in self.gated)


def ask_gate(gate: Gate, words: Sequence[str], *, remote: bool = False) -> GateAnswer:
    """Judge what is asked for.

    Args:
        gate: The gate.
        words: Ids of candidates or memories, or the beginning of exactly one candidate's, and paths of memory files; all
            open candidates and proposed files when empty.
        remote: Whether the server is asked where its default branch stands.

    Raises:
        NotFoundError: A candidate or file that does not exist.
        NotServedError: With `remote`, when the server cannot be asked.
    """
    gated = tuple(_one(gate, word) for word in words) if words else (*_open(gate), *_proposed(gate))
    remarks = list(policy_remarks(gate))
    if remote:
        remarks.append(ask_server(gate.repository, gate.trusted)[1])
    return GateAnswer(gated, tuple(remarks), gate.candidates.problems)


def ask_proposed(gate: Gate) -> GateAnswer:
    """Judge the memory files that HEAD or the work tree proposes, and no candidate of the ledger."""
    return GateAnswer(tuple(_proposed(gate)), tuple(policy_remarks(gate)), gate.candidates.problems)


def _one(gate: Gate, word: str) -> Gated:
    if names_file(word):
        return _file(gate, gate.files.entry(word))
    try:
        return gate.candidate(gate.candidates.find(word))
    except NotFoundError:
        known = [one for one in gate.knowledge.memories if one.memory.id == word]
        if not known:
            raise
        return gate.memory(known[-1].memory, known[-1].blob)


def _open(gate: Gate) -> Iterator[Gated]:
    yield from (gate.candidate(one) for one in gate.candidates.standing(Standing.OPEN))


def _proposed(gate: Gate) -> Iterator[Gated]:
    yield from (_file(gate, entry) for entry in gate.files.own if gate.proposes(entry))


def _file(gate: Gate, entry: TreeEntry) -> Gated:
    """What the gate says of a file; of one that is approved as it stands that there is nothing to decide.

    A rule that came later, or that a person overruled by the merge, holds up no commit that leaves the memory alone.
    """
    parsed = gate.files.parse(entry)
    if parsed.memory is not None:
        holder = _holder(gate, parsed.memory.id, entry.path)
        if holder is not None:
            said = f"the id {parsed.memory.id} is taken by {holder}, so that this file would be left out"
            taken = failed("unique_id", said, "give it an id of its own, or change that file instead")
            judged = Judged(GateDecision.REFUSE, (taken,))
            return Gated(parsed.memory.id, judged, parsed.memory, file=entry.path, blob=entry.oid)
        if gate.proposes(entry):
            return gate.memory(parsed.memory, entry.oid)
        nothing = Judged(GateDecision.ACCEPT, ())
        return Gated(
            parsed.memory.id, nothing, parsed.memory, file=entry.path, blob=entry.oid, is_approved=True
        )
    first = next((one for one in parsed.problems if one.severity == "error"), None)
    place = f"line {first.line}: " if first and first.line else ""
    said = f"{place}{first.message}" if first else "it cannot be read"
    result = failed(
        "readable", said, (first.hint if first else "") or "gitmem lint tells what is wrong with it"
    )
    return Gated(entry.path, Judged(GateDecision.REFUSE, (result,)), file=entry.path, blob=entry.oid)


def _holder(gate: Gate, memory_id: str, path: str) -> str | None:
    """The approved file of that id that stands beside a file."""
    known = (one.memory.file for one in gate.knowledge.memories if one.merged and one.memory.id == memory_id)
    return next((file for file in known if file != path and file in gate.files.paths), None)


def policy_remarks(gate: Gate) -> Iterator[str]:
    """What the policy of this branch would loosen: said, and not obeyed."""
    data = gate.files.read(MEMORY_POLICY)
    if gate.policy.commit is None:
        why = gate.trusted.why
        yield f"judged by the defaults, since no branch is trusted here: {why}"
    if data is None:
        return
    own = parse_memory_policy(MEMORY_POLICY, data).policy
    if own is None:
        yield f"{MEMORY_POLICY} here cannot be read; judged by that of {gate.policy.of}"
    elif looser := loosened(gate.policy.policy, own):
        yield f"{MEMORY_POLICY} here is looser than that of {gate.policy.of}, which counts: {'; '.join(looser)}"


# recording
def scorecard(gate: Gate, gated: Gated) -> Mapping[str, Any]:
    """What is recorded of a decision: by which policy, on which code, and what every rule said."""
    of = gated.candidate.commit if gated.candidate else gated.blob
    head = gate.repository.head()
    return {
        "of": of or "",
        "policy": gate.policy.commit or "",
        "head": head or "",
        "rules": [_plain(one) for one in gated.results],
    }


def _plain(result: RuleResult) -> dict[str, str]:
    told = {
        "rule": result.rule,
        "outcome": result.outcome.value,
        "reason": result.reason,
        "cure": result.cure,
    }
    return {name: value for name, value in told.items() if value}


def record_gated(gate: Gate, run: Run, gated: Gated, teller: Teller) -> Event | None:
    """Write a decision with its scorecard into the ledger.

    Returns:
        The event; None when the newest decision of the gate on it says exactly the same, or there is nothing to decide or
        to name.
    """
    if gated.memory is None or gated.is_approved:
        return None
    candidate = gated.candidate.id if gated.candidate else gated.memory.origin.candidate or gated.memory.id
    card = scorecard(gate, gated)
    before = [
        one
        for one in gate.candidates.decisions
        if one.candidate == candidate and one.decision in set(GateDecision) and one.blob == gated.blob
    ]
    if before and before[-1].decision == gated.decision.value and dict(before[-1].scorecard) == dict(card):
        return None
    worst = gated.lacking[0] if gated.lacking else None
    return record_decision(
        run,
        candidate,
        gated.decision.value,
        teller,
        reason=f"{worst.rule}: {worst.reason}" if worst else "every rule passed",
        memory=None if gated.candidate else gated.memory.id,
        blob=gated.blob,
        scorecard=card,
    )


def run_to_record(ledger_run: Run | None, inbox: Run) -> Run:
    """Where decisions go: the run that is current, else the inbox."""
    try:
        return ledger_run if ledger_run is not None and ledger_run.exists() else inbox
    except GitmemError:
        return inbox
