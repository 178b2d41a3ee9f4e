"""List memories with what counts about them: effective status, approval, confirmations, warning."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple, cast

from gitmem.errors import GitmemError, NotFoundError
from gitmem.git.interface import Repository
from gitmem.model.approval import Approval
from gitmem.model.change import Commit
from gitmem.model.memory import Memory, Status
from gitmem.model.problem import Problem
from gitmem.model.validation import Validation
from gitmem.model.verdict import DriftReport, Judgement
from gitmem.promotion.replayed import replayed_blobs
from gitmem.store.ledger import RunLedger
from gitmem.trust.approval import Brought, approval_facts, claim_problems, validation_claim
from gitmem.trust.branch import Trusted
from gitmem.trust.effective import date_challenges, effective_status, moment, newest
from gitmem.usecases.ai_files import MEMORY_FOLDER
from gitmem.usecases.approvals import Asked, how_brought
from gitmem.usecases.candidates import Candidates, load_candidates
from gitmem.usecases.checking import check
from gitmem.usecases.knowledge import Knowledge, KnownMemory, KnownValidation, load_knowledge
from gitmem.usecases.request import Request
from gitmem.usecases.trusted import ask_server, trusted_branch
from gitmem.usecases.vantage import where_cut

if TYPE_CHECKING:
    from gitmem.git.program import ProgramRepository
    from gitmem.usecases.whereabouts import Whereabouts

LEDGER = "refs/ai/"
RETIRED = frozenset({Status.DENIED.value, Status.DEPRECATED.value, Status.ARCHIVED.value})


@dataclass(frozen=True, slots=True)
class Listed:
    """One memory as `list` and `show` tell it.

    Args:
        known: The memory and where it stands.
        effective_status: The status that counts (`gitmem.trust.effective`).
        approval: As git bears it out.
        confirmations: How often somebody looked, or said the same again.
        warning: What must be read with it, in words; empty when nothing is against it.
        heir: Id of the approved memory that took its place.
        where: Where it is proposed, when that is neither the trusted branch nor the judged tree.
    """

    known: KnownMemory
    effective_status: str
    approval: Approval
    confirmations: int
    warning: str = ""
    heir: str | None = None
    where: Whereabouts | None = None

    @property
    def memory(self) -> Memory:
        return self.known.memory


@dataclass(frozen=True, slots=True)
class Listing:
    """All memories of one state, the branch that was trusted for it, and every problem on the way."""

    trusted: Trusted
    memories: tuple[Listed, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which memories to list.

    Args:
        retired: Also what is denied, deprecated or archived.
        status: Only this effective status; given, it decides alone.
        kind: Only this kind.
        path: Only what is delivered at this path.
        element: Only what names this element.
    """

    retired: bool = False
    status: str | None = None
    kind: str | None = None
    path: str | None = None
    element: str | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """A commit that touched a memory's file, and under which path it left it."""

    commit: Commit
    path: str


class History(NamedTuple):
    """Commits that touched a memory's file, newest first.

    Args:
        touched: The commits.
        is_cut: Whether there may be older ones, which this shallow clone does not have.
    """

    touched: Sequence[Touched]
    is_cut: bool = False


class Loaded(NamedTuple):
    """What `list`, `show` and `status` start from; `remark` is what the server said, empty when not asked.

    `candidates` is what the ledger tells, empty where it cannot be read.
    """

    knowledge: Knowledge
    listing: Listing
    drift: DriftReport | None
    remark: str
    candidates: Candidates = Candidates()


def load_listing(repo: Repository, *, today: date, remote: bool = False) -> Loaded:
    """Load the knowledge of HEAD, check it against the code, and list it.

    Raises:
        NotServedError: With `remote`, when the server cannot be asked.
    """
    trusted, remark = ask_server(repo, trusted_branch(repo)) if remote else (None, "")
    # Without a commit there is no code to check.
    drift = check(repo, Request(today=today, trusted=trusted)) if repo.head() else None
    # What the server is to bear out is read from objects alone.
    knowledge = load_knowledge(repo, cached=not remote, trusted=trusted)
    told = _told(repo)
    repeated, replayed = told.repetitions, replayed_blobs(told.decisions)
    key = (knowledge, drift, today, repeated, replayed, where_cut(repo))
    listing = repo.kept(
        "listing",
        key,
        lambda: list_memories(
            repo, knowledge, drift=drift, today=today, confirmations=repeated, replayed=replayed
        ),
    )
    return Loaded(knowledge, listing, drift, remark, told)


