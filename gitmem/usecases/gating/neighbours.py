"""What is known already near a lesson: approved memories, open candidates, what was denied, other proposals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from gitmem.model.candidate import Decision, Standing
from gitmem.model.memory import Memory, Status
from gitmem.promotion.case import Alike, Known
from gitmem.promotion.neighbours import Cosines, Near, Neighbourhood, no_cosines
from gitmem.promotion.similarity import Band
from gitmem.promotion.statement import statement_of
from gitmem.usecases.ai_files import is_memory_file
from gitmem.usecases.candidates import Candidates
from gitmem.usecases.knowledge import Knowledge, KnownMemory

RESOLUTIONS: Final = frozenset({"superseded", "both_hold"})
_LIVING: Final = frozenset({Status.ACTIVE, Status.CHALLENGED, Status.CANDIDATE})
_MOST: Final = 5


class Statements(NamedTuple):
    """Everything known, to be looked up.

    Args:
        known: How it came to be known, by id.
        near: What it says.
        titled: Ids of memories by title.
        became: Ids of memories by the candidate that they come from.
    """

    known: Mapping[str, tuple[Known, str]]
    near: Neighbourhood
    titled: Mapping[str, set[str]]
    became: Mapping[str, set[str]]


class Neighbours:
    """Finds what is near many lessons among everything known.

    Args:
        knowledge: Memories, approved and proposed.
        candidates: Of the ledger.
        cosines: How alike the vectors of a summary and of known ones are.
        statements: What they say, where that was made before.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        candidates: Candidates,
        cosines: Cosines = no_cosines,
        statements: Statements | None = None,
    ) -> None:
        self._cosines = cosines
        self._candidates = candidates
        self._statements = statements or make_statements(knowledge, candidates)
        self._known, self._near = self._statements.known, self._statements.near

    def alike(self, memory: Memory, decisions: Iterable[Decision]) -> tuple[Alike, ...]:
        """What is near a lesson; what it says to supersede, and the candidate or memory that it is itself, are left out.

        Args:
            memory: The lesson.
            decisions: All that was decided about it.
        """
        answers = {one.memory: one.decision for one in decisions if one.decision in RESOLUTIONS}
        statement = statement_of(memory)
        cosines = self._cosines(statement.summary, (one.summary for one in self._near.known))
        found = [self._alike(one, answers) for one in self._near.nearest(statement, cosines)]
        own = self._itself(memory)
        return tuple(one for one in found if one.id not in own and one.band in _TELLING)[:_MOST]

    def _alike(self, near: Near, answers: Mapping[str | None, str]) -> Alike:
        known, told = self._known[near.statement.id]
        answered = answers.get(near.statement.id) or answers.get(None) or ""
        likeness = near.likeness
        says = near.statement.summary
        return Alike(near.statement.id, known, likeness.band, likeness.reason, told, answered, says)

    def _itself(self, memory: Memory) -> set[str]:
        """Other names of the same thing, and what it takes the place of."""
        own = {memory.id, memory.origin.candidate or memory.id, *memory.supersedes}
        titled = set[str]().union(*(self._statements.titled.get(one, ()) for one in memory.supersedes))
        became = self._statements.became.get(memory.id, set())
        decided = {
            one.memory
            for one in self._candidates.decisions
            if one.candidate == memory.id and one.decision == "proposed"
        }
        return own | titled | became | {one for one in decided if one}


def make_statements(knowledge: Knowledge, candidates: Candidates) -> Statements:
    """What everything known says."""
    known: dict[str, tuple[Known, str]] = {}
    statements = []
    for memory, kind, told in _everything(knowledge, candidates):
        if memory.id not in known:
            known[memory.id] = (kind, told)
            statements.append(statement_of(memory))
    titled: dict[str, set[str]] = {}
    became: dict[str, set[str]] = {}
    for one in knowledge.memories:
        titled.setdefault(one.memory.title or "", set()).add(one.memory.id)
        became.setdefault(one.memory.origin.candidate or "", set()).add(one.memory.id)
    return Statements(known, Neighbourhood(statements), titled, became)


def _everything(knowledge: Knowledge, candidates: Candidates) -> Iterator[tuple[Memory, Known, str]]:
    for one in knowledge.memories:
        if one.merged and one.memory.status in _LIVING and one.memory.id not in knowledge.heirs:
            yield one.memory, Known.APPROVED, ""
        elif one.merged and one.memory.status is Status.DENIED:
            yield one.memory, Known.DENIED, f"in {one.memory.file}"
    for candidate in candidates.standing(Standing.DENIED):
        if candidate.closing:
            yield candidate.memory, Known.DENIED, in_words(candidate.closing)
    for candidate in candidates.standing(Standing.OPEN, Standing.PROPOSED):
        yield candidate.memory, Known.CANDIDATE, ""


_TELLING: Final = frozenset({Band.SAME, Band.SAME_MAYBE, Band.CONFLICT})


def in_words(decision: Decision) -> str:
    """Who denied something, when and why."""
    why = f": {decision.reason}" if decision.reason else ""
    return f"by {decision.by} on {decision.at[:10]}{why}"


def rivals(
    memory: Memory,
    files: Iterable[str],
    known: Iterable[KnownMemory],
    decisions: Iterable[Decision],
) -> tuple[str, ...]:
    """Other proposals of the same thing: files that claim its id, memories that come from the same candidate.

    Args:
        memory: The lesson; its file is a path only when it is a memory file.
        files: Every memory file of the judged tree.
        known: Every memory, approved and proposed.
        decisions: All that was decided about it.
    """
    candidate = memory.origin.candidate or memory.id
    standing = [one for one in files if one != memory.file]
    if is_memory_file(memory.file):
        names = tuple(f"/{memory.id}{ending}" for ending in (".yaml", ".yml"))
        same_id = [f"{one} has its id" for one in standing if one.endswith(names)]
        twins = {one.memory.id for one in known if one.memory.origin.candidate == candidate}
        others = sorted(twins - {memory.id, *memory.supersedes}) if memory.origin.candidate else []
        return (*same_id, *(f"{one} comes from {candidate} too" for one in others))
    became = {one.memory.id for one in known if one.memory.origin.candidate == candidate}
    proposed = {one.memory for one in decisions if one.decision == "proposed" and one.memory}
    several = sorted({*became, *proposed})
    return tuple(several) if len(several) > 1 else ()
