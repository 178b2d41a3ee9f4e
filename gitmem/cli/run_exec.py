"""`gitmem run exec`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import CONTEXT, command
from gitmem.cli.invocation import Invocation
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.usecases.brief import Brief
    from gitmem.usecases.runs.executing import Execution


@command(
    "exec",
    examples=[
        "gitmem run exec -- pytest -q",
        "gitmem run exec --as test --retries 1 -- npm test",
        "gitmem run exec --as lint -- ruff check .",
        "gitmem run exec --as agent -- claude",
    ],
    # What follows the program is the program's: `gitmem run exec pytest -q` as well as with `--`.
    context_settings={**CONTEXT, "allow_interspersed_args": False},
)
@click.argument("words", metavar="CMD…", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["test", "build", "lint", "agent"]),
    default="test",
    show_default=True,
    help="What it is, and so what is recorded.",
)
@click.option(
    "--retries",
    type=click.IntRange(0, 100),
    metavar="N",
    default=0,
    help="Try again up to N times when it fails; passing then is recorded as flaky.",
)
@click.option(
    "--junit",
    "reports",
    metavar="FILE",
    multiple=True,
    help="A test report that it writes; the usual places are looked at anyway.",
)
@click.option("--run", metavar="RUN", envvar="GITMEM_RUN", help="The run; the current one by default.")
@click.option(
    "--session", metavar="SESSION", envvar="GITMEM_SESSION", help="The agent session it belongs to."
)
@click.option(
    "--actor",
    metavar="ACTOR",
    envvar="GITMEM_ACTOR",
    help="Who runs it; test-runner by default, for an agent its program.",
)
def exec_(
    invocation: Invocation,
    *,
    words: tuple[str, ...],
    kind: str,
    retries: int,
    reports: tuple[str, ...],
    run: str | None,
    session: str | None,
    actor: str | None,
) -> int:
    """Run a command as if alone, and record how it went: result, failing tests, class of failure, whole log.

    Its streams, signals and exit status pass through. Without a current run it runs all the same and nothing is recorded.
    Around an agent: a session, the brief as a file that GITMEM_CONTEXT names, its commits and patch, the handoff in the end.
    """
    from gitmem.running.process import Streams
    from gitmem.usecases.runs.executing import Order, execute

    sys.stdout.flush()
    sys.stderr.flush()
    streams = Streams(0, sys.stdout.fileno(), sys.stderr.fileno())
    if kind == "agent":
        if retries or reports:
            raise UsageError("--retries and --junit are for tests", hint="leave them out with --as agent")
        from gitmem.usecases.runs.accompanying import Errand, accompany

        errand = Errand(words, _context, run=run, session=session, actor=actor, streams=streams)
        return _tell(invocation, words[0], accompany(errand))
    order = Order(
        words,
        kind=kind,
        retries=retries,
        run=run,
        session=session,
        actor=actor or "test-runner",
        reports=reports,
        streams=streams,
    )
    return _tell(invocation, words[0], execute(order))


def _context(brief: Brief) -> str:
    from gitmem.report.brief import format_brief

    return format_brief(brief).text


def _tell(invocation: Invocation, program: str, execution: Execution) -> int:
    """Say on stderr how it was recorded: stdout is the command's. Nobody there to hear changes nothing."""
    from gitmem.report.executed import execution_document, recorded_lines

    try:
        if execution.not_started:
            invocation.warn(f"gitmem: {program}: {execution.not_started}")
        if invocation.json:
            import json

            invocation.warn(json.dumps(execution_document(execution), ensure_ascii=True))
        else:
            invocation.warn(*(f"gitmem: {note}" for note in execution.notes))
            invocation.note(*(f"gitmem: {line}" for line in recorded_lines(execution)))
            invocation.note_masked(*execution.events)
        sys.stderr.flush()
    except OSError:  # the terminal is gone, or the pipe's reader
        pass
    return execution.exit_code
