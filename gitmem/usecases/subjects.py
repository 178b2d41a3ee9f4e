"""The memories that a check judges, each with its scope and the validation that counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from gitmem.drift.counting import Counting, counting_validation
from gitmem.drift.glob_words import is_literal, static_prefix
from gitmem.drift.scopes import ScopeSpec
from gitmem.errors import NotFoundError
from gitmem.model.memory import Memory, Status
from gitmem.model.problem import Problem
from gitmem.model.validation import Validation
from gitmem.trust.effective import ChallengeDates, challenge_dates, retention_date
from gitmem.usecases.ai_files import AI_FOLDER
from gitmem.usecases.knowledge import Knowledge, KnownMemory
from gitmem.usecases.rewording import words_digest

LIVING = frozenset({Status.ACTIVE, Status.CHALLENGED, Status.CANDIDATE})


@dataclass(frozen=True, slots=True)
class Subject:
    """One memory to judge.

    Args:
        known: The memory and whether it is merged.
        counting: The validation that counts.
        spec: Its scope, elements replaced by their paths.
        dates: When it is challenged without a look at code.
        due: What challenges it so today: review, expiry, mark.
    """

    known: KnownMemory
    counting: Counting
    spec: ScopeSpec
    dates: ChallengeDates
    due: tuple[str, ...]

    @property
    def memory(self) -> Memory:
        return self.known.memory

    @property
    def has_marks(self) -> bool:
        """Whether the validation that counts stored what its watches held."""
        baseline = self.counting.baseline
        return baseline is not None and bool(baseline.marks)


def subjects(knowledge: Knowledge, today: date, ids: Sequence[str] = ()) -> tuple[Subject, ...]:
    """Living memories, approved and proposed, superseded ones left out; or those with the ids asked for.

    Raises:
        NotFoundError: When no memory has an id asked for; the hint names the nearest.
    """
    known = [one for one in knowledge.memories if one.memory.status in LIVING or one.memory.id in ids]
    known = [one for one in known if one.memory.id not in knowledge.heirs or one.memory.id in ids]
    if ids:
        have = {one.memory.id for one in known}
        for missing in (one for one in ids if one not in have):
            every = have | {one.memory.id for one in knowledge.memories}
            raise no_such_memory(missing, every, knowledge.problems)
        known = [one for one in known if one.memory.id in ids]
    return tuple(_subject(one, knowledge, today) for one in known)


def no_such_memory(wanted: str, known: Iterable[str], problems: Iterable[Problem] = ()) -> NotFoundError:
    """The error for an id that no memory has, naming the file that should have it and cannot be read, or the nearest."""
    named = [f"/{wanted}.yaml", f"/{wanted}.yml"]
    broken = next(
        (one for one in problems if one.severity == "error" and one.file.endswith(tuple(named))), None
    )
    if broken is not None:
        return NotFoundError(
            f"{broken.file} cannot be read: {f'line {broken.line}: ' if broken.line else ''}{broken.message}",
            hint=broken.hint or "gitmem lint tells what is wrong with it",
            path=broken.file,
            line=broken.line or None,
            column=broken.column or None,
        )
    from difflib import get_close_matches  # slow to import

    near = get_close_matches(wanted, list(known), n=1, cutoff=0.6)
    hint = f"did you mean {near[0]}?" if near else "gitmem list --all shows every memory"
    return NotFoundError(f"no memory has the id {wanted}", hint=hint)


def _subject(known: KnownMemory, knowledge: Knowledge, today: date) -> Subject:
    memory = known.memory
    counting = counting_validation(memory, _validations(memory, knowledge))
    validated = counting.at if counting.recorded else None
    review_after = retention_date(memory, validated, knowledge.policy)
    dates = challenge_dates(memory, validated, review_after=review_after)
    return Subject(known, counting, scope_spec(memory, knowledge), dates, dates.due(today))


def _validations(memory: Memory, knowledge: Knowledge) -> Sequence[tuple[Validation, bool]]:
    """Those that confirmed these very words; all when none did, so that the newest tells that the words changed.

    A branch may hold the approved words and an edit of them, each confirmed on its own.
    """
    known = [(one.validation, one.merged) for one in knowledge.validations_of(memory.id)]
    if len(known) < 2:
        return known
    words = words_digest(memory)
    return [one for one in known if one[0].text in {None, words}] or known


def scope_spec(memory: Memory, knowledge: Knowledge) -> ScopeSpec:
    """A memory's globs with the paths of its elements."""
    from_elements = knowledge.elements.paths_of(memory.scope.elements)
    return spec_of((*memory.scope.paths, *from_elements), memory.scope.exclude)


def spec_of(include: tuple[str, ...], exclude: tuple[str, ...] = ()) -> ScopeSpec:
    """A scope as it is judged: globs that begin at no folder leave ``.ai/`` out.

    A memory does not speak about the memories; every validation would touch a scope of the whole repository.
    """
    own = (f"{AI_FOLDER}/",) if any(map(_reaches_everywhere, include)) else ()
    return ScopeSpec(include, (*exclude, *own))


def _reaches_everywhere(glob: str) -> bool:
    return not static_prefix(glob) and not is_literal(glob)
