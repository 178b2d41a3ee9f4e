"""Other languages by their syntax tree: a typed, nested tree without comments, layout and redundant signs.

The tree of a grammar is written on the tape (`gitmem.drift.content.tape`) with its node kinds and nesting, so that ``a-(b-c)``
is not ``a-b-c`` and ``f("x")`` is not ``f(x)``. Grammars are single wheels, imported when a file of the language is read.
"""

from __future__ import annotations

from typing import NamedTuple

from gitmem.drift.content.grammar import tools_of, tree_of
from gitmem.drift.content.syntax_quirks import LAYOUTS, QUIRKS
from gitmem.drift.content.syntax_walk import Walk
from gitmem.drift.content.tape import Tape


class Parsed(NamedTuple):
    """A file's tape, and whether its text did not fully parse."""

    tape: Tape
    damaged: bool


def parse(language: str, data: bytes) -> Parsed | None:
    """Parse a file; None when the parser gave up or used up its time.

    Raises:
        MissingGrammarError: When the grammar is not installed.
    """
    tools = tools_of(language)
    source = data.replace(b"\r\n", b"\n")
    tree = tree_of(tools.parser, source)
    if tree is None:
        return None
    walk = Walk(tools, source, QUIRKS, LAYOUTS)
    walk.run(tree.root_node)
    return Parsed(walk.tape, tree.root_node.has_error)
