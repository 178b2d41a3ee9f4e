"""`gitmem status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today

if TYPE_CHECKING:
    from gitmem.git.interface import Repository
    from gitmem.usecases.status import SetUp


@command("status", examples=["gitmem status", "gitmem status --json"])
def status(invocation: Invocation) -> None:
    """One screen: the current run and what it waits for, memories by status, what waits for a person, what is set up."""
    from datetime import UTC, datetime
    from itertools import chain

    from gitmem.report.status import run_status_lines, set_up_line, status_document, status_lines
    from gitmem.usecases.reviewing.waiting import waiting
    from gitmem.usecases.runs.standing import run_state
    from gitmem.usecases.status import load_state

    runs = run_state(invocation.ledger())
    state = load_state(invocation.repository(), today=today())
    queued = waiting(invocation.ledger(), today=today())  # after the check, whose verdicts it counts
    set_up = _set_up(invocation.repository())
    if invocation.json:
        invocation.emit_json(status_document(state, runs, queued, set_up))
        return
    look = invocation.look()
    work = run_status_lines(runs, datetime.now(UTC), look)
    invocation.emit_text(chain(work, status_lines(state, look, queued), [set_up_line(set_up, look)]))


def _set_up(repo: Repository) -> SetUp:
    from gitmem.agents.standing import agents_here
    from gitmem.agents.table import AGENTS
    from gitmem.usecases.hooks import hook_states
    from gitmem.usecases.status import SetUp, SetUpState, hooks_state

    hooks = hooks_state(hook_states(repo))
    if repo.layout.work_tree is None:
        return SetUp(hooks, None)
    agents: dict[str, SetUpState] = {
        one.agent.name: "installed" if one.state == "installed" else "incomplete"
        for one in agents_here(repo, AGENTS.values())
    }
    return SetUp(hooks, agents)
