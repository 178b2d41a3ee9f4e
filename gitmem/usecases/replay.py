"""Replay: run the probe of a memory or candidate in a clean checkout, and record what it says (domain.md section 3 "Replay").

Every replay is recorded as ``promotion_decided`` with the decision ``replayed``, the logs beside it; the scorecard names exactly
what was replayed (`gitmem.promotion.replayed`). What follows. Passed: a memory gets a validation ``how: replay``, which takes a
challenge back once it is merged, and an approved one a ``memory_confirmed`` event. Failed: an approved memory that was active
is challenged, and one that was challenged is retired, in its file in the work tree as ``challenge`` and ``retire`` do; merging
that edit is a person's decision. Unknown, and whatever a candidate's says: nothing but the record.

Only what is named is run. The probe of an approved memory whose file says another one here, unmerged, is run only when
somebody says yes to that very command: the name alone would promise the approved one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from gitmem.errors import GitmemError, InvalidDataError, NotFoundError, NotServedError
from gitmem.git.interface import Repository
from gitmem.model.candidate import Candidate
from gitmem.model.event import Event
from gitmem.model.memory import Memory, Status
from gitmem.model.policy import MemoryPolicy
from gitmem.promotion.replayed import REPLAYED, ReplayVerdict, Scorecard, scorecard_payload
from gitmem.running.probing import stop_signals_interrupt
from gitmem.store.candidate_events import CONFIRMATION, DECISION, decision_payload
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.policies import MEMORY_POLICY
from gitmem.usecases.candidates import Candidates, load_candidates
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.drift import examine
from gitmem.usecases.knowledge import Knowledge, KnownMemory, load_knowledge
from gitmem.usecases.marking import Move, challenge
from gitmem.usecases.replay_sides import Place, places, run_at
from gitmem.usecases.request import Request, Target
from gitmem.usecases.retire import RetireRequest, retire
from gitmem.usecases.runs.inbox import find_run_to_write, inbox
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.subjects import LIVING, no_such_memory

LIMIT = 300.0
"""Seconds for one run, unless the caller or ``budgets: {replay_seconds: N}`` of the policy says otherwise."""
LIMIT_BUDGET = "replay_seconds"


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What to replay.

    Args:
        ids: Memories and candidates, or beginnings of a candidate's id.
        by: Who asked for it; the validation says so.
        teller: Who tells the events.
        now: When.
        limit: Seconds for one run; the policy's, else `LIMIT`, when None.
        run: The run that is written to; the current one, else the inbox, when None.
    """

    ids: Sequence[str]
    by: str
    teller: Teller
    now: datetime
    limit: float | None = None
    run: str | None = None


@dataclass(frozen=True, slots=True)
class ReplaySubject:
    """What a probe belongs to.

    Args:
        memory: The words.
        of: What exactly is replayed: commit of the candidate's event, or object id of the memory's file.
        fix: The fixing commit; None when none is named.
        probe: As written; empty when there is none.
        command: What is run.
        candidate: Where it is one.
        known: Where it is a memory.
        is_edited: Whether an approved memory has another probe here.
    """

    memory: Memory
    of: str
    fix: str | None
    probe: str
    command: str
    candidate: Candidate | None = None
    known: KnownMemory | None = None
    is_edited: bool = False

    @property
    def id(self) -> str:
        return self.memory.id


@dataclass(frozen=True, slots=True)
class Replayed:
    """One replay and what followed.

    Args:
        subject: What was replayed.
        card: What was found.
        event: What was recorded; None when nothing could be.
        validation: Repository path of the validation that was written.
        move: The status that was written into the memory's file.
        notes: What else to say.
    """

    subject: ReplaySubject
    card: Scorecard
    event: Event | None = None
    validation: str | None = None
    move: Move | None = None
    notes: tuple[str, ...] = ()


class Watcher(NamedTuple):
    """Args:
    may_run: Asked before an unmerged probe of an approved memory is run; None where nobody can be asked.
    begins: Told of each run before it begins.
    """

    may_run: Callable[[ReplaySubject], bool] | None = None
    begins: Callable[[ReplaySubject, Place], None] = lambda *_: None


