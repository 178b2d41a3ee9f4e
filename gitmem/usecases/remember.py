"""Take in lessons as candidates: store what is new, count what is known, tell what was denied (domain.md section 3).

A candidate is an event in the ledger, never a file, and never delivered as knowledge. Nothing that holds a secret is stored,
not even masked: masked words can never be approved, so the writer is to say them without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gitmem.errors import InvalidDataError, NotFoundError, UsageError
from gitmem.model.candidate import Candidate, Conflict, Similar, Standing
from gitmem.model.event import Event
from gitmem.model.ids import random_suffix
from gitmem.model.memory import Memory, Status
from gitmem.model.text_folding import folded, one_spaced
from gitmem.promotion.completing import completed
from gitmem.promotion.repetition import Answer, KnownFacts
from gitmem.promotion.statement import bare
from gitmem.store.candidate_events import candidate_payload, read_candidate
from gitmem.store.field_reading import did_you_mean
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.memories import parse_memory
from gitmem.store.memory_writing import format_memory
from gitmem.store.yaml_reading import FILE_LIMITS
from gitmem.usecases.candidates import load_candidates, record_candidate, record_repetition
from gitmem.usecases.embedding.asking import Comparing
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.runs.recording import Teller

LARGEST: Final = FILE_LIMITS.size
_ANY_FILE: Final = ".ai/memory/{}.yaml"


@dataclass(frozen=True, slots=True)
class Lesson:
    """What somebody wants remembered.

    Args:
        memory: What it says; an empty id is made.
        requires_human_review: Whether its author says that a person must look.
        fixed_by: The commit that fixed what it warns of.
        key: Under which it is written once; made from its words when empty.
        is_extracted: Whether a run's events told it: the reason behind its sentence makes no other fact of it.
    """

    memory: Memory
    requires_human_review: bool = False
    fixed_by: str | None = None
    key: str = ""
    is_extracted: bool = False


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a lesson.

    Args:
        run: Where it was written, or would have been.
        summary: What it says.
        candidate: Id of the candidate that holds it; None when none does.
        stored: The candidate as it was stored now; None when nothing was.
        deduplicated: Whether it was said before, so that nothing was stored.
        confirmed: Id of the approved memory that says it, which was counted.
        denied: The candidate that said it and was denied.
        similar_to: What says nearly the same.
        conflicts: What says something else about the same thing.
        event: What was written; None when nothing was.
        added: Names of the fields that the waiting candidate did not have and got.
    """

    run: str
    summary: str
    candidate: str | None = None
    stored: Candidate | None = None
    deduplicated: bool = False
    confirmed: str | None = None
    denied: Candidate | None = None
    similar_to: tuple[Similar, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    event: Event | None = None
    added: tuple[str, ...] = ()


class Remembering:
    """Takes in lessons one after the other; what is known is loaded once.

    Args:
        ledger: Where.
        run: The run that they are written to.
        teller: Who says them.
        now: The moment that they are said at.
    """

    def __init__(self, ledger: RunLedger, run: Run, teller: Teller, now: datetime) -> None:
        self._masker = ledger.masker
        self._run = run
        self._teller = teller
        self._now = now
        self.knowledge: Knowledge = load_knowledge(ledger.repository)
        known = load_candidates(ledger)
        self._waiting = dict(known.by_id)
        self._ids = {one.id for one in known.candidates} | {one.memory.id for one in self.knowledge.memories}
        self._times_said = _counted(bare(one.memory.summary) for one in known.candidates)
        self.comparing = Comparing(ledger.repository)
        self._facts = KnownFacts(
            self.knowledge.approved,
            self.knowledge.proposed,
            known.candidates,
            self.knowledge.heirs,
            self.comparing.cosines,
            completes=True,
        )

    def has(self, candidate: str) -> bool:
        """Whether a candidate or memory has this id."""
        return candidate in self._ids

    def remember(self, lesson: Lesson) -> Remembered:
        """Store a lesson, or count it, or say why neither.

        Raises:
            UsageError: It says nothing, holds a secret or what no memory file can hold, or its id is taken; nothing was
                written.
        """
        if not lesson.memory.summary.strip():
            raise UsageError("it has no words of its own", hint="add summary: with the rule in one sentence")
        memory = self._named(lesson.memory)
        self._refuse_secrets(memory)
        check_writable(memory)
        answer = self._facts.answer(replace(memory, body=None) if lesson.is_extracted else memory)
        told = Remembered(
            self._run.id,
            memory.summary,
            denied=answer.denied,
            similar_to=answer.similar_to,
            conflicts=answer.conflicts,
        )
        if answer.repeats:
            event = record_repetition(self._run, answer.repeats, self._teller, event_id=_again(lesson.key))
            return replace(told, deduplicated=True, confirmed=answer.repeats, event=event)
        if answer.waits:
            return self._complete(answer.waits, replace(lesson, memory=memory), told)
        if answer.denied:
            return told
        if lesson.memory.id and self.has(lesson.memory.id):
            raise UsageError(
                f"the id {lesson.memory.id} is taken by another candidate or memory",
                hint="leave the id out, one is made",
            )
        return self._store(replace(lesson, memory=memory), answer, told)

    def _named(self, memory: Memory) -> Memory:
        made = memory.id or f"candidate-{self._now:%Y%m%d}-{random_suffix()}"
        return replace(
            memory, id=made, file="", status=Status.CANDIDATE, created_at=memory.created_at or self._now
        )

    def _refuse_secrets(self, memory: Memory) -> None:
        _, kinds = self._masker.mask_value(candidate_payload(memory))
        if kinds:
            raise UsageError(
                f"the lesson holds what must not be written down: {', '.join(sorted(kinds))}",
                hint="say it without; nothing was recorded",
            )

    def _complete(self, waiting: str, lesson: Lesson, told: Remembered) -> Remembered:
        """Give the waiting candidate what it lacked; its words and all that it says already stay."""
        told = replace(told, deduplicated=True, candidate=waiting)
        held = self._waiting.get(waiting)
        if held is None or held.standing is not Standing.OPEN:
            return told
        memory, added = completed(held.memory, lesson.memory)
        fixed_by = held.fixed_by or lesson.fixed_by
        names = (*added, *(["fixed_by"] if fixed_by != held.fixed_by else []))
        if not names:
            return told
        check_writable(memory)
        event = record_candidate(
            self._run,
            memory,
            self._teller,
            requires_human_review=held.requires_human_review or lesson.requires_human_review,
            fixed_by=fixed_by,
            similar_to=held.similar_to,
            conflicts=held.conflicts,
        )
        stored, _ = read_candidate(event)
        if stored:
            self._waiting[waiting] = replace(stored, decisions=held.decisions)
        return replace(told, stored=stored, event=event, added=names)

    def _store(self, lesson: Lesson, answer: Answer, told: Remembered) -> Remembered:
        event = record_candidate(
            self._run,
            lesson.memory,
            self._teller,
            event_id=lesson.key or self._key(lesson.memory),
            requires_human_review=lesson.requires_human_review,
            fixed_by=lesson.fixed_by,
            similar_to=answer.similar_to,
            conflicts=answer.conflicts,
        )
        stored, _ = read_candidate(event)
        found = stored.id if stored else lesson.memory.id
        self._ids.add(found)
        self._facts.add(lesson.memory)
        if found != lesson.memory.id:  # somebody said the same at the same moment, and was first
            return replace(told, candidate=found, deduplicated=True)
        return replace(told, candidate=found, stored=stored, event=event)

    def _key(self, memory: Memory) -> str:
        """The same for the same words said by two processes at once, another one once they were decided about."""
        words = bare(memory.summary)
        said = "\0".join((one_spaced(memory.text), repr(memory.scope), str(self._times_said.get(words, 0))))
        return f"remember-{hashlib.sha256(said.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def check_writable(memory: Memory) -> None:
    """Refuse what no memory file can hold.

    Raises:
        UsageError: Naming what it is, with the cure.
    """
    file = _ANY_FILE.format(memory.id)
    try:
        data = format_memory(replace(memory, file=file))
        if len(data) > LARGEST:
            raise UsageError(
                f"{len(data)} bytes, and a memory file holds {LARGEST}",
                hint="say the rule in a sentence; gitmem run event TYPE --artifact FILE keeps the rest",
            )
        parsed = parse_memory(file, data)
    except InvalidDataError as error:
        raise UsageError(error.message.removeprefix(f"{file}: "), hint=error.hint) from None
    fault = next((one for one in parsed.problems if one.severity == "error"), None)
    if fault:
        raise UsageError(fault.message, hint=fault.hint)


def superseded_ids(knowledge: Knowledge, words: Iterable[str]) -> tuple[str, ...]:
    """The ids of memories that are named by id, title or alias.

    Raises:
        NotFoundError: Nothing is called so.
    """
    return tuple(dict.fromkeys(_superseded(knowledge, word) for word in words))


def _superseded(knowledge: Knowledge, word: str) -> str:
    memories = [one.memory for one in knowledge.memories]
    wanted = folded(word.strip().removeprefix("[[").removesuffix("]]"))
    for memory in memories:
        names = (memory.id, memory.title or "", *memory.aliases)
        if wanted and wanted in map(folded, names):
            return memory.id
    known = [name for one in memories for name in (one.id, one.title) if name]
    raise NotFoundError(
        f"--supersedes {word[:80]}: no memory has this id or title",
        hint=did_you_mean(word, known) or "gitmem list shows them",
    )


def _again(key: str) -> str:
    return f"{key}-again" if key else ""


def _counted(words: Iterable[str]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for one in words:
        counted[one] = counted.get(one, 0) + 1
    return counted
