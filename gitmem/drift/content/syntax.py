"""Other languages by their syntax tree: a typed, nested tree without comments, layout and redundant signs.

The tree of a grammar is written on the tape (`gitmem.drift.content.tape`) with its node kinds and nesting, so that ``a-(b-c)``
is not ``a-b-c`` and ``f("x")`` is not ``f(x)``. Grammars are single wheels, imported when a file of the language is read.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from gitmem.drift.content.grammar import Tools, tools_of, tree_of
from gitmem.drift.content.syntax_quirks import LAYOUTS, QUIRKS
from gitmem.drift.content.syntax_walk import Walk
from gitmem.drift.content.tape import Tape

_PLAIN = bytes(range(128)) + b"x" * 128


class Parsed(NamedTuple):
    """A file's tape, and whether its text did not fully parse."""

    tape: Tape
    damaged: bool


def _tree(tools: Tools, source: bytes) -> Any:
    """The tree of the text, or of one with stand-ins of equal length where the grammar takes less than the language."""
    shape = tools.shape
    readable = source.translate(_PLAIN) if shape.ascii_names else source
    tree = tree_of(tools.parser, readable)
    if tree is None or shape.repair is None or not tree.root_node.has_error:
        return tree
    repaired = tree_of(tools.parser, readable.replace(*shape.repair))
    return repaired if repaired is not None and not repaired.root_node.has_error else tree


@lru_cache(maxsize=8)
def parse(language: str, data: bytes) -> Parsed | None:
    """Parse a file; None when the parser gave up or used up its time. The last few are held: nobody may change them.

    Raises:
        MissingGrammarError: When the grammar is not installed.
    """
    source = source_of(data)
    tree = tree_of_source(language, source)
    if tree is None:
        return None
    return Parsed(tape_of(language, source, [tree.root_node]), tree.root_node.has_error)


def source_of(data: bytes) -> bytes:
    """The text that a grammar reads: no mark at its beginning, line ends as one sign."""
    return data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")


def tree_of_source(language: str, source: bytes) -> Any:
    """The syntax tree; None when the parser gave up or used up its time.

    Raises:
        MissingGrammarError: When the grammar is not installed.
    """
    return _tree(tools_of(language), source)


def tape_of(language: str, source: bytes, nodes: Sequence[Any]) -> Tape:
    """What some nodes of one tree write, one after the other."""
    walk = Walk(tools_of(language), source, QUIRKS, LAYOUTS)
    for node in nodes:
        walk.run(node)
    return walk.tape
