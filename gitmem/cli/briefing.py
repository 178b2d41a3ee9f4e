"""Answer one `gitmem brief`; without click, so that the warm way need not load it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gitmem.cli.invocation import Invocation
    from gitmem.git.program import ProgramRepository
    from gitmem.report.brief import BriefText
    from gitmem.usecases.brief import Brief


class Question(NamedTuple):
    """What the command line asks.

    Args:
        task: What the session is about.
        paths: What it is about to touch, as written.
        run: The run; the current one when None.
        budget: Most tokens.
        session: The session to record in.
        actor: Who asks.
    """

    task: str = ""
    paths: tuple[str, ...] = ()
    run: str | None = None
    budget: int | None = None
    session: str | None = None
    actor: str = "human"


class Prepared(NamedTuple):
    """An answer, all but told: no event has been written."""

    repository: ProgramRepository
    brief: Brief
    text: BriefText


def prepare(question: Question, changed: bytes | None = None) -> Prepared:
    """Find the answer.

    Args:
        question: What is asked.
        changed: What git answered to `gitmem.wire.work_tree.STATUS`, where it was asked just now.

    Raises:
        NotFoundError, UsageError: No repository, a path outside of it, or no such run.
    """
    from gitmem.cli.today import now
    from gitmem.cli.written_path import repository_path
    from gitmem.git.opening import open_repository
    from gitmem.recall.loading import host_of
    from gitmem.report.brief import format_brief
    from gitmem.store.ledger import RunLedger
    from gitmem.usecases.brief import load_brief
    from gitmem.usecases.brief_memories import Task

    repository = open_repository()
    paths = tuple(repository_path(repository, path) for path in question.paths)
    task = Task(question.task, paths, host=host_of(question.actor))
    with RunLedger(repository) as ledger:
        brief = load_brief(ledger, run=question.run, task=task, now=now(), changed=changed)
    return Prepared(repository, brief, format_brief(brief, budget=question.budget))


def tell(invocation: Invocation, question: Question, prepared: Prepared) -> int:
    """Tell the answer, then record with a session what was told."""
    repository, brief, text = prepared
    if invocation.json:
        from gitmem.report.brief import brief_document

        invocation.emit_json(brief_document(brief, text))
    else:
        invocation.emit_text(text.text.rstrip("\n").split("\n") if text.text else ())
    if text.left_out and not text.text:
        invocation.warn(
            f"nothing of {len(text.left_out)} parts fits into the budget of {question.budget}: gitmem brief"
        )
    if brief.is_empty:
        invocation.note(brief.remark)
    if brief.problem:
        invocation.warn(brief.problem)
    if question.session and text.memories:
        record(repository, text.memories, brief.memories.query, question)
    return 3 if brief.unread else 0


def record(repository: ProgramRepository, ids: tuple[str, ...], query: str, question: Question) -> None:
    """Record what was told, best effort, once the answer is out."""
    from gitmem.errors import GitmemError
    from gitmem.usecases.delivering import record_told

    sys.stdout.flush()
    try:
        record_told(
            repository,
            ids,
            query=query,
            run=question.run,
            session=question.session or "",
            actor=question.actor,
        )
    except (GitmemError, OSError):
        return
