"""Load the review queue: doubtful memories, proposals checked against today's code, candidates with what each lacks."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Final

from gitmem.errors import InvalidDataError
from gitmem.model.candidate import Candidate, Standing
from gitmem.model.change import Person
from gitmem.model.event import Event, text_field
from gitmem.model.memory import RETIRED_BECAUSE, Memory
from gitmem.model.verdict import OTHER_WORDS, Judgement
from gitmem.promotion.case import Alike
from gitmem.promotion.ruling import Outcome
from gitmem.store.ledger import RunLedger
from gitmem.trust.approval import person, same_person
from gitmem.trust.effective import is_newer, newest, retention_date
from gitmem.usecases.candidates import Candidates, load_candidates
from gitmem.usecases.gate import Gate, Gated
from gitmem.usecases.knowledge import Knowledge
from gitmem.usecases.listing import Listed, Loaded, load_listing
from gitmem.usecases.proposals import elsewhere
from gitmem.usecases.recalling.testimony import load_testimony
from gitmem.usecases.reviewing.queue import Item, Queue, in_order
from gitmem.usecases.whereabouts import Whereabouts

_LIVING: Final = frozenset({"active", "challenged"})


def load_queue(ledger: RunLedger, *, today: date, loaded: Loaded | None = None) -> Queue:
    """Everything that waits for a person.

    Args:
        ledger: The ledger of the repository.
        today: The day to judge dates at.
        loaded: The memories of HEAD, where the caller has them already.
    """
    loaded = loaded or load_listing(ledger.repository, today=today)
    candidates = load_candidates(ledger)
    gate, remarks = _gate(ledger, today)
    judged = {(one.id, one.proposed): one for one in loaded.drift.judgements} if loaded.drift else {}
    usage = load_testimony(ledger.repository).usage
    ignored = {name for name, one in usage.items() if one.ignored}
    memories = _Memories(loaded, candidates, judged, ignored)
    items = [item for one in loaded.listing.memories for item in memories.items(one)]
    listed = {one.memory.id for one in loaded.listing.memories}
    items += _proposals(ledger, loaded.knowledge, candidates, gate, listed)
    items += _open(candidates, gate)
    return Queue(in_order(items), (*loaded.listing.problems, *candidates.problems), remarks)


def _gate(ledger: RunLedger, today: date) -> tuple[Gate | None, tuple[str, ...]]:
    try:
        return Gate(ledger, today=today), ()
    except InvalidDataError as error:
        return None, (f"candidates could not be judged: {error.message}",)


# memories
class _Memories:
    """Why each memory waits, if it does."""

    def __init__(
        self,
        loaded: Loaded,
        candidates: Candidates,
        judged: Mapping[tuple[str, bool], Judgement],
        ignored: Container[str],
    ) -> None:
        self._knowledge = loaded.knowledge
        self._candidates = candidates
        self._judged = judged
        self._ignored = ignored
        self._claims = _open_claims(loaded.knowledge, candidates.confirmations)

    def items(self, one: Listed) -> Iterator[Item]:
        memory, judgement = one.memory, self._judged.get((one.memory.id, not one.known.merged))
        candidate = self._candidates.by_id.get(memory.origin.candidate or "")
        told = self._why(one, judgement)
        if told is not None:
            reason, since, detail = told
            where = _place(self._knowledge, one) if reason == "proposed" else None
            yield Item(memory.id, reason, since, detail, memory, judgement, candidate, where=where)

    def _why(self, one: Listed, judgement: Judgement | None) -> tuple[str, str, str] | None:
        memory = one.memory
        if one.effective_status == "proposed":
            return self._proposed(one, judgement)
        if one.effective_status not in _LIVING:
            return None
        if (claim := self._claims.get(memory.id)) is not None:
            doubt = f"; {one.warning}" if one.warning else ""
            return "claimed", claim.at, f"{claim.actor} says that it holds and did not look{doubt}"
        if one.effective_status == "challenged":
            return self._challenged(memory, judgement, one.warning)
        if judgement is not None and any(note.endswith(OTHER_WORDS) for note in judgement.notes):
            return "unchecked", "", f"{OTHER_WORDS}: gitmem confirm {memory.id}"
        if memory.id in self._ignored:
            return "ignored", "", "delivered in sessions that cite what helps, and never cited"
        if memory.scope.is_empty:
            return (
                "unchecked",
                _text(memory.created_at),
                "no scope, so it is never checked: write scope.paths",
            )
        return None

    def _challenged(self, memory: Memory, judgement: Judgement | None, warning: str) -> tuple[str, str, str]:
        by = judgement.challenged_by if judgement else ()
        if "expiry" in by:
            return "expired", _text(memory.expires_at), f"expired {memory.expires_at}"
        if by == ("review",):
            return "review", _text(self._due(memory)), warning
        dates = [one.at for one in judgement.findings if one.at] if judgement else []
        marked = [_text(memory.challenged_at)] if memory.challenged_at else []
        return "challenged", min([*dates, *marked], default=""), warning

    def _due(self, memory: Memory) -> date | None:
        last = newest(one.validation for one in self._knowledge.validations_of(memory.id))
        return memory.review_after or retention_date(
            memory, last.at if last else None, self._knowledge.policy
        )

    def _proposed(self, one: Listed, judgement: Judgement | None) -> tuple[str, str, str]:
        edit = _edit(one)
        now = f"; {judgement.warning}" if judgement and judgement.warning else ""
        candidate = self._candidates.by_id.get(one.memory.origin.candidate or "")
        since = candidate.closing.at if candidate and candidate.closing else _text(one.memory.created_at)
        return "proposed", since, f"{edit}, in {one.memory.file}{now}"


def _edit(one: Listed) -> str:
    """What a merge of it would do."""
    memory = one.memory
    if memory.status.value in _LIVING:
        return "an edit of what is approved" if one.known.edits else "new"
    because = memory.extra.get(RETIRED_BECAUSE)
    return f"{memory.status}{f': {because}' if because else ''}"


def _place(knowledge: Knowledge, one: Listed) -> Whereabouts:
    return Whereabouts("head", one.memory.id, one.memory.file, None, knowledge.judged, one.known.blob)


def _open_claims(knowledge: Knowledge, confirmations: Iterable[Event]) -> Mapping[str, Event]:
    """The newest claim of each memory that nobody looked at since."""
    claims = {
        name: one
        for one in confirmations
        if one.payload.get("how") == "claimed" and (name := text_field(one.payload, "memory"))
    }
    return {name: one for name, one in claims.items() if not _was_looked_at(knowledge, name, one.at)}


def _was_looked_at(knowledge: Knowledge, name: str, at: str) -> bool:
    last = newest(one.validation for one in knowledge.validations_of(name))
    try:
        return last is not None and is_newer(last.at, datetime.fromisoformat(at))
    except ValueError:
        return False


def _text(value: datetime | date | None) -> str:
    return value.isoformat() if value is not None else ""


# candidates
def _open(candidates: Candidates, gate: Gate | None) -> Iterator[Item]:
    for one in candidates.standing(Standing.OPEN):
        gated = gate.candidate(one) if gate else None
        conflicts = tuple(near for near in gate.contradictions(one) if not near.answered) if gate else ()
        reason = "conflict" if conflicts else "candidate"
        detail = _against(conflicts) if conflicts else lacking(gated)
        yield Item(one.id, reason, one.at, detail, one.memory, None, one, gated, conflicts)


def _against(conflicts: Iterable[Alike]) -> str:
    return "; ".join(f"{one.id} may say otherwise: {one.differs}" for one in conflicts)


def lacking(gated: Gated | None) -> str:
    """What a candidate lacks, gravest first, on one line."""
    if gated is None:
        return "the gate could not be asked"
    if not gated.lacking:
        return "the gate accepts it"
    return "; ".join(f"{one.rule}: {one.reason}" for one in gated.lacking[:4])


def _proposals(
    ledger: RunLedger, knowledge: Knowledge, candidates: Candidates, gate: Gate | None, listed: Container[str]
) -> Iterator[Item]:
    """Proposals that HEAD does not hold, each judged against today's code again."""
    for one, memory, where in elsewhere(ledger.repository, knowledge, candidates, listed):
        gated = gate.candidate(one) if gate else None
        detail = f"{_standing(where)}{_stale(gated)}"
        since = one.closing.at if one.closing else one.at
        yield Item(memory, "proposed", since, detail, one.memory, None, one, gated, where=where)


