"""What only some grammars have: node kinds whose layout would otherwise count, or that a grammar reads oddly."""

from __future__ import annotations

import re
from typing import Any

from gitmem.drift.content.syntax_walk import Quirk, Walk
from gitmem.drift.content.syntax_writer import GLANCE

_IN_PARENTHESES = 3
_EMBEDDED = re.compile(
    rb"(?<![\w$])(?:(?:template|styles)[\"']?\s*:\s*\[?|gql|graphql|css|html|svg|sql|styled[\w.()]*)\s*\Z"
)
_MARKUP_WORD = re.compile(r"[<>{}]|[^\s<>{}]+")
_JSX_NOTHING = re.compile(rb"\{\s*(?:([\"'`])\s*\1|/\*[\s\S]*\*/)?\s*\}")


def list_type(walk: Walk, node: Any) -> None:
    """A union or intersection of types: its leading sign says nothing."""
    members = node.named_children
    if len(members) == 1:
        walk.stack.append(members[0])
    else:
        walk.push([f"({node.type}", *members, ")"])


def jsx_expression(walk: Walk, node: Any) -> None:
    """{" "} is white space and {/* … */} a comment."""
    if node.child_count > 3 or not _JSX_NOTHING.fullmatch(
        walk.source[node.start_byte : min(node.end_byte, node.start_byte + GLANCE)]
    ):
        walk.composite(node)


def optional(walk: Walk, node: Any) -> None:
    """``x?: T`` is ``x: T`` with another type."""
    walk.bind(node)
    items: list[Any] = ["(required_parameter"]
    for child in node.children:
        items += walk.soft([child]) if child.type in {"?", "!"} else [child]
    walk.push([*items, ")"])


def arrow_function(walk: Walk, node: Any) -> None:
    """``x => x`` is ``(x) => x``."""
    parameter = node.child_by_field_name("parameter")
    if parameter is None:
        walk.function(node)
        return
    walk.bind(node)
    walk.in_function += 1
    opening, closing = ["(formal_parameters"], [")"]
    if walk.shape.soft:
        opening, closing = [*opening, "(required_parameter"], [")", *closing]
    body = node.child_by_field_name("body")
    items: list[Any] = ["(arrow_function"]
    for child in node.children:
        if child.id == parameter.id:
            items += [*opening, child, *closing]
        elif body is not None and child.id == body.id:
            items += [walk.end_signature, child]
        else:
            items.append(child)
    walk.push([*items, ")", walk.leave_function])


def modifiers(walk: Walk, node: Any) -> None:
    """Their order says nothing, nor do those that hush a checker."""
    told = [child for child in node.children if not walk.is_silent(child)]
    if told:
        told.sort(key=lambda child: walk.source[child.start_byte : child.end_byte])
        walk.push([f"({node.type}", *told, ")"])


def field_modifiers(walk: Walk, node: Any) -> None:
    """A class field's modifiers stand beside its name: ``declare public x`` is ``public declare x``."""
    name = node.child_by_field_name("name")
    at = name.start_byte if name is not None else node.start_byte
    before = [child for child in node.children if child.start_byte < at and child.type != "decorator"]
    rest = [child for child in node.children if child.start_byte >= at or child.type == "decorator"]
    before.sort(key=lambda child: walk.source[child.start_byte : child.end_byte])
    items: list[Any] = [f"({node.type}", *before]
    for child in rest:
        items += walk.soft([child]) if child.type in {"?", "!"} else [child]
    walk.push([*items, ")"])


def call(walk: Walk, node: Any) -> None:
    """The grammar reads ``await f<T>(x)`` as ``(await f)<T>(x)``; without the type it reads it rightly."""
    children = node.children
    if len(children) == 3 and children[0].type == "await_expression" and children[0].child_count == 2:
        waited = children[0].children
        walk.push(["(await_expression", waited[0], "(call_expression", waited[1], *children[1:], ")", ")"])
    else:
        walk.composite(node)


def heritage(walk: Walk, node: Any) -> None:
    """What a class implements is a promise to the type checker; what it extends is not."""
    if all(child.type == "implements_clause" for child in node.named_children):
        walk.soft_node(node)
    else:
        walk.composite(node)


def template(walk: Walk, node: Any) -> None:
    """A template that holds another language (gql`…`, template: `…`): white space in it is layout."""
    start = node.start_byte
    if _EMBEDDED.search(walk.source[max(0, start - 80) : start]):
        walk.embedded = max(walk.embedded, node.end_byte)
    walk.composite(node)


def fragment(walk: Walk, node: Any) -> None:
    if node.start_byte >= walk.embedded:
        walk.leaf(node, node.kind_id)
        return
    text = walk.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")
    walk.tape.tokens.extend(f"t:{word}" for word in _MARKUP_WORD.findall(text))


def tuple_of_one(walk: Walk, node: Any) -> None:
    """Swift's parentheses are a tuple; with one member without a label they say nothing."""
    if node.child_count == _IN_PARENTHESES and node.child_by_field_name("name") is None:
        walk.unwrap(node)
    else:
        walk.composite(node)


def export(walk: Walk, node: Any) -> None:
    """Whether a definition is exported is no part of it, but one of the file."""
    declared = node.child_by_field_name("declaration")
    if declared is None:
        walk.definition(node)
        return
    signs = [child for child in node.children if child.type in {"export", "default"}]
    parts = [child for child in node.children if child.type not in {"export", "default", ";"}]
    marked = walk.marked if walk.marked[0] == len(walk.tape.tokens) else None

    def keep_mark() -> None:
        if marked is not None:
            walk.marked = (len(walk.tape.tokens), marked[1])

    walk.push(["(export_statement", *signs, ")", keep_mark, *parts])


QUIRKS: dict[str, Quirk] = {
    "union_type": list_type,
    "intersection_type": list_type,
    "jsx_expression": jsx_expression,
    "optional_parameter": optional,
    "arrow_function": arrow_function,
    "modifiers": modifiers,
    "call_expression": call,
    "class_heritage": heritage,
    "export_statement": export,
    "tuple_expression": tuple_of_one,
    "template_string": template,
    "string_fragment": fragment,
}
LAYOUTS: dict[str, Quirk] = {"public_field_definition": field_modifiers}
