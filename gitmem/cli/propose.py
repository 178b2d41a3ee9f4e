"""`gitmem propose`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import now
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from gitmem.git.interface import Repository
    from gitmem.usecases.propose import Draft


class Told(TypedDict):
    """What `event_options` gives."""

    run: str | None
    session: str | None
    actor: str


@command(
    examples=[
        "gitmem propose candidate-20261130-7k2mq",
        "gitmem propose candidate-20261130-7k2mq --branch",
        "gitmem propose candidate-20261130-7k2mq --commit",
    ]
)
@click.argument("candidate", metavar="CANDIDATE")
@click.option("--branch", "branch", is_flag=True, help="On a branch of its own, gitmem/<id>, committed.")
@click.option(
    "--commit",
    "commit",
    is_flag=True,
    help="Straight onto the trusted branch; only without a remote, and a person at a terminal is asked.",
)
@event_options
def propose(
    invocation: Invocation, *, candidate: str, branch: bool, commit: bool, **told: Unpack[Told]
) -> int:
    """Propose a candidate as a memory: the gate first, then its file, ready for a pull request.

    Writes the memory's YAML file and a first validation: into the work tree, or with --branch as a commit on a new branch
    that starts at the trusted one, which touches neither work tree nor index. Merging it is the approval. Nothing is
    pushed: the commands to do so are printed. Proposing again says where the proposal stands.
    """
    from gitmem.report.proposal import proposal_document, proposal_lines, proposal_message
    from gitmem.usecases.propose import ProposeRequest
    from gitmem.usecases.propose import propose as propose_candidate
    from gitmem.usecases.runs.inbox import memory_run
    from gitmem.usecases.runs.recording import Teller

    if branch and commit:
        raise UsageError("--branch and --commit exclude each other", hint="--branch leaves it to a merge")
    ledger = invocation.ledger()
    identity = ledger.repository.identity()
    actor = told["actor"]
    request = ProposeRequest(
        candidate,
        "commit" if commit else "branch" if branch else "worktree",
        identity.name if actor == "human" else actor,
        now(),
        proposal_message,
        _asker(invocation) if commit else None,
    )
    run = memory_run(ledger, told["run"])
    proposal = propose_candidate(ledger, run, Teller(actor, told["session"]), request)
    if invocation.json:
        invocation.emit_json(proposal_document(proposal))
    else:
        settings = push_to(ledger.repository, proposal.remote)
        invocation.emit_text(proposal_lines(proposal, invocation.look(), settings=settings))
    return 0 if proposal.where is not None else 1


def push_to(repository: Repository, remote: str | None) -> Mapping[str, str]:
    """The remote that proposals are pushed to and its address: git's own setting for pushes, else the trusted one."""
    chosen = repository.config("remote.pushDefault") or remote
    if chosen is None:
        return {}
    return {"remote": chosen, "url": repository.config(f"remote.{chosen}.url") or ""}


def _asker(invocation: Invocation) -> Callable[[Draft], bool] | None:
    """Asks the person at the terminal; None when nobody sits there."""
    if invocation.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None

    def ask(draft: Draft) -> bool:
        from gitmem.report.proposal import draft_lines

        invocation.emit_text(draft_lines(draft))
        return click.confirm("approve it now?", default=False)

    return ask
