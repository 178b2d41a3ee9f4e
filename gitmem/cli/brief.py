"""`gitmem brief`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation


@command(examples=["gitmem brief", "gitmem brief --run run-20260713-7k2mq --budget 1500"])
@click.option("--task", metavar="TEXT", hidden=True, help="What the session is about.")
@click.option(
    "--path", "paths", metavar="PATH", multiple=True, hidden=True, help="What it is about to touch."
)
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
def brief(
    invocation: Invocation,
    *,
    task: str | None,  # noqa: ARG001 - memories are chosen by it once recall is there
    paths: tuple[str, ...],  # noqa: ARG001 - see task
    run: str | None,
    budget: int | None,
) -> int:
    """What a session should read first: handoff, plan, changed files, latest failure; at most 9,000 bytes.

    Exits with 3 when something of the run cannot be read; what is known of it is told all the same.
    """
    from gitmem.git.opening import open_repository
    from gitmem.report.brief import brief_document, format_brief
    from gitmem.store.ledger import RunLedger
    from gitmem.usecases.brief import load_brief

    with RunLedger(open_repository()) as ledger:
        loaded = load_brief(ledger, run=run)
    text = format_brief(loaded, budget=budget)
    if invocation.json:
        invocation.emit_json(brief_document(loaded, text))
    else:
        invocation.emit_text(text.text.rstrip("\n").split("\n") if text.text else ())
    if loaded.material is not None and not text.text:
        invocation.warn(
            f"nothing of {len(text.left_out)} parts fits into the budget of {budget}: gitmem brief"
        )
    if loaded.problem:
        invocation.warn(loaded.problem)
    return 3 if loaded.unread else 0
