"""Every command: its word, where it is made, and what the list of commands says of it.

The list is all that `gitmem --help` needs, so a command's module is imported only when its word is called.
Sections and their order are those of the README.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Entry(NamedTuple):
    """One command.

    Args:
        target: ``module:object`` of the click command.
        help: What it does, in a few words.
        hidden: Whether the list leaves it out (plumbing).
    """

    target: str
    help: str
    hidden: bool = False


class Nested(NamedTuple):
    """A word with words below it, such as ``run``.

    Args:
        help: What it is about, in a few words.
        commands: The words below.
        hidden: Whether the list leaves it out.
    """

    help: str
    commands: Mapping[str, Entry]
    hidden: bool = False


SECTIONS: Mapping[str, Mapping[str, Entry | Nested]] = {
    "Set-up": {},
    "Know": {},
    "Decide": {},
    "Check": {},
    "Work": {},
    "More": {
        "help": Entry("gitmem.cli.help:help_", "Help on a command"),
        "completion": Entry("gitmem.cli.completion:completion", "Print the completion script of a shell"),
    },
}
