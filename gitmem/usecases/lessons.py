"""Lessons as somebody says them, or as a document hands them over (``remember`` and ``remember --from``)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from gitmem.errors import GitmemError, NotFoundError, UsageError
from gitmem.git.formatting import FALLBACK
from gitmem.git.interface import Repository
from gitmem.model.memory import Kind, Memory, Origin, Scope, Status, Verification
from gitmem.model.problem import Problem
from gitmem.store.candidates import parse_candidates
from gitmem.store.evidence import sort_evidence
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.memories import default_kind
from gitmem.usecases.knowledge import Knowledge
from gitmem.usecases.remember import Lesson, Remembered, Remembering, superseded_ids
from gitmem.usecases.repository_resolver import RepositoryResolver
from gitmem.usecases.runs.finding import INBOX
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.source_events import failure_class_of, find_events

HUMAN: Final = "human"
_BESIDE: Final = frozenset({"requires_human_review", "fixed_by", "schema", "similar_to", "conflicts"})


@dataclass(frozen=True, slots=True)
class Spoken:
    """A lesson in the words of somebody; every field but the text may be left out.

    Args:
        text: The rule in its first paragraph, what explains it below.
        paths: Globs from the repository's top.
        project: Whether it holds everywhere.
        for_: Task domains that it is for.
        not_for: Task domains that it is not for, or ``none``.
        evidence: References, with a prefix that says of what kind or without.
        supersedes: Ids or titles of memories whose place it takes.
        from_events: Events that it comes from, as `gitmem.usecases.source_events.find_events` takes them.
        fixed_by: A revision.
        expires: A day, as ``2027-01-31``.
        origin: Where it comes from; ``human`` for what a person says of his own.
    """

    text: str
    kind: str | None = None
    type: str | None = None
    title: str | None = None
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    project: bool = False
    for_: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    failure_class: str | None = None
    failure_type: str | None = None
    root_cause: str | None = None
    from_events: tuple[str, ...] = ()
    fixed_by: str | None = None
    probe: str | None = None
    expires: str | None = None
    origin: str | None = None


def spoken_lesson(
    ledger: RunLedger, knowledge: Knowledge, run: Run, spoken: Spoken, teller: Teller, *, named_run: bool
) -> Lesson:
    """A lesson from what somebody says.

    Args:
        ledger: Whose events and commits it cites.
        knowledge: The memories that it may supersede.
        run: Where it will be written.
        spoken: The words.
        teller: Who says them.
        named_run: Whether the events are those of `run`; else of the current run, ended or not.

    Raises:
        NotFoundError: An event, a commit or a superseded memory is not here.
        UsageError: An event that is several, or a date that is none.
    """
    repository = ledger.repository
    events = find_events(ledger, run if named_run else None, spoken.from_events)
    summary, body = _paragraphs(spoken.text)
    failure_class = spoken.failure_class or failure_class_of(events)
    memory = Memory(
        "",
        "",
        Kind(spoken.kind) if spoken.kind else default_kind(spoken.type),
        spoken.type,
        Status.CANDIDATE,
        summary,
        title=spoken.title,
        body=body,
        scope=Scope(
            spoken.paths, spoken.exclude, spoken.elements, spoken.for_, spoken.not_for, spoken.project
        ),
        evidence=sort_evidence(spoken.evidence, RepositoryResolver(repository)),
        verification=Verification(spoken.probe),
        origin=Origin(
            run=None if run.id == INBOX else run.id,
            source_events=tuple(one.commit for one in events),
            failure_class=failure_class,
            failure_type=spoken.failure_type,
            root_cause=spoken.root_cause,
            system=spoken.origin or (HUMAN if teller.actor == HUMAN else None),
        ),
        created_by=author(repository, teller.actor),
        expires_at=_day(spoken.expires),
        supersedes=superseded_ids(knowledge, spoken.supersedes),
    )
    fixed_by = whole_commit(repository, spoken.fixed_by) if spoken.fixed_by else None
    return Lesson(memory, fixed_by=fixed_by)


def author(repository: Repository, actor: str) -> str:
    """Who says something, as memories name their author: ``claude-code/sarah``, or a person's name alone."""
    identity = repository.identity()
    name = "" if identity == FALLBACK else identity.name
    if actor == HUMAN:
        return name or actor
    return f"{actor}/{name}" if name else actor


def _paragraphs(text: str) -> tuple[str, str | None]:
    """The first paragraph on one line, and what follows."""
    first, _, rest = text.strip().replace("\r\n", "\n").partition("\n\n")
    return " ".join(first.split()), rest.strip() or None


def _day(written: str | None) -> date | None:
    try:
        return date.fromisoformat(written) if written else None
    except ValueError:
        raise UsageError(f"--expires {written!r:.60} is no day", hint="write it as 2027-01-31") from None


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a document.

    Args:
        remembered: The lessons that were taken in, in its order.
        problems: What failed, and what is odd.
        failed: How many lessons were not taken in.
    """

    remembered: tuple[Remembered, ...]
    problems: tuple[Problem, ...]
    failed: int


def take_in(remembering: Remembering, repository: Repository, name: str, data: bytes, *, by: str) -> Taken:
    """Take in the lessons of a document, each by itself: one that fails keeps none of the others out.

    Args:
        remembering: Where they go.
        repository: What their evidence is looked up in.
        name: What the document is called in problems.
        data: Its bytes.
        by: Who hands them over, for those that name nobody.
    """
    parsed = parse_candidates(name, data, RepositoryResolver(repository))
    problems = [problem for one in parsed for problem in one.problems]
    remembered: list[Remembered] = []
    for one in parsed:
        if one.memory is None:
            continue
        try:
            remembered.append(remembering.remember(lesson_of(one.memory, repository, by)))
        except GitmemError as error:
            problems.append(_problem(name, one.line, one.memory, error))
    return Taken(tuple(remembered), tuple(problems), len(parsed) - len(remembered))


def lesson_of(memory: Memory, repository: Repository, by: str) -> Lesson:
    """A document's memory as a lesson: nothing that it says of its own approval or validation counts.

    Raises:
        NotFoundError: The commit that fixed it is not here.
    """
    schema, review, fixed_by = (
        memory.extra.get(one) for one in ("schema", "requires_human_review", "fixed_by")
    )
    origin = memory.origin
    if isinstance(schema, str) and not origin.imported:
        origin = replace(origin, imported=schema)
    bare = replace(
        memory,
        origin=origin,
        extra={name: value for name, value in memory.extra.items() if name not in _BESIDE},
        created_by=memory.created_by or by,
        approved_at=None,
        approved_by=None,
        validated_by=None,
        last_validated_at=None,
        baseline=None,
        challenged_at=None,
        challenged_because=None,
        superseded_by=(),
    )
    fix = whole_commit(repository, fixed_by) if isinstance(fixed_by, str) else None
    return Lesson(bare, review in {"true", True}, fix)


def whole_commit(repository: Repository, revision: str) -> str:
    """The id of the commit that fixed something.

    Raises:
        NotFoundError: No such commit here.
    """
    try:
        return repository.resolve(revision)
    except NotFoundError as error:
        raise NotFoundError(
            f"fixed by {revision[:80]}: no such commit here", hint=error.hint or "git log shows them"
        ) from None


def _problem(name: str, line: int, memory: Memory, error: GitmemError) -> Problem:
    which = f"{memory.id}: " if memory.id else ""  # not its words, which may be what must not be shown
    return Problem(name, line, 0, "", f"{which}{error.message}", error.hint)
