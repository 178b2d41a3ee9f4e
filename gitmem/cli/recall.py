"""`gitmem recall`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

if TYPE_CHECKING:
    from gitmem.git.program import ProgramRepository
    from gitmem.usecases.recall import Asked, Recalled


@command(
    examples=[
        'gitmem recall "retry a failed payment"',
        'gitmem recall "재시도 정책" --path src/checkout/api.ts',
        "gitmem recall --element Checkout --domain payments",
        'gitmem recall "header casing" --explain',
    ]
)
@click.argument("query", metavar="[QUERY]", required=False, default="")
@click.option("--path", "paths", metavar="P", multiple=True, help="What the task touches.")
@click.option("--element", "elements", metavar="E", multiple=True, help="An element that it is about.")
@click.option(
    "--domain", metavar="D", help="Only memories of this task domain and those for the whole project."
)
@click.option("-n", "most", metavar="K", type=click.IntRange(1, 100), default=5, help="Most results (5).")
@click.option("--explain", is_flag=True, help="How each score came about.")
@click.option(
    "--as-of", "as_of", metavar="REV", help="As that commit knew it, judged by its code and its day."
)
@click.option(
    "--run", metavar="RUN", envvar="GITMEM_RUN", help="The run that a session's recall is recorded in."
)
@click.option(
    "--session", metavar="SESSION", envvar="GITMEM_SESSION", help="Record in this session what was told."
)
@click.option("--actor", metavar="ACTOR", envvar="GITMEM_ACTOR", default="human", help="Who asks.")
def recall(
    invocation: Invocation,
    *,
    query: str,
    paths: tuple[str, ...],
    elements: tuple[str, ...],
    domain: str | None,
    most: int,
    explain: bool,
    as_of: str | None,
    run: str | None,
    session: str | None,
    actor: str,
) -> int:
    """Say what is known about a task: approved memories, the best first, each with its doubts in words.

    Words in any language, identifiers and paths all count; where a task touches is a hint, never a filter. With a
    session one event tells what was delivered, otherwise nothing is written. A memory that the code has moved under
    is told further down, and to be verified.
    """
    from gitmem.report.recall import recall_document, recall_lines
    from gitmem.usecases.recalling.search import Asked

    repository, named = _places(paths)
    asked = Asked(query, named, elements, domain, most, as_of=as_of)
    recalled = _recalled(repository, asked)
    if invocation.json:
        invocation.emit_json(recall_document(recalled))
    else:
        invocation.emit_text(recall_lines(recalled, explain=explain))
    invocation.warn(*recalled.problems)
    if session and recalled.items and not as_of:
        _record(repository, recalled, run, session, actor)
    return 0


def _places(paths: tuple[str, ...]) -> tuple[ProgramRepository, tuple[str, ...]]:
    from gitmem.cli.written_path import repository_path
    from gitmem.git.opening import open_repository

    repository = open_repository()
    return repository, tuple(repository_path(repository, path) for path in paths)


def _recalled(repository: ProgramRepository, asked: Asked) -> Recalled:
    """The answer; an empty one with the reason where what is stored cannot be read."""
    from gitmem.cli.today import now
    from gitmem.errors import GitmemError, NotFoundError
    from gitmem.usecases.recall import Recalled, recall

    try:
        return recall(repository, asked, now())
    except NotFoundError:
        if asked.as_of:
            raise
        return Recalled(asked.query, "default", False, (), "Nothing can be recalled here.")
    except (GitmemError, OSError) as error:
        return Recalled(asked.query, "default", False, (), f"Nothing can be recalled: {error}.")


def _record(
    repository: ProgramRepository, recalled: Recalled, run: str | None, session: str, actor: str
) -> None:
    """Best effort, once the answer is out."""
    import sys

    from gitmem.errors import GitmemError
    from gitmem.usecases.delivering import record_delivered

    sys.stdout.flush()
    try:
        record_delivered(repository, recalled, run=run, session=session, actor=actor)
    except (GitmemError, OSError):
        return
