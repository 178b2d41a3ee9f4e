"""`gitmem completion`: command words and options completed by the shell."""

from __future__ import annotations

import click

from gitmem.cli.command import COMPLETING, command
from gitmem.cli.invocation import Invocation


@command(
    examples=[
        'eval "$(gitmem completion bash)"',
        "gitmem completion fish > ~/.config/fish/completions/gitmem.fish",
    ]
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(invocation: Invocation, shell: str) -> None:
    """Print the script that lets SHELL complete gitmem's commands, options and ids."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # click ships all three
    root = click.get_current_context().find_root().command
    script = kind(root, {}, "gitmem", COMPLETING).source()
    if invocation.json:
        invocation.emit_json({"shell": shell, "script": script})
    else:
        invocation.emit_text([script])
