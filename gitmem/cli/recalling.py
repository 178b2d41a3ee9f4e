"""Answer one `gitmem recall`; without click, so that `gitmem.cli.quick_recall` need not load it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gitmem.cli.invocation import Invocation
    from gitmem.git.program import ProgramRepository
    from gitmem.usecases.recall import Recalled
    from gitmem.usecases.recalling.question import Asked


class Question(NamedTuple):
    """What the command line asks.

    Args:
        query: Words of the task.
        paths: What it touches, as written.
        elements: Elements that it is about.
        domain: The task domain.
        most: Most results.
        as_of: A revision to look back from.
        explain: Whether each score is explained.
        run: The run that a session's recall is recorded in.
        session: The session to record in.
        actor: Who asks.
    """

    query: str = ""
    paths: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    domain: str | None = None
    most: int = 5
    as_of: str | None = None
    explain: bool = False
    run: str | None = None
    session: str | None = None
    actor: str = "human"


class Prepared(NamedTuple):
    """An answer, all but told: nothing has been written.

    Args:
        repository: Where it was found.
        recalled: What was found.
        lines: As text; None where JSON is asked for.
    """

    repository: ProgramRepository
    recalled: Recalled
    lines: tuple[str, ...] | None


def prepare(question: Question, *, json: bool) -> Prepared:
    """Find the answer.

    Raises:
        NotFoundError: No repository, a path outside of it, or no such revision.
    """
    from gitmem.git.opening import open_repository
    from gitmem.recall.loading import host_of
    from gitmem.usecases.recalling.question import Asked

    repository = open_repository()
    asked = Asked(
        question.query,
        _named(repository, question.paths),
        question.elements,
        question.domain,
        question.most,
        as_of=question.as_of,
        host=host_of(question.actor),
    )
    recalled = _recalled(repository, asked)
    if json:
        return Prepared(repository, recalled, None)
    from gitmem.report.recall import recall_lines

    return Prepared(repository, recalled, tuple(recall_lines(recalled, explain=question.explain)))


def tell(invocation: Invocation, question: Question, prepared: Prepared) -> int:
    """Tell the answer, then record with a session what was told."""
    _, recalled, lines = prepared
    if lines is None:
        from gitmem.report.recall import recall_document

        invocation.emit_json(recall_document(recalled))
    else:
        invocation.emit_text(lines)
    if recalled.problems:
        invocation.warn(*recalled.problems)
    if question.session and recalled.items and not question.as_of:
        _record(prepared.repository, recalled, question)
    return 0


def _named(repository: ProgramRepository, paths: tuple[str, ...]) -> tuple[str, ...]:
    if not paths:
        return ()
    from gitmem.cli.written_path import repository_path

    return tuple(repository_path(repository, path) for path in paths)


def _recalled(repository: ProgramRepository, asked: Asked) -> Recalled:
    """The answer; an empty one with the reason where what is stored cannot be read."""
    from gitmem.cli.today import now
    from gitmem.errors import GitmemError
    from gitmem.usecases.recall import Recalled, recall

    if asked.as_of is not None:
        repository.resolve(asked.as_of)
    try:
        return recall(repository, asked, now())
    except (GitmemError, OSError) as error:
        return Recalled(asked.query, "default", False, (), f"Nothing can be recalled: {error}.")


def _record(repository: ProgramRepository, recalled: Recalled, question: Question) -> None:
    """Best effort, once the answer is out."""
    from gitmem.errors import GitmemError
    from gitmem.usecases.delivering import record_delivered

    sys.stdout.flush()
    try:
        record_delivered(
            repository, recalled, run=question.run, session=question.session or "", actor=question.actor
        )
    except (GitmemError, OSError):
        return
