"""Ruby, PHP and the shell."""

from __future__ import annotations

import re
from typing import Any

from gitmem.drift.content.shape import NONE, Found, Shape, Title, always, named, never, plain_name, text_of

_SIGNS = Shape(module="", names=NONE, rules={}).dropped


def _ruby_assignment(node: Any, source: bytes) -> Found | None:
    left = node.child_by_field_name("left")
    if left is None or left.type not in {"constant", "scope_resolution"}:
        return None
    return Found((Title(plain_name(source, left), "constant", left),))


_SQUIGGLY = re.compile(rb"<<([~-]?)[\"'`]?(\w+)")
_REACH = 400


def _is_squiggly(node: Any, source: bytes) -> bool:
    """Whether the text began with ``<<~``."""
    end = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    tag = source[end.start_byte : end.end_byte] if end is not None else b""
    before = _SQUIGGLY.findall(source[max(0, node.start_byte - _REACH) : node.start_byte])
    return any(sign == b"~" for sign, word in before if word == tag)


RUBY = Shape(
    module="tree_sitter_ruby",
    names=frozenset({"identifier", "constant", "self"}),
    members=frozenset({"instance_variable", "class_variable"}),
    strings=frozenset({"string"}),
    quotes="plain",
    blocks={"heredoc_body": _is_squiggly},
    unwrapped=frozenset({"parenthesized_statements"}),
    keeps=re.compile(rb"# *frozen_string_literal:"),
    import_calls={"call": re.compile(rb"(?:require|require_relative|autoload)\b")},
    functions=frozenset({"block", "do_block", "lambda"}),
    rules={
        "module": named("module", "scope"),
        "class": named("class", "scope"),
        "method": named("method"),
        "singleton_method": named("method"),
        "assignment": _ruby_assignment,
    },
    bindings={
        "method_parameters": (),
        "block_parameters": (),
        "lambda_parameters": (),
        "optional_parameter": ("name",),
        "splat_parameter": ("name",),
        "hash_splat_parameter": ("name",),
        "keyword_parameter": ("name",),
        "block_parameter": ("name",),
        "assignment": ("left",),
        "left_assignment_list": (),
        "exception_variable": (),
    },
)


def _php_constants(node: Any, source: bytes) -> Found | None:
    names = [
        one.named_child(0)
        for one in node.named_children
        if one.type == "const_element" and one.named_child_count
    ]
    return Found(tuple(Title(text_of(source, one), "constant", one) for one in names)) if names else None


def _php_properties(node: Any, source: bytes) -> Found | None:
    titles = []
    for one in node.named_children:
        name = one.child_by_field_name("name") if one.type == "property_element" else None
        if name is not None:
            titles.append(Title(text_of(source, name).lstrip("$"), "field", name))
    return Found(tuple(titles)) if titles else None


PHP = Shape(
    module="tree_sitter_php",
    braces=frozenset({"compound_statement"}),
    entry="language_php",
    names=frozenset({"name"}),
    strings=frozenset({"string", "encapsed_string"}),
    quotes="plain",
    folded=frozenset({"text"}),
    blocks={"heredoc": always, "heredoc_body": never, "nowdoc": always, "nowdoc_body": never},
    modifiers=frozenset(
        {"visibility_modifier", "static_modifier", "final_modifier", "abstract_modifier", "readonly_modifier"}
    ),
    imports=frozenset({"namespace_use_declaration"}),
    sigil="$",
    functions=frozenset({"arrow_function", "anonymous_function", "anonymous_function_creation_expression"}),
    rules={
        "function_definition": named("function"),
        "class_declaration": named("class", "scope"),
        "interface_declaration": named("interface", "scope"),
        "trait_declaration": named("trait", "scope"),
        "enum_declaration": named("enum", "scope"),
        "enum_case": named("field"),
        "method_declaration": named("method"),
        "const_declaration": _php_constants,
        "property_declaration": _php_properties,
    },
)
SHELL = Shape(
    module="tree_sitter_bash",
    names=frozenset({"variable_name", "word"}),
    strings=frozenset({"string"}),
    blocks={"heredoc_body": never},
    # Both styles define the same function.
    dropped=_SIGNS | {"function"},
    exact=frozenset({"c_style_for_statement"}),
    keeps=re.compile(rb"#!"),
    rules={
        "function_definition": named("function"),
        "variable_assignment": named("constant"),
    },
    wrappers=frozenset({"declaration_command"}),
    bindings={"for_statement": ("variable",), "variable_assignment": ("name",)},
)
