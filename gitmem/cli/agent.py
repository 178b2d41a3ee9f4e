"""`gitmem agent …`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.agents.changing import Change
    from gitmem.agents.parts import Agent
    from gitmem.errors import GitmemError

_NAME = click.argument("name", metavar="NAME")
_REFUSED = 3
_PLUGIN = "The gitmem plugin is enabled in this project's settings: it brings the hooks and the server."


@command(
    examples=[
        "gitmem agent install claude-code",
        "gitmem agent install codex --print",
        "gitmem agent install gemini --check",
    ]
)
@_NAME
@click.option(
    "--print", "only_print", is_flag=True, help="Show what would change, as a diff; change nothing."
)
@click.option("--check", is_flag=True, help="Exit 1 when something is missing, and change nothing.")
def install(invocation: Invocation, *, name: str, only_print: bool, check: bool) -> int:
    """Set an agent up in this project: hooks, the MCP server, and a block in AGENTS.md.

    NAME is claude-code, codex, cursor, gemini or copilot. Everything is merged into what is there: other tools' entries,
    unknown keys and layout stay, and comments in TOML; JSON with comments is refused. All files are written or none: one
    that cannot be edited is named with its line, and --print shows what to add to it by hand. Every hook is silent where gitmem is not installed. Commit the files to share them.
    """
    from gitmem.agents.changing import apply
    from gitmem.agents.installing import has_plugin, hindrances, plan_alone, plan_install
    from gitmem.agents.starting import unfound_program

    agent = _agent(name)
    repo = invocation.repository()
    changes, problems = plan_install(repo, agent)
    if problems and only_print:
        by_hand = plan_alone(agent, {one.path for one in problems if one.path})
        remark = f"to be added by hand, and shown as if new: {', '.join(one.path for one in by_hand)}"
        _answer(invocation, agent, [*by_hand, *changes], only_print=True, remarks=[remark], problems=problems)
        return _REFUSED
    if problems:
        _refuse(invocation, problems)
    if not (only_print or check):
        apply(repo, changes)
    unfound = unfound_program(os.environ)
    remarks = [_PLUGIN] if has_plugin(repo, agent) else [*agent.remarks]
    remarks += [f"{unfound.reason}. {unfound.cure}"] if unfound is not None else []
    remarks += hindrances(repo, agent)
    _answer(invocation, agent, changes, only_print=only_print, remarks=remarks)
    return 1 if check and any(one.word != "kept" for one in changes) else 0


@command(examples=["gitmem agent uninstall cursor", "gitmem agent uninstall cursor --print"])
@_NAME
@click.option("--print", "only_print", is_flag=True, help="Show what would change, and change nothing.")
def uninstall(invocation: Invocation, *, name: str, only_print: bool) -> int:
    """Take an agent's hooks, MCP server and block out of this project's files; everything else in them stays.

    A file that nobody else changed since is byte for byte as it was before. What another installed agent needs stays.
    Exits 3 when a file cannot be edited: it is named with its line, and the others are done.
    """
    from gitmem.agents.changing import apply
    from gitmem.agents.installing import left_behind, plan_uninstall
    from gitmem.agents.standing import agents_here
    from gitmem.agents.table import AGENTS

    agent = _agent(name)
    repo = invocation.repository()
    others = [one.agent for one in agents_here(repo, AGENTS.values()) if one.agent != agent]
    changes, problems = plan_uninstall(repo, [agent], others)
    remarks = left_behind(repo, [agent], changes)
    if not only_print:
        apply(repo, changes)
    _answer(invocation, agent, changes, only_print=only_print, remarks=remarks, problems=problems)
    if not problems and not any(one.word != "kept" for one in changes):
        invocation.note(f"nothing of {agent.title} was here")
    return _REFUSED if problems else 0


@command("list", examples=["gitmem agent list"])
def list_(invocation: Invocation) -> None:
    """Agents that gitmem knows, and which are set up in this project: installed, incomplete, or broken.

    Incomplete: `gitmem agent install NAME` puts in what is missing. Broken: a file of the agent cannot be read any more; it
    is named with its line and the cure.
    """
    from gitmem.agents.standing import agents_here
    from gitmem.agents.table import AGENTS
    from gitmem.report.agents import AgentState, agents_document, agents_lines

    here = {one.agent.name: one for one in agents_here(invocation.repository(), AGENTS.values())}
    told = [
        AgentState(name, agent.title, here[name].state, here[name].problems)
        if name in here
        else AgentState(name, agent.title, "absent")
        for name, agent in AGENTS.items()
    ]
    if invocation.json:
        invocation.emit_json(agents_document(told))
    else:
        invocation.emit_text(agents_lines(told))


def _refuse(invocation: Invocation, problems: Sequence[GitmemError]) -> NoReturn:
    """Tell every file that cannot be edited; nothing was written."""
    from gitmem.report.agents import error_lines

    first, *more = problems
    invocation.warn(*(line for one in more for line in error_lines(one)))
    raise first


def _agent(name: str) -> Agent:
    from gitmem.agents.table import AGENTS

    if name in AGENTS:
        return AGENTS[name]
    from difflib import get_close_matches

    near = get_close_matches(name, AGENTS, n=1)
    known = ", ".join(AGENTS)
    hint = f"did you mean {near[0]}? known: {known}" if near else f"one of {known}"
    raise UsageError(f"no agent {name[:60]!r}", hint=hint)


def _answer(
    invocation: Invocation,
    agent: Agent,
    changes: Sequence[Change],
    *,
    only_print: bool,
    remarks: Sequence[str] = (),
    problems: Sequence[GitmemError] = (),
) -> None:
    from gitmem.report.agents import FileChange, changes_document, changes_lines, diff_lines, error_lines

    invocation.warn(*(line for one in problems for line in error_lines(one)))
    refused = {one.path for one in problems}
    told = [
        FileChange(one.path, "refused" if one.path in refused else one.word, one.before, one.after)
        for one in changes
    ]
    if invocation.json:
        invocation.emit_json(changes_document(agent.name, told, remarks, problems))
        return
    if only_print:
        invocation.emit_text(diff_lines(told, invocation.look()))
    else:
        invocation.emit_text(changes_lines(told))
    invocation.note(*remarks)
