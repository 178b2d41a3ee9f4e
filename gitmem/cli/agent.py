"""`gitmem agent …`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from gitmem.agents.installing import Change
    from gitmem.agents.parts import Agent

_NAME = click.argument("name", metavar="NAME")
_PLUGIN = "The gitmem plugin is enabled in this project's settings: it brings the hooks and the server."


@command(
    examples=[
        "gitmem agent install claude-code",
        "gitmem agent install codex --print",
        "gitmem agent install gemini --check",
    ]
)
@_NAME
@click.option("--print", "only_print", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--check", is_flag=True, help="Exit 1 when something is missing, and change nothing.")
def install(invocation: Invocation, *, name: str, only_print: bool, check: bool) -> int:
    """Set an agent up in this project: hooks, the MCP server, and a block in AGENTS.md.

    NAME is claude-code, codex, cursor, gemini or copilot. Everything is merged into what is there: other tools' entries,
    unknown keys, comments and layout stay. Every hook is silent where gitmem is not installed. Commit the files to share
    them.
    """
    from gitmem.agents.installing import apply, has_plugin, plan_install

    agent = _agent(name)
    repo = invocation.repository()
    changes = plan_install(repo, agent)
    if not (only_print or check):
        apply(repo, changes)
    remarks = [_PLUGIN] if has_plugin(repo, agent) else agent.remarks
    _answer(invocation, agent, changes, only_print=only_print, remarks=remarks)
    return 1 if check and any(one.word != "kept" for one in changes) else 0


@command(examples=["gitmem agent uninstall cursor", "gitmem agent uninstall cursor --print"])
@_NAME
@click.option("--print", "only_print", is_flag=True, help="Show what would change, and change nothing.")
def uninstall(invocation: Invocation, *, name: str, only_print: bool) -> None:
    """Take an agent's hooks, MCP server and block out of this project's files; everything else in them stays.

    A file that nobody else changed since is byte for byte as it was before. What another installed agent needs stays.
    """
    from gitmem.agents.installing import apply, installed, plan_uninstall
    from gitmem.agents.table import AGENTS

    agent = _agent(name)
    repo = invocation.repository()
    others = [one for one in installed(repo, AGENTS.values()) if one.name != agent.name]
    changes = [
        one for one in plan_uninstall(repo, agent, others) if one.before is not None or one.after is not None
    ]
    if not only_print:
        apply(repo, changes)
    _answer(invocation, agent, changes, only_print=only_print)
    if not any(one.word != "kept" for one in changes):
        invocation.note(f"nothing of {agent.title} was here")


@command("list", examples=["gitmem agent list"])
def list_(invocation: Invocation) -> None:
    """Agents that gitmem knows, and which are set up in this project."""
    from gitmem.agents.installing import installed
    from gitmem.agents.table import AGENTS

    here = {one.name for one in installed(invocation.repository(), AGENTS.values())}
    if invocation.json:
        told = [{"agent": name, "installed": name in here} for name in AGENTS]
        invocation.emit_json({"agents": told})
        return
    invocation.emit_text(
        f"{'installed' if name in here else '-':<10} {name:<12} {agent.title}"
        for name, agent in AGENTS.items()
    )


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
) -> None:
    from gitmem.report.agents import FileChange, changes_document, changes_lines, diff_lines

    told = [FileChange(one.path, one.word, one.before, one.after) for one in changes]
    if invocation.json:
        invocation.emit_json(changes_document(agent.name, told, remarks))
        return
    if only_print:
        invocation.emit_text(diff_lines(told, invocation.look()))
    else:
        invocation.emit_text(changes_lines(told))
    invocation.note(*remarks)
