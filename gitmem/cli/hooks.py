"""`gitmem hooks …`, and the plumbing that the hooks call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

if TYPE_CHECKING:
    from gitmem.usecases.hooks import HookState

_REFUSED = 3


@command(examples=["gitmem hooks install"])
@click.option("--trailer", is_flag=True, help="Add `AI-Run: RUN` to commit messages while a run is current.")
def install(invocation: Invocation, *, trailer: bool) -> int:
    """Let git record commits, rewritten commits and merges in the current run.

    One marked line is put into post-commit, post-rewrite and post-merge, before what stands there; a hook never fails a
    commit. `gitmem hooks uninstall` restores the files byte for byte.
    """
    from gitmem.usecases.hooks import install as install_hooks

    states = install_hooks(invocation.repository(), with_trailer=trailer)
    _answer(invocation, states)
    return _REFUSED if any(one.state == "refused" for one in states) else 0


@command(examples=["gitmem hooks uninstall"])
def uninstall(invocation: Invocation) -> int:
    """Take gitmem's line out of every hook; the files are as they were before."""
    from gitmem.usecases.hooks import uninstall as uninstall_hooks

    states = uninstall_hooks(invocation.repository())
    _answer(invocation, states)
    if not states:
        invocation.note("no hook had gitmem's line")
    return _REFUSED if any(one.state == "refused" for one in states) else 0


@command(examples=["gitmem hooks status"])
def status(invocation: Invocation) -> None:
    """Which hooks are installed, and whether they would record anything."""
    from gitmem.usecases.hooks import hook_states

    _answer(invocation, hook_states(invocation.repository()))


@command("git", examples=["gitmem hook git post-commit"], hidden=True)
@click.argument("words", metavar="HOOK [ARG]...", nargs=-1, required=True)
def git(invocation: Invocation, *, words: tuple[str, ...]) -> None:  # noqa: ARG001 - every command takes it
    """Record what one of git's hooks tells; what the installed line calls."""
    from gitmem.githooks import main

    main(list(words))


@command("agent", examples=["gitmem hook agent claude-code < event.json"], hidden=True)
@click.argument("words", metavar="NAME", nargs=-1, required=True)
def agent(invocation: Invocation, *, words: tuple[str, ...]) -> None:  # noqa: ARG001 - every command takes it
    """Answer an event of a coding agent, read from stdin; what `gitmem agent install` sets up."""
    from gitmem.agents.hook import main

    main(list(words))


def _answer(invocation: Invocation, states: Sequence[HookState]) -> None:
    from gitmem.report.hooks import hooks_document, hooks_lines

    if invocation.json:
        invocation.emit_json(hooks_document(states))
        return
    layout = invocation.repository().layout
    invocation.emit_text(hooks_lines(states, layout.work_tree or layout.git_dir or Path()))