def _told(repo: Repository) -> Candidates:
    """What the ledger says of memories; nothing of it where there is no run, or its refs cannot be read."""
    try:
        return load_candidates(RunLedger(cast("ProgramRepository", repo)))
    except GitmemError:
        return Candidates()


def list_memories(
    repo: Repository,
    knowledge: Knowledge,
    *,
    drift: DriftReport | None,
    today: date,
    confirmations: Mapping[str, int] | None = None,
    replayed: Container[str] = frozenset(),
) -> Listing:
    """Every memory with its status, approval and warning.

    Args:
        repo: Where the history lies.
        knowledge: What was loaded.
        drift: What the checker found in the same state; None judges by dates and marks alone.
        today: The day to judge dates at.
        confirmations: Repetitions from the ledger by memory id, on top of the validations.
        replayed: Blobs whose recorded scorecard says that replay passed.
    """
    brought = _brought(repo, knowledge)
    judged = {(one.id, one.proposed): one for one in drift.judgements} if drift else {}
    listed, problems = [], list(knowledge.problems)
    for known in knowledge.memories:
        way = brought.get(known.memory.file) if known.merged else None
        approval = _approval(knowledge, known, way, replayed)
        judgement = judged.get((known.memory.id, not known.merged))
        count = (confirmations or {}).get(known.memory.id, 0)
        listed.append(_listed(knowledge, known, approval, judgement, today=today, confirmations=count))
        problems += claim_problems(known.memory, approval, way)
        problems += _validation_claim(knowledge, known, replayed)
    return Listing(
        knowledge.trusted, tuple(listed), tuple(sorted({*problems, *(drift.problems if drift else ())}))
    )


def _validation_claim(
    knowledge: Knowledge, known: KnownMemory, replayed: Container[str]
) -> tuple[Problem, ...]:
    memory = known.memory
    if memory.validated_by is None:
        return ()
    from gitmem.usecases.rewording import words_digest  # loads the drift rules

    known_by = [one.validation for one in knowledge.validations_of(memory.id)]
    own = [one for one in known_by if one.text in {None, words_digest(memory)}]
    has_passed = known.blob in replayed or any(one.how == "replay" for one in own)
    looked = bool(own) or memory.last_validated_at is not None
    return validation_claim(memory, looked=looked, replayed=has_passed)


def _brought(repo: Repository, knowledge: Knowledge) -> Mapping[str, Brought]:
    if knowledge.trusted.commit is None:
        return {}
    tip = knowledge.trusted.commit
    asked = tuple(Asked(one.memory.file, one.blob) for one in knowledge.memories if one.merged)
    return repo.kept("brought", (tip, asked, where_cut(repo)), lambda: how_brought(repo, tip, asked))


def _approval(
    knowledge: Knowledge, known: KnownMemory, brought: Brought | None, replayed: Container[str]
) -> Approval:
    if not known.merged:
        return Approval("unmerged", verified=knowledge.trusted.verified)
    facts = approval_facts(
        brought,
        replayed=known.blob in replayed,
        require_review=knowledge.policy.require_review,
    )
    return replace(facts, verified=knowledge.trusted.verified)


def _listed(
    knowledge: Knowledge,
    known: KnownMemory,
    approval: Approval,
    judgement: Judgement | None,
    *,
    today: date,
    confirmations: int,
) -> Listed:
    memory = known.memory
    validations = [one.validation for one in knowledge.validations_of(memory.id)]
    challenged_by = judgement.challenged_by if judgement else _challenges(memory, knowledge, today)
    heir = knowledge.heirs.get(memory.id) if known.merged else None
    status = effective_status(
        memory, merged=approval.state == "merged", challenged_by=challenged_by, heir=heir
    )
    warning = judgement.warning if judgement else _date_warning(memory, challenged_by)
    return Listed(known, status, approval, len(validations) + confirmations, warning, heir)


def _challenges(memory: Memory, knowledge: Knowledge, today: date) -> tuple[str, ...]:
    last = newest(one.validation for one in knowledge.validations_of(memory.id) if one.merged)
    return date_challenges(memory, last.at if last else None, today)


