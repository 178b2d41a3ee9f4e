"""One run of the Action: read the event, look, and tell: summary, outputs, SARIF and the sticky comment.

What the forge refuses is said and changes nothing else: a run without a token, or with one that may only read, still
judges, annotates and writes the summary.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from gitmem.action.rest import GitHubRest
from gitmem.action.runner import Runner
from gitmem.git.interface import Repository
from gitmem.redaction.told import masked_document
from gitmem.report.action import MARKER, comment, quiet_comment, summary
from gitmem.report.action_data import outputs
from gitmem.report.action_parts import Place
from gitmem.report.drift_sarif import sarif
from gitmem.report.sanitise import visible_json
from gitmem.usecases.acting.answer import ActionAnswer
from gitmem.usecases.acting.branch import look_at_branch
from gitmem.usecases.acting.change import look_at_change
from gitmem.usecases.acting.forge import ForgeError
from gitmem.usecases.acting.occasion import Occasion


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a workflow asks for.

    Args:
        mark: ``commit`` writes ``status: challenged`` to the default branch.
        comment: ``auto`` keeps one comment on the pull request.
        sarif: File to write; none when empty.
    """

    mark: Literal["none", "commit"] = "none"
    comment: Literal["auto", "never"] = "auto"
    sarif: str = ""


def run_action(repo: Repository, runner: Runner, wishes: Wishes, now: datetime) -> ActionAnswer | Occasion:
    """Do what the event asks for.

    Returns:
        What was found; the occasion alone when there was nothing to check.

    Raises:
        UsageError: No runner, an event that is not served, or an address without https.
        InvalidDataError: The event file cannot be read.
        NotServedError: The base of a change is not here and cannot be fetched.
    """
    occasion = runner.occasion()
    if occasion.idle:
        return occasion
    forge = GitHubRest(runner.api, occasion.repository, runner.token) if runner.token else None
    if occasion.kind == "branch":
        answer = look_at_branch(repo, occasion, forge, now, mark=wishes.mark == "commit")
    else:
        answer = look_at_change(repo, occasion, forge, now.date())
    where = Place(runner.server, occasion, now)
    url, refused = _keep_comment(answer, where, forge, wishes, runner)
    if refused:
        answer = replace(answer, remarks=(*answer.remarks, refused))
    if wishes.sarif:
        _write_sarif(answer, wishes.sarif)
    runner.put_summary(summary(answer, where))
    runner.put_outputs({**outputs(answer), "comment": url, "sarif-file": wishes.sarif})
    return answer


def _keep_comment(
    answer: ActionAnswer, where: Place, forge: GitHubRest | None, wishes: Wishes, runner: Runner
) -> tuple[str, str]:
    """Address of the comment, and why there is none.

    A first comment is written only when there is something to say; one that is there is always brought up to date.
    """
    pull = answer.occasion.pull
    if pull is None or pull.is_fork or wishes.comment == "never":
        return "", ""
    if forge is None:
        return "", "no token was given, so there is no comment"
    try:
        old = forge.find_comment(pull.number, MARKER)
        quiet = quiet_comment() if old else ""
        body = quiet if answer.is_quiet else comment(answer, where, job=runner.job)
        if not body or (old is not None and old.body.replace("\r\n", "\n") == body):
            return old.url if old else "", ""
        return forge.write_comment(pull.number, body, old).url, ""
    except ForgeError as error:
        return "", f"the comment could not be written, so this summary stands in for it: {error.message}"


def _write_sarif(answer: ActionAnswer, file: str) -> None:
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = visible_json(json.dumps(masked_document(sarif(answer.report)), ensure_ascii=False))
    path.write_text(f"{text}\n", "utf-8")
