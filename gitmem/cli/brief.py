"""`gitmem brief`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


@command(
    examples=[
        "gitmem brief",
        'gitmem brief --task "retry a failed payment" --path src/checkout/api.ts',
        "gitmem brief --run run-20260713-7k2mq --budget 1500",
    ]
)
@click.option(
    "--task", metavar="TEXT", default="", help="What the session is about; the run's goal by default."
)
@click.option("--path", "paths", metavar="P", multiple=True, help="What it is about to touch.")
@click.option(
    "--run",
    metavar="RUN",
    envvar="GITMEM_RUN",
    help="The run, or the beginning of its id; the current one by default.",
)
@click.option(
    "--budget",
    metavar="TOKENS",
    type=click.IntRange(min=1),
    help="Most tokens, estimated: four ASCII characters or one other for each.",
)
@click.option(
    "--session", metavar="SESSION", envvar="GITMEM_SESSION", help="Record in this session what was told."
)
@click.option("--actor", metavar="ACTOR", envvar="GITMEM_ACTOR", default="human", help="Who asks.")
def brief(
    invocation: Invocation,
    *,
    task: str,
    paths: tuple[str, ...],
    run: str | None,
    budget: int | None,
    session: str | None,
    actor: str,
) -> int:
    """What a session should read first: handoff, plan, changed files, latest failure, memories; at most 9,000 bytes.

    Memories are those for the task, and for what it touches: --path, what the run changed and may change, and what is
    not committed (without a run only where neither --task nor --path is given). What the code has moved under comes with its warning. Of Do Not Repeat no line is
    left out before all of them are as short as can be. With a session one
    event tells which memories were delivered, otherwise nothing is written.

    What repeats a line of a rules file is left out: of one that the agent loads by itself where --actor is claude-code,
    codex, cursor, gemini or copilot, as the hooks and the MCP server know it; otherwise of any rules file.

    Exits with 3 when something of the run cannot be read; what is known of it is told all the same.
    """
    from gitmem.cli.briefing import Question, prepare, tell

    question = Question(task, paths, run, budget, session, actor)
    return tell(invocation, question, prepare(question))
