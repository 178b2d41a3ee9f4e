"""`gitmem help`: the help of a command, by the words that call it, and of a concept, by its name.

A word that is both, such as ``drift``, shows the
concept; ``--help`` behind the command shows its options.
"""

from __future__ import annotations

import click

from gitmem.cli.command import LazyGroup, command
from gitmem.cli.concepts import text_of, topics
from gitmem.cli.invocation import Invocation
from gitmem.errors import UsageError


@command("help", examples=["gitmem help", "gitmem help trust", "gitmem help run start"])
@click.argument("words", nargs=-1, metavar="[TOPIC | COMMAND...]")
def help_(invocation: Invocation, words: tuple[str, ...]) -> None:
    """Show the list of commands, the help of one, or a concept in one screen.

    Concepts: action, agents, drift, gate, gitlab, hooks, memory, policies, recall, run, trust. With --json the same as data; `--help` is
    text whatever else is asked for.
    """
    if len(words) == 1 and words[0] in topics():
        _show(invocation, words[0])
        return
    context = click.get_current_context().find_root()
    found: click.Command = context.command
    for word in words:
        inner = found.get_command(context, word) if isinstance(found, LazyGroup) else None
        if inner is None:
            raise UsageError(
                f"no such command: {' '.join(words)}",
                hint=f"see `{context.command_path} --help`; concepts: {', '.join(topics())}",
            )
        context = click.Context(inner, info_name=word, parent=context, **inner.context_settings)
        found = inner
    if invocation.json:
        invocation.emit_json(_document(found, context))
    else:
        click.echo(found.get_help(context))


def _show(invocation: Invocation, topic: str) -> None:
    text = text_of(topic)
    if invocation.json:
        invocation.emit_json({"topic": topic, "text": text})
    else:
        click.echo(text, nl=False)


def _document(command_: click.Command, context: click.Context) -> dict[str, object]:
    document: dict[str, object] = {"command": context.command_path, "text": command_.get_help(context)}
    if not isinstance(command_, LazyGroup):
        return document
    entries = [(word, entry) for word, entry in command_.entries.items() if not entry.hidden]
    return {**document, "commands": [{"command": word, "help": entry.help} for word, entry in entries]}