def replay(
    repository: Repository, ledger: RunLedger, request: ReplayRequest, watcher: Watcher | None = None
) -> tuple[Replayed, ...]:
    """Replay memories and candidates, one after the other; each is recorded before the next begins.

    Raises:
        NotFoundError, UsageError: A name is no memory's and no candidate's, or several candidates'; nothing was run.
        NotServedError: No commits, a broken policy, or an unmerged probe that nobody said yes to; nothing was run.
    """
    head = repository.head()
    if head is None:
        raise NotServedError(
            "there is no commit yet, so nothing can be replayed", hint="commit the code first"
        )
    watching = watcher or Watcher()
    run = find_run_to_write(ledger, request.run) if request.run else ledger.current() or inbox(ledger)
    knowledge, candidates = load_knowledge(repository), load_candidates(ledger)
    subjects = [_subject(word, knowledge, candidates) for word in dict.fromkeys(request.ids)]
    _refuse_unasked(subjects, watching)
    limit = request.limit or float(knowledge.policy.budgets.get(LIMIT_BUDGET, LIMIT))
    session = _Session(repository, ledger, run, head, replace(request, limit=limit), watching)
    with stop_signals_interrupt():
        return tuple(_replay(session, one) for one in subjects)


# what is meant
def _subject(word: str, knowledge: Knowledge, candidates: Candidates) -> ReplaySubject:
    group = [one for one in knowledge.memories if one.memory.id == word]
    if group:
        return _memory(group, knowledge, candidates)
    try:
        candidate = candidates.find(word)
    except NotFoundError:
        known = [one.memory.id for one in knowledge.memories] + list(candidates.by_id)
        raise no_such_memory(word, known, knowledge.problems) from None
    probe, command = _probe(candidate.memory, knowledge)
    fix = _fix_of(candidate.memory, candidate)
    return ReplaySubject(candidate.memory, candidate.commit, fix, probe, command, candidate=candidate)


def _memory(group: Sequence[KnownMemory], knowledge: Knowledge, candidates: Candidates) -> ReplaySubject:
    """The words that stand in this tree: of an approved memory and its edit, the edit."""
    known, approved = group[-1], group[0]
    probe, command = _probe(known.memory, knowledge)
    return ReplaySubject(
        known.memory,
        known.blob,
        _fix_of(known.memory, candidates.by_id.get(known.memory.origin.candidate or "")),
        probe,
        command,
        known=known,
        is_edited=known.edits and approved.merged and _probe(approved.memory, knowledge)[1] != command,
    )


def _fix_of(memory: Memory, candidate: Candidate | None) -> str | None:
    """The commit that fixed what it warns of: as the candidate says, else the one commit of its evidence."""
    if candidate is not None and candidate.fixed_by:
        return candidate.fixed_by
    return memory.evidence.commits[0] if len(memory.evidence.commits) == 1 else None


def _probe(memory: Memory, knowledge: Knowledge) -> tuple[str, str]:
    """The probe as written, and its command: names are those of the policy that the trusted branch holds."""
    probe = (memory.verification.probe or "").strip()
    broken = [one for one in knowledge.problems if one.file == MEMORY_POLICY and one.severity == "error"]
    if broken and probe and len(probe.split()) == 1:
        message = (
            f"{MEMORY_POLICY}:{broken[0].line}: {broken[0].message}, so what {probe!r} names cannot be told"
        )
        raise NotServedError(message, hint="mend the policy: gitmem lint says how", path=MEMORY_POLICY)
    command = command_of(probe, knowledge.policy)
    if "\0" in command:
        raise InvalidDataError(f"{memory.id}: its probe holds a NUL character, so it is no command")
    return probe, command


def command_of(probe: str, policy: MemoryPolicy) -> str:
    """What a probe runs: the command that the policy gives its name, else the probe itself."""
    return policy.probes.get(probe, probe)


def _refuse_unasked(subjects: Sequence[ReplaySubject], watching: Watcher) -> None:
    for one in subjects:
        if one.is_edited and (watching.may_run is None or not watching.may_run(one)):
            raise NotServedError(
                f"{one.id} has another probe here than was approved, and nobody said that it may run: {one.command}",
                hint="at a terminal gitmem asks; or merge the edit first, or check out the approved file",
                path=one.memory.file,
            )


