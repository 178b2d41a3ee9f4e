"""`gitmem doctor` and `gitmem uninstall`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.errors import GitmemError, NotServedError

if TYPE_CHECKING:
    from gitmem.git.interface import Repository
    from gitmem.usecases.doctor import Check

_REFUSED = 3


@command("doctor", examples=["gitmem doctor", "gitmem doctor --remote", "gitmem doctor --json"])
@click.option(
    "--remote",
    is_flag=True,
    help="Also ask the remote whether it takes the ledger's refs, by a probe, and the provider of vectors for one.",
)
def doctor(invocation: Invocation, *, remote: bool) -> int:
    """Look over the set-up: what is there, what is missing or would not fire, and the cure for each.

    Exits 1 when something is to be fixed. What merely could be set up is told and is no fault. --remote sends one empty
    commit under refs/ai/ and removes it again; where a provider of vectors is configured it is sent one word.
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
    from gitmem.agents.installing import hindrances
    from gitmem.agents.standing import agents_here
    from gitmem.agents.starting import unfound_program
    from gitmem.agents.table import AGENTS
    from gitmem.usecases.doctor import Check

    if repo.layout.work_tree is None:
        return
    here = agents_here(repo, AGENTS.values())
    if not here:
        yield Check("agents", True, "none is set up here", f"gitmem agent install {'|'.join(AGENTS)}")
    elif unfound := unfound_program(os.environ):
        yield Check("agents", not unfound.is_never, unfound.reason, unfound.cure)
    for agent, missing, problems in here:
        said = [one.message for one in problems]
        cures = [one.hint for one in problems if one.hint]
        if missing:
            said.append(f"incomplete: {', '.join(missing)}")
            cures.append(f"gitmem agent install {agent.name}")
        if hindered := hindrances(repo, agent):
            said += hindered
            cures.append("take that out of the file, if gitmem is to be used")
        cure = "; then ".join(dict.fromkeys(cures)) or " ".join(agent.remarks)
        yield Check(agent.name, not said, "; ".join(said) or "set up", cure)


@command("uninstall", examples=["gitmem uninstall"])
def uninstall(invocation: Invocation) -> int:
    """Take gitmem's hooks, agents and settings out of this clone; the ledger and .ai/ stay.

    Undoes `gitmem hooks install` and `gitmem agent install`, and unsets `gitmem.*` in this clone's configuration. Runs
    stay under refs/ai/, memories in .ai/: delete them yourself if you mean to. Exits 3 when something could not be
    undone: each such file is named, with the cure, and the rest is undone.
    """
    from gitmem.git.setup import unset_settings
    from gitmem.report.agents import error_document, error_lines
    from gitmem.report.sanitise import visible
    from gitmem.usecases.hooks import uninstall as uninstall_hooks

    repo = invocation.repository()
    hooks = uninstall_hooks(repo)
    said = [f"{one.state:<8} {visible(str(one.file))}" for one in hooks if one.state != "refused"]
    changed, problems, left = _take_out_agents(repo)
    problems += [
        GitmemError(f"{one.file}: {one.detail}", hint=one.cure, path=str(one.file))
        for one in hooks
        if one.state == "refused"
    ]
    said += [f"{word:<8} {visible(path)}" for path, word in changed]
    said += [f"unset    {visible(key)}" for key in unset_settings(repo, "gitmem")]
    invocation.warn(*(line for one in problems for line in error_lines(one)))
    if invocation.json:
        invocation.emit_json({"undone": said, "problems": [error_document(one) for one in problems]})
    elif said or not problems:
        invocation.emit_text(said or ["nothing of gitmem was set up in this clone"])
    invocation.note("kept: the runs under refs/ai/ and everything in .ai/", *left)
    return _REFUSED if problems else 0


def _take_out_agents(repo: Repository) -> tuple[list[tuple[str, str]], list[GitmemError], tuple[str, ...]]:
    """Take every agent out, file by file, so that one which cannot be written keeps no other from it.

    Returns:
        Each changed file with what became of it, what could not be done, and what stays in the files for other tools.
    """
    from gitmem.agents.changing import apply
    from gitmem.agents.installing import left_behind, plan_uninstall
    from gitmem.agents.table import AGENTS

    if repo.layout.work_tree is None:
        return [], [], ()
    done: list[tuple[str, str]] = []
    plan = plan_uninstall(repo, AGENTS.values())
    problems = list(plan.problems)
    left = left_behind(repo, AGENTS.values(), plan.changes)
    for change in plan.changes:
        if change.word == "kept":
            continue
        try:
            apply(repo, [change])
        except NotServedError as error:
            problems.append(error)
        else:
            done.append((change.path, change.word))
    return done, problems, left
