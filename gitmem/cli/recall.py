"""`gitmem recall`; `gitmem.cli.quick_recall` answers plain command lines without click."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


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
@click.option(
    "-n",
    "most",
    metavar="K",
    type=click.IntRange(1, 100),
    default=5,
    help="Most hits (5); up to 3 links follow.",
)
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

    What repeats a line of a rules file is left out: of one that the agent loads by itself where --actor is claude-code,
    codex, cursor, gemini or copilot, as the hooks and the MCP server know it; otherwise of any rules file.
    """
    from gitmem.cli.recalling import Question, prepare, tell

    question = Question(query, paths, elements, domain, most, as_of, explain, run, session, actor)
    return tell(invocation, question, prepare(question, json=invocation.json))
