"""`gitmem help`: the help of a command, by the words that call it."""

from __future__ import annotations

import click

from gitmem.cli.command import LazyGroup, command
from gitmem.cli.invocation import Invocation
from gitmem.errors import UsageError


@command("help", examples=["gitmem help", "gitmem help completion"])
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
def help_(invocation: Invocation, words: tuple[str, ...]) -> None:
    """Show the list of commands, or the help of one.

    With --json the same as data; `--help` is text whatever else is asked for.
    """
    context = click.get_current_context().find_root()
    found: click.Command = context.command
    for word in words:
        inner = found.get_command(context, word) if isinstance(found, LazyGroup) else None
        if inner is None:
            raise UsageError(
                f"no such command: {' '.join(words)}", hint=f"see `{context.command_path} --help`"
            )
        context = click.Context(inner, info_name=word, parent=context, **inner.context_settings)
        found = inner
    if invocation.json:
        invocation.emit_json(_document(found, context))
    else:
        click.echo(found.get_help(context))


def _document(command_: click.Command, context: click.Context) -> dict[str, object]:
    document: dict[str, object] = {"command": context.command_path, "text": command_.get_help(context)}
    if not isinstance(command_, LazyGroup):
        return document
    entries = [(word, entry) for word, entry in command_.entries.items() if not entry.hidden]
    return {**document, "commands": [{"command": word, "help": entry.help} for word, entry in entries]}