def _date_warning(memory: Memory, challenged_by: Sequence[str]) -> str:
    words = {
        "review": f"review was due {memory.review_after}",
        "expiry": f"it expired {memory.expires_at}",
        "mark": f"marked as challenged: {memory.challenged_because or 'no reason given'}",
    }
    told = "; ".join(words[reason] for reason in challenged_by if reason in words)
    return f"VERIFY — {told}" if told else ""


def select(listing: Listing, wanted: Wanted) -> Listing:
    """The memories that are wanted; problems stay, since a file that did not load may be one of them."""
    chosen = tuple(one for one in listing.memories if _is_wanted(one, wanted))
    return replace(listing, memories=chosen)


def _is_wanted(one: Listed, wanted: Wanted) -> bool:
    if wanted.status is not None:
        by_status = one.effective_status == wanted.status
    else:
        by_status = wanted.retired or one.effective_status not in RETIRED
    return (
        by_status
        and wanted.kind in {None, one.memory.kind.value}
        and (wanted.path is None or is_delivered_at(one.memory, wanted.path))
        and (wanted.element is None or wanted.element in one.memory.scope.elements)
    )


def is_delivered_at(memory: Memory, path: str) -> bool:
    """Whether the scope's globs, exclusions taken out, hold the path; project-wide memories are delivered everywhere."""
    from gitmem.model.glob import parse_glob

    # A folder is asked for as if for a file in it, since globs name files.
    asked = [
        path.rstrip("/").encode("utf-8", "surrogateescape"),
        f"{path.rstrip('/')}/_".encode("utf-8", "surrogateescape"),
    ]

    def holds(pattern: str) -> bool:
        glob = parse_glob(pattern)
        return any(map(glob.matches, asked))

    inside = memory.scope.project or any(map(holds, memory.scope.paths))
    return inside and not any(map(holds, memory.scope.exclude))


def find(listing: Listing, memory_id: str) -> Listing:
    """The memory of that id, an unmerged edit behind it.

    Raises:
        NotFoundError: When there is none; the hint names the nearest.
    """
    chosen = tuple(one for one in listing.memories if one.memory.id == memory_id)
    if not chosen:
        raise NotFoundError(f"there is no memory {memory_id}", hint=_nearest(listing, memory_id))
    files = {one.memory.file for one in chosen}
    problems = tuple(one for one in listing.problems if one.file in files)
    return replace(listing, memories=chosen, problems=problems)


def _nearest(listing: Listing, memory_id: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(memory_id, sorted({one.memory.id for one in listing.memories}), n=1)
    broken = next(
        (one for one in listing.problems if memory_id in one.file and one.severity == "error"), None
    )
    if broken:
        return f"{broken.file} could not be read: {broken.message}"
    return f"did you mean {near[0]}?" if near else "gitmem list --all shows every id"


def history(repo: Repository, known: KnownMemory, tip: str) -> History:
    """Commits that touched the memory's file, newest first, across renames; merges are left out.

    The commit at which a shallow clone is cut seems to add every file and touched none of them
    (`gitmem.usecases.approvals.how_brought` passes it over too).

    Args:
        repo: Where the history lies.
        known: The memory.
        tip: The trusted tip when it is merged, else the commit judged.
    """
    path: str | None = known.memory.file
    touched: list[Touched] = []
    for commit, changes in repo.log_changes(until=tip, under=(MEMORY_FOLDER,), first_parent=False):
        found = next((one for one in changes if path in {one.new_path, one.old_path}), None)
        if found is None or len(commit.parents) > 1:
            continue
        if repo.layout.shallow and not commit.parents:
            return History(touched, is_cut=True)
        touched.append(Touched(commit, found.new_path or found.old_path or ""))
        if found.new_path == path and found.old_path is not None:
            path = found.old_path
    return History(touched)


def validations_of(knowledge: Knowledge, memory_id: str) -> tuple[KnownValidation, ...]:
    """Validations of a memory, newest first."""
    ordered = sorted(
        knowledge.validations_of(memory_id), key=lambda one: moment(one.validation), reverse=True
    )
    return tuple(ordered)


def validation_of(knowledge: Knowledge, memory: Memory) -> Validation | None:
    """The newest validation of these very words; None when nobody confirmed them."""
    from gitmem.usecases.rewording import words_digest  # loads the drift rules

    words = words_digest(memory)
    known = (one.validation for one in validations_of(knowledge, memory.id))
    return next((one for one in known if one.text in {None, words}), None)
