"""Whether a lesson was said before: known, already proposed, denied, or against something that is known.

domain.md section 3, "Duplicates and conflicts": the same fact is counted and not stored, a near one is told, a contradiction
waits for a person, and what was denied stays denied. How alike two texts are says `gitmem.promotion.similarity`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from gitmem.model.candidate import Candidate, Conflict, Similar, Standing
from gitmem.model.memory import Memory, Status
from gitmem.promotion.neighbours import Cosines, Near, Neighbourhood, no_cosines
from gitmem.promotion.overlap import overlaps
from gitmem.promotion.similarity import Band
from gitmem.promotion.statement import Statement, replaces, statement_of

MOST_SIMILAR: Final = 5
_KNOWN: Final = frozenset({Status.ACTIVE, Status.CHALLENGED})
_LIVE: Final = frozenset({Standing.OPEN, Standing.PROPOSED})


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a lesson that somebody says.

    Args:
        repeats: Id of the approved memory that says it.
        waits: Id of the candidate that says it.
        denied: The candidate that said it and was denied.
        similar_to: What says nearly the same, nearest first.
        conflicts: What says something else about the same thing, nearest first.
    """

    repeats: str | None = None
    waits: str | None = None
    denied: Candidate | None = None
    similar_to: tuple[Similar, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def is_new(self) -> bool:
        return not (self.repeats or self.waits or self.denied)


class KnownFacts:
    """All that lessons are compared with.

    Args:
        approved: Memories of the trusted branch, whatever their status; those that are active or challenged count.
        proposed: Memories of the judged tree that are not merged: told when near, never a reason to store nothing.
        candidates: All of the ledger.
        superseded: Ids of approved memories that another one has taken the place of.
        cosines: How alike the vectors of a summary and of known ones are.
        completes: Whether an open candidate is given what a lesson says beside its words, so that it may wait without loss.
    """

    def __init__(
        self,
        approved: Iterable[Memory] = (),
        proposed: Iterable[Memory] = (),
        candidates: Iterable[Candidate] = (),
        superseded: Iterable[str] = (),
        cosines: Cosines = no_cosines,
        *,
        completes: bool = False,
    ) -> None:
        approved, gone = tuple(approved), frozenset(superseded)
        retired = gone | {one.id for one in approved if one.status not in _KNOWN}
        waiting: dict[str, Statement] = {}
        self._denied_by_id: dict[str, Candidate] = {}
        self._open: set[str] = set()
        for one in candidates:
            if one.standing is Standing.DENIED:
                self._denied_by_id[one.id] = one
            elif one.standing in _LIVE and _became(one) not in retired:
                waiting[one.id] = statement_of(one.memory)
                if completes and one.standing is Standing.OPEN:
                    self._open.add(one.id)
        self._approved = _neighbourhood(
            statement_of(one) for one in approved if one.status in _KNOWN and one.id not in gone
        )
        self._waiting = _neighbourhood(waiting.values())
        self._denied = _neighbourhood(statement_of(one.memory) for one in self._denied_by_id.values())
        self._proposed = _neighbourhood(
            statement_of(one) for one in proposed if one.origin.candidate not in waiting
        )
        self._fresh = Neighbourhood(())
        self._cosines = cosines

    def add(self, memory: Memory) -> None:
        """Take in a candidate that was stored since."""
        self._fresh.add(statement_of(memory))

    def answer(self, memory: Memory) -> Answer:
        """What is known of a lesson; what it says that it supersedes is not held against it."""
        said = replace(statement_of(memory), id="")  # what has its id may say another thing
        cosines = self._cosines(said.summary, self._summaries())
        approved = _near(self._approved, said, cosines)
        repeats = _same(one for one in approved if not _adds(said, one.statement))
        if repeats:
            return Answer(repeats=repeats)
        waiting = [*_near(self._waiting, said, cosines), *_near(self._fresh, said, cosines)]
        waits = _same(
            one for one in waiting if one.statement.id in self._open or not _adds(said, one.statement)
        )
        if waits:
            return Answer(waits=waits)
        denied = self._denial(said, cosines)
        memories = [*approved, *_near(self._proposed, said, cosines)]
        near = sorted((*memories, *waiting), key=lambda one: -one.likeness.similarity)
        known = {one.statement.id for one in memories}
        return Answer(
            denied=denied,
            similar_to=tuple(_told(near, known).values())[:MOST_SIMILAR],
            conflicts=tuple(_against(near)) if denied is None else (),
        )

    def _summaries(self) -> list[str]:
        every = (self._approved, self._waiting, self._fresh, self._denied, self._proposed)
        return list(dict.fromkeys(one.summary for some in every for one in some.known))

    def _denial(self, said: Statement, cosines: Mapping[str, float]) -> Candidate | None:
        for one in _near(self._denied, said, cosines):
            is_close = one.likeness.band in {Band.SAME, Band.SAME_MAYBE}
            if is_close and overlaps(said.scope, one.statement.scope):
                return self._denied_by_id[one.statement.id]
        return None


def _became(candidate: Candidate) -> str | None:
    closing = candidate.closing
    return closing.memory if closing else None


def _neighbourhood(statements: Iterable[Statement]) -> Neighbourhood:
    return Neighbourhood(statements)


def _near(known: Neighbourhood, said: Statement, cosines: Mapping[str, float]) -> list[Near]:
    if not known.known:
        return []
    return [one for one in known.nearest(said, cosines) if not replaces(said, one.statement)]


def _adds(said: Statement, known: Statement) -> bool:
    """Whether it would be lost that a lesson says more than what is known, and perhaps an exception to it."""
    return bool((said.title and not known.title) or (said.body and not known.body))


def _same(near: Iterable[Near]) -> str | None:
    return next((one.statement.id for one in near if one.likeness.band is Band.SAME), None)


def _told(near: Iterable[Near], memories: Container[str]) -> Mapping[str, Similar]:
    return {
        one.statement.id: Similar(
            one.statement.id,
            one.likeness.similarity,
            "memory" if one.statement.id in memories else "candidate",
        )
        for one in near
        if one.likeness.band in {Band.SAME, Band.SAME_MAYBE, Band.CLOSE}
    }


def _against(near: Iterable[Near]) -> Iterable[Conflict]:
    seen: set[str] = set()
    for one in near:
        if one.likeness.band is Band.CONFLICT and one.statement.id not in seen:
            seen.add(one.statement.id)
            yield Conflict(one.statement.id, one.likeness.reason, one.likeness.similarity)
