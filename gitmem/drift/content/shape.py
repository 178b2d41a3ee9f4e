"""What a grammar's node kinds mean for drift: the value that every language fills in."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

Opens = Literal["scope", "object", "inside", "nothing"]
"""``scope``: its name prefixes what is defined in it; ``object``: the same for an object literal's members;
``inside``: nothing in it is a symbol."""


class Title(NamedTuple):
    """One name that a node defines, and the node that holds the name (None for a name that is not written)."""

    name: str
    kind: str
    node: Any = None


class Found(NamedTuple):
    """What a node defines.

    Args:
        titles: Usually one; a Java field may have several.
        opens: What the definition is to those within it.
        stub: Whether it only tells types about another definition.
        selves: Names that stand for the object itself, such as a Go receiver.
        counted: Whether its value may depend on its place in its group.
    """

    titles: tuple[Title, ...]
    opens: Opens = "inside"
    stub: bool = False
    selves: tuple[str, ...] = ()
    counted: bool = False


Rule = Callable[[Any, bytes], Found | None]
"""From a node and the file to what the node defines."""
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shape:
    """One language.

    Args:
        module: The wheel's import name.
        entry: Its function that returns the grammar.
        names: Kinds of leaves that are identifiers.
        members: Kinds of leaves that name a member of something.
        strings: Kinds of string literals; one token each when nothing is interpolated.
        quotes: ``same`` when both quote marks mean the same, ``plain`` when they do for text without escapes and variables.
        unwrapped: Kinds of parentheses.
        dropped: Signs that say nothing which the tree does not.
        exact: Kinds whose direct signs count all the same.
        folded: Kinds of text leaves whose white space is collapsed.
        comments: Kinds of comments; `keeps` tells those that are not.
        keeps: Matches a comment that means something (a build tag).
        silent: Kinds that say nothing when `silent_text` matches their text.
        silent_text: See `silent`.
        soft: Kinds that are type annotations only.
        rigid: Kinds in which types are the content, so that nothing is soft.
        imports: Kinds of import statements.
        import_calls: Kinds that are one when their text begins so.
        prefixes: Kinds that belong to the definition after them.
        functions: Kinds of functions without a name.
        blocks: Kinds of text of several lines, with whether the indentation common to its lines is layout.
        braces: Kinds of blocks that a single statement may do without below a condition or loop.
        modifiers: Kinds of modifiers that may stand in any order beside one another.
        bodies: Kinds of bodies, where a grammar does not name them by a field.
        ascii_names: Whether the grammar takes no other letters in names, though the language does.
        repair: What to replace by what, of equal length and meaning, before a second try at a file that does not parse.
        overloads: Whether functions may share a name, each a thing of its own.
        sigil: Sign before a name that makes it a variable, never the function or constant of that name.
        wrappers: Kinds that belong to the one definition within them.
        rules: What defines symbols.
        bindings: Fields of a kind that hold locally bound names; an empty tuple means its direct children.
    """

    module: str
    names: frozenset[str]
    rules: Mapping[str, Rule]
    entry: str = "language"
    members: frozenset[str] = NONE
    strings: frozenset[str] = NONE
    quotes: Literal["same", "plain", ""] = ""
    unwrapped: frozenset[str] = frozenset({"parenthesized_expression"})
    dropped: frozenset[str] = frozenset(",;(){}[]\n\"'`.") | {"::", "\r\n", '"""'}
    exact: frozenset[str] = frozenset({"for_statement"})
    folded: frozenset[str] = NONE
    comments: frozenset[str] = frozenset({"comment", "line_comment", "block_comment", "multiline_comment"})
    keeps: re.Pattern[bytes] | None = None
    silent: frozenset[str] = NONE
    silent_text: re.Pattern[bytes] | None = None
    soft: frozenset[str] = NONE
    rigid: frozenset[str] = NONE
    imports: frozenset[str] = NONE
    import_calls: Mapping[str, re.Pattern[bytes]] = field(default_factory=dict)
    prefixes: frozenset[str] = NONE
    functions: frozenset[str] = NONE
    blocks: Mapping[str, Callable[[Any, bytes], bool]] = field(default_factory=dict)
    braces: frozenset[str] = NONE
    modifiers: frozenset[str] = NONE
    bodies: frozenset[str] = NONE
    ascii_names: bool = False
    repair: tuple[bytes, bytes] | None = None
    overloads: bool = False
    sigil: str | None = None
    wrappers: frozenset[str] = NONE
    bindings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_GENERIC = re.compile(r"[<\[(].*", re.DOTALL)
# The arguments of an outer template: Client<T>::send.
_OUTER_GENERIC = re.compile(r"<[^<>]*>(?=\s*(?:::|\.|>))")
_DEEPEST = 4


def text_of(source: bytes, node: Any) -> str:
    """The node's source text; the node itself would ask the parser's input for it byte by byte."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")


def plain_name(source: bytes, node: Any) -> str:
    """The dotted name that a node spells, without type parameters, quotes and pointers."""
    text = text_of(source, node)
    for _ in range(_DEEPEST if ">" in text else 0):
        text = _OUTER_GENERIC.sub("", text)
    text = _GENERIC.sub("", text).strip("\"'`*& ?!")
    return ".".join(part for part in re.split(r"::|\.|\\|\s+", text) if part)


def always(node: Any, source: bytes) -> bool:
    del node, source
    return True


def never(node: Any, source: bytes) -> bool:
    del node, source
    return False


def named(kind: str, opens: Opens = "inside", *, field: str = "name", stub: bool = False) -> Rule:
    """A rule for kinds whose name stands in one field."""

    def rule(node: Any, source: bytes) -> Found | None:
        title = node.child_by_field_name(field)
        name = plain_name(source, title) if title is not None else ""
        return Found((Title(name, kind, title),), opens, stub) if name else None

    return rule


def called(name: str, kind: str) -> Rule:
    """A rule for kinds that have a fixed name, such as ``init``."""

    def rule(node: Any, source: bytes) -> Found | None:
        del node, source
        return Found((Title(name, kind),))

    return rule


def listed(kind: str, field: str = "name", opens: Opens = "inside") -> Rule:
    """A rule for kinds that define several names at once."""

    def rule(node: Any, source: bytes) -> Found | None:
        titles = tuple(
            Title(name, kind, one)
            for one in node.children_by_field_name(field)
            if (name := plain_name(source, one))
        )
        return Found(titles, opens) if titles else None

    return rule