# one replay
class _Session(NamedTuple):
    repository: Repository
    ledger: RunLedger
    run: Run
    head: str
    request: ReplayRequest
    watcher: Watcher


def _replay(session: _Session, subject: ReplaySubject) -> Replayed:
    card = Scorecard(subject.probe, subject.command, subject.of)
    if not subject.command:
        return Replayed(subject, card, notes=("it names no probe: write verification.probe",))
    logs: dict[str, bytes] = {}
    for place in places(session.repository, session.head, subject.fix, subject.command):
        session.watcher.begins(subject, place)
        side, log = run_at(session.repository, place, subject.command, session.request.limit or LIMIT)
        if log:
            name = f"replay-{subject.id}-{side.role}.log"
            logs[name], side = log, replace(side, artifact=name)
        card = replace(card, sides=(*card.sides, side))
    found = _concluded(session, Replayed(subject, card))
    try:
        event = _record(session, found, logs)
    except (GitmemError, OSError) as error:
        return replace(found, notes=(*found.notes, f"nothing was recorded: {error}"))
    return replace(found, event=event)


def _concluded(session: _Session, found: Replayed) -> Replayed:
    """With what follows from the verdict in the work tree."""
    known, verdict = found.subject.known, found.card.verdict
    if known is None or verdict is ReplayVerdict.UNKNOWN:
        return found
    if known.memory.status not in LIVING:
        return replace(found, notes=(f"it is {known.memory.status}, and stays so",))
    try:
        return _confirmed(session, found) if verdict.holds else _failed(session, found, known)
    except GitmemError as error:
        return replace(found, notes=(*found.notes, error.message))


def _confirmed(session: _Session, found: Replayed) -> Replayed:
    request = session.request
    asked = ConfirmRequest((found.subject.id,), request.by, request.now, how="replay", at=session.head)
    result = confirm(session.repository, asked, lambda _: True)
    if result.already:
        known = result.already[0]
        return replace(found, validation=known.file, notes=("a validation of today says so already",))
    return replace(found, validation=result.confirmed[0].file)


def _failed(session: _Session, found: Replayed, known: KnownMemory) -> Replayed:
    if not known.merged:
        return replace(found, notes=("it is only proposed: correct it or take it back",))
    memory, now = known.memory, session.request.now
    reason = f"replay failed: {found.card.sides[-1].reason}, commit {session.head[:12]}"
    asked = Request((memory.id,), Target(revision=session.head), today=now.date())
    (judgement,) = examine(session.repository, asked).judgements
    if Status.CHALLENGED in {judgement.status, memory.status}:
        wanted = RetireRequest(memory.id, reason, now)
        move = retire(session.ledger, session.run, session.request.teller, wanted)
    else:
        (move,) = challenge(session.repository, [memory.id], reason, now)
    return replace(found, move=move)


def _record(session: _Session, found: Replayed, logs: dict[str, bytes]) -> Event:
    """Append the decision, and the confirmation of what is approved; give the decision."""
    subject, known = found.subject, found.subject.known
    run, teller = session.run, session.request.teller
    payload = decision_payload(
        (subject.memory.origin.candidate or subject.id) if known is not None else subject.id,
        REPLAYED,
        by=teller.actor,
        memory=subject.id if known is not None else None,
        blob=subject.of if known is not None else None,
        scorecard=scorecard_payload(found.card),
    )
    event = run.append(
        event_type=DECISION, actor=teller.actor, session=teller.session, payload=payload, artifacts=logs
    )
    if known is not None and known.merged and found.card.verdict.holds:
        told = {"memory": subject.id, "how": "replay"}
        run.append(event_type=CONFIRMATION, actor=teller.actor, session=teller.session, payload=told)
    return event


def exit_code(replays: Sequence[Replayed]) -> int:
    """1 when a probe failed, else 3 when one is unknown, else 0 (cli.md)."""
    verdicts = {one.card.verdict for one in replays}
    if ReplayVerdict.FAILED in verdicts:
        return 1
    return 3 if ReplayVerdict.UNKNOWN in verdicts else 0
