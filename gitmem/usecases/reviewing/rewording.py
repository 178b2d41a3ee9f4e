"""A candidate said in other words by the person who reviews it: recorded again under its id; the newest words count."""

from __future__ import annotations

from dataclasses import replace

from gitmem.errors import InvalidDataError
from gitmem.model.candidate import NO_ANTI_SCOPE, Candidate
from gitmem.model.memory import Memory, Status
from gitmem.store.ledger import Run
from gitmem.store.memories import parse_memory
from gitmem.store.memory_writing import format_memory
from gitmem.usecases.candidates import record_candidate
from gitmem.usecases.runs.recording import Teller

_FILE = ".ai/memory/{}.yaml"


def words_of(candidate: Candidate) -> str:
    """A candidate as the text of a memory file, to be edited."""
    file = _FILE.format(candidate.id)
    text = format_memory(replace(candidate.memory, file=file)).decode()
    return text.partition("\n")[2] if text.startswith("# yaml-language-server") else text


def reword(run: Run, teller: Teller, candidate: Candidate, text: str) -> Candidate:
    """Record the edited words; nothing is written when they say what was said before.

    Raises:
        InvalidDataError: The text does not load, or names another id; nothing was written.
    """
    file = _FILE.format(candidate.id)
    parsed = parse_memory(file, text.encode("utf-8", "surrogateescape"))
    if parsed.memory is None:
        first = next(one for one in parsed.problems if one.severity == "error")
        raise InvalidDataError(
            f"line {first.line}: {first.message}", hint=first.hint, line=first.line or None
        )
    if parsed.memory.id != candidate.id:
        raise InvalidDataError(
            f"the id must stay {candidate.id}", hint="gitmem remember makes another candidate"
        )
    return _recorded(run, teller, candidate, replace(parsed.memory, file=candidate.memory.file))


def hold_everywhere(run: Run, teller: Teller, candidate: Candidate) -> Candidate:
    """Record that somebody thought about where a candidate does not hold, and that there is no such place."""
    scope = replace(candidate.memory.scope, does_not_apply_to=(NO_ANTI_SCOPE,))
    return _recorded(run, teller, candidate, replace(candidate.memory, scope=scope))


def _recorded(run: Run, teller: Teller, candidate: Candidate, said: Memory) -> Candidate:
    memory = replace(said, status=Status.CANDIDATE)
    if memory == candidate.memory:
        return candidate
    record_candidate(
        run,
        memory,
        teller,
        requires_human_review=candidate.requires_human_review,
        fixed_by=candidate.fixed_by,
        similar_to=candidate.similar_to,
        conflicts=candidate.conflicts,
    )
    return replace(candidate, memory=memory)
