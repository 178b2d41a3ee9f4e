"""`gitmem doctor` and `gitmem uninstall`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

if TYPE_CHECKING:
    from gitmem.git.interface import Repository
    from gitmem.usecases.doctor import Check


@command("doctor", examples=["gitmem doctor", "gitmem doctor --remote", "gitmem doctor --json"])
@click.option(
    "--remote", is_flag=True, help="Also ask the remote whether it takes the ledger's refs, by a probe."
)
def doctor(invocation: Invocation, *, remote: bool) -> int:
    """Look over the set-up: what is there, what is missing or would not fire, and the cure for each.

    Exits 1 when something is to be fixed. What merely could be set up is told and is no fault. --remote sends one empty
    commit under refs/ai/ and removes it again.
    """
    from gitmem.report.doctor import doctor_document, doctor_lines
    from gitmem.usecases.doctor import examine_setup

    repo = invocation.repository()
    checks = (*examine_setup(repo, remote=remote), *_agents(repo))
    if invocation.json:
        invocation.emit_json(doctor_document(checks))
    else:
        shown = [one for one in checks if not (invocation.quiet and one.ok)]
        invocation.emit_text(doctor_lines(shown, invocation.look()))
    return 0 if all(one.ok for one in checks) else 1


def _agents(repo: Repository) -> Iterator[Check]:
    from gitmem.agents.installing import installed, plan_install
    from gitmem.agents.table import AGENTS
    from gitmem.errors import GitmemError
    from gitmem.usecases.doctor import Check

    if repo.layout.work_tree is None:
        return
    here = installed(repo, AGENTS.values())
    if not here:
        yield Check("agents", True, "none is set up here", f"gitmem agent install {'|'.join(AGENTS)}")
    for agent in here:
        try:
            missing = [one.path for one in plan_install(repo, agent) if one.word != "kept"]
        except GitmemError as error:
            yield Check(agent.name, False, error.message, error.hint)
            continue
        cure = f"gitmem agent install {agent.name}" if missing else " ".join(agent.remarks)
        said = f"incomplete: {', '.join(missing)}" if missing else "set up"
        yield Check(agent.name, not missing, said, cure)


@command("uninstall", examples=["gitmem uninstall"])
def uninstall(invocation: Invocation) -> int:
    """Take gitmem's hooks, agents and settings out of this clone; the ledger and .ai/ stay.

    Undoes `gitmem hooks install` and `gitmem agent install`, and unsets `gitmem.*` in this clone's configuration. Runs
    stay under refs/ai/, memories in .ai/: delete them yourself if you mean to.
    """
    from gitmem.agents.installing import apply, installed, plan_uninstall
    from gitmem.agents.table import AGENTS
    from gitmem.git.setup import unset_settings
    from gitmem.report.sanitise import visible
    from gitmem.usecases.hooks import uninstall as uninstall_hooks

    repo = invocation.repository()
    hooks = uninstall_hooks(repo)
    said = [f"{one.state:<8} {visible(str(one.file))}" for one in hooks]
    if repo.layout.work_tree is not None:
        agents = installed(repo, AGENTS.values())
        changes = {
            one.path: one
            for agent in agents
            for one in plan_uninstall(repo, agent)
            if one.word != "kept" and one.before is not None
        }
        apply(repo, changes.values())
        said += [f"{one.word:<8} {visible(one.path)}" for one in changes.values()]
    said += [f"unset    {visible(key)}" for key in unset_settings(repo, "gitmem")]
    if invocation.json:
        invocation.emit_json({"undone": said})
    else:
        invocation.emit_text(said or ["nothing of gitmem was set up in this clone"])
    invocation.note("kept: the runs under refs/ai/ and everything in .ai/")
    return 3 if any(one.state == "refused" for one in hooks) else 0
