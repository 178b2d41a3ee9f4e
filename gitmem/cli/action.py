"""`gitmem action`: what `action.yml` calls in a workflow of GitHub."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast, get_args

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import now
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from typing import Any

    from gitmem.usecases.acting.answer import ActionAnswer

_FAILED = 1


@command(
    hidden=True,
    examples=["gitmem action --fail-on refused,unapproved --sarif gitmem.sarif"],
)
@click.option(
    "--mark",
    type=click.Choice(["none", "commit"]),
    default="none",
    envvar="GITMEM_ACTION_MARK",
    help="On the default branch: commit `status: challenged` to it.",
)
@click.option(
    "--comment",
    type=click.Choice(["auto", "never"]),
    default="auto",
    envvar="GITMEM_ACTION_COMMENT",
    help="On a pull request: keep one comment up to date.",
)
@click.option(
    "--fail-on",
    metavar="WHAT,…",
    default="refused",
    envvar="GITMEM_ACTION_FAIL_ON",
    help="Exit 1 when: challenged, refused, unapproved, unreviewed, unchecked, unconfirmed; or never.",
)
@click.option("--sarif", metavar="FILE", envvar="GITMEM_ACTION_SARIF", help="Also write a SARIF file.")
def action(invocation: Invocation, *, mark: str, comment: str, fail_on: str, sarif: str | None) -> int:
    """Check what a GitHub workflow was started for: a push, a pull request, a merge queue, a schedule, a click.

    Reads the event that the runner hands over, writes annotations, the job's summary, outputs and, on a pull request, one
    comment. GITHUB_TOKEN is taken from the environment. `gitmem help action` shows a workflow.
    """
    from gitmem.action.runner import Runner
    from gitmem.action.running import Wishes, run_action
    from gitmem.usecases.acting.answer import ActionAnswer, failures

    wanted = _conditions(fail_on)
    # The choices were checked when the words were read.
    wishes = Wishes(mark=cast("Any", mark), comment=cast("Any", comment), sarif=sarif or "")
    runner = Runner(dict(os.environ))
    os.environ.pop("GITHUB_TOKEN", None)  # no child of git needs it
    answer = run_action(invocation.repository(), runner, wishes, now())
    if not isinstance(answer, ActionAnswer):
        invocation.note(f"nothing to check: {answer.idle}")
        if invocation.json:
            invocation.emit_json({"event": answer.event, "idle": answer.idle})
        return 0
    _tell(invocation, answer)
    failed = failures(answer, wanted)
    if failed:
        invocation.warn(f"red because of: {', '.join(failed)} (fail-on: {fail_on})")
    return _FAILED if failed else 0


def _tell(invocation: Invocation, answer: ActionAnswer) -> None:
    from gitmem.report.action_data import action_annotations, action_document, log_lines

    if invocation.json:
        invocation.emit_json(action_document(answer))
        return
    invocation.emit_text(log_lines(answer))
    invocation.emit_commands(action_annotations(answer))


def _conditions(text: str) -> frozenset[str]:
    from gitmem.usecases.acting.answer import Failing

    words = {word for part in text.replace(",", " ").split() if (word := part.strip())}
    known = {*get_args(Failing), "never"}
    unknown = sorted(words - known)
    if unknown:
        raise UsageError(
            f"--fail-on: there is no {unknown[0]!r}", hint=f"one or more of {', '.join(sorted(known))}"
        )
    if not words:
        raise UsageError("--fail-on names nothing", hint="never, for a check that is never red")
    if "never" in words and len(words) > 1:
        others = ", ".join(sorted(words - {"never"}))
        raise UsageError(f"--fail-on: never contradicts {others}", hint=f"give either never or {others}")
    return frozenset(words - {"never"})