def _standing(where: Whereabouts | None) -> str:
    if where is None:
        return "not in this clone: fetch its branch, or propose it again"
    return f"on {where.branch}" if where.branch else f"in {where.file}, not committed"


def _stale(gated: Gated | None) -> str:
    """What became of the code since it was proposed, where that speaks against it."""
    bad = (Outcome.FAILED, Outcome.HELD)
    found = [one for one in gated.results if one.rule == "stale_rule" and one.outcome in bad] if gated else []
    return f"; {found[0].reason}" if found else ""


# whose
def mine(ledger: RunLedger, queue: Queue) -> Iterator[Item]:
    """What the committer of this clone proposed, wrote or last confirmed."""
    me = ledger.repository.identity()
    for item in queue.items:
        if _is_by(item.memory.created_by, me) or (item.candidate and _told_by(ledger, item.candidate, me)):
            yield item


def _told_by(ledger: RunLedger, candidate: Candidate, me: Person) -> bool:
    commit = ledger.repository.commit(candidate.commit)
    return commit is not None and same_person(commit.author, me)


def _is_by(name: str | None, me: Person) -> bool:
    if not name:
        return False
    login = name.rsplit("/", 1)[-1].removeprefix("@").casefold()
    known = {me.name.casefold(), me.email.casefold(), me.email.split("@", 1)[0].casefold()} - {""}
    return login in known or same_person(person(name), me)
