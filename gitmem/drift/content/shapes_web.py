"""JavaScript and TypeScript."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from gitmem.drift.content.shape import Found, Opens, Rule, Shape, Title, named, plain_name, text_of

_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_THROUGH = frozenset(
    {"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"}
)
_EXPORTS = re.compile(r"(?:module\.)?exports\.([\w$]+)")


def _value_kind(value: Any, plain: str) -> tuple[str, Opens]:
    """What an initialiser makes of the name: a function, a class, an object with members, or a plain value."""
    while value is not None and value.type in _THROUGH and value.named_child_count:
        value = value.named_child(0)
    if value is None:
        return plain, "inside"
    if value.type in _FUNCTIONS:
        return "function", "inside"
    if value.type == "class":
        return "class", "scope"
    return plain, "object" if value.type == "object" else "inside"


def _declarator(node: Any, source: bytes) -> Found | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    if name.type == "identifier":
        kind, opens = _value_kind(node.child_by_field_name("value"), "constant")
        return Found((Title(text_of(source, name), kind, name),), opens)
    titles = tuple(Title(text_of(source, one), "constant", one) for one in _pattern_names(name))
    return Found(titles) if titles else None


def _pattern_names(pattern: Any) -> list[Any]:
    found: list[Any] = []
    waiting = [pattern]
    while waiting:
        one = waiting.pop(0)
        if one.type in {"identifier", "shorthand_property_identifier_pattern"}:
            found.append(one)
        elif one.type == "pair_pattern":
            waiting.append(one.child_by_field_name("value"))
        elif one.type in {"assignment_pattern", "object_assignment_pattern"}:
            waiting.append(one.child_by_field_name("left"))
        elif one.type in {"object_pattern", "array_pattern", "rest_pattern"}:
            waiting.extend(one.named_children)
    return [one for one in found if one is not None]


def _field(node: Any, source: bytes) -> Found | None:
    name = node.child_by_field_name("name") or node.child_by_field_name("property")
    if name is None:
        return None
    kind, _ = _value_kind(node.child_by_field_name("value"), "field")
    return Found((Title(plain_name(source, name), "method" if kind == "function" else "field", name),))


def _pair(node: Any, source: bytes) -> Found | None:
    name = node.child_by_field_name("key")
    if name is None or name.type == "computed_property_name":
        return None
    kind, _ = _value_kind(node.child_by_field_name("value"), "field")
    return Found((Title(plain_name(source, name), "method" if kind == "function" else "field", name),))


def _export(node: Any, source: bytes) -> Found | None:
    """``export default`` of something without a name."""
    del source
    value = node.child_by_field_name("value")
    if value is None or not any(child.type == "default" for child in node.children):
        return None
    kind, _ = _value_kind(value, "constant")
    return Found((Title("default", kind),))


def _statement(node: Any, source: bytes) -> Found | None:
    """``exports.name = …`` at the top."""
    inner = node.named_child(0) if node.named_child_count else None
    if inner is None or inner.type != "assignment_expression":
        return None
    left = inner.child_by_field_name("left")
    match = (
        _EXPORTS.fullmatch(text_of(source, left))
        if left is not None and left.type == "member_expression"
        else None
    )
    if match is None:
        return None
    kind, _ = _value_kind(inner.child_by_field_name("right"), "constant")
    return Found((Title(match[1], kind, left.child_by_field_name("property")),))


_RULES: dict[str, Rule] = {
    "function_declaration": named("function"),
    "generator_function_declaration": named("function"),
    "class_declaration": named("class", "scope"),
    "method_definition": named("method"),
    "field_definition": _field,
    "variable_declarator": _declarator,
    "pair": _pair,
    "export_statement": _export,
    "expression_statement": _statement,
}
_TYPED_RULES: dict[str, Rule] = {
    **_RULES,
    "function_signature": named("function", stub=True),
    "abstract_class_declaration": named("class", "scope"),
    "public_field_definition": _field,
    "method_signature": named("method", stub=True),
    "abstract_method_signature": named("method"),
    "property_signature": named("field"),
    "interface_declaration": named("interface", "scope"),
    "type_alias_declaration": named("type"),
    "enum_declaration": named("enum", "scope"),
    "enum_assignment": named("field"),
    "internal_module": named("namespace", "scope"),
    "module": named("namespace", "scope"),
}
_BINDINGS: dict[str, tuple[str, ...]] = {
    "variable_declarator": ("name",),
    "formal_parameters": (),
    "required_parameter": ("pattern",),
    "optional_parameter": ("pattern",),
    "catch_clause": ("parameter",),
    "for_in_statement": ("left",),
    "arrow_function": ("parameter",),
}

JAVASCRIPT = Shape(
    module="tree_sitter_javascript",
    braces=frozenset({"statement_block"}),
    names=frozenset(
        {
            "identifier",
            "type_identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
            "statement_identifier",
            "this",
        }
    ),
    members=frozenset({"property_identifier", "private_property_identifier"}),
    strings=frozenset({"string"}),
    quotes="same",
    unwrapped=frozenset({"parenthesized_expression", "parenthesized_type"}),
    folded=frozenset({"jsx_text"}),
    comments=frozenset({"comment", "html_comment"}),
    imports=frozenset({"import_statement"}),
    prefixes=frozenset({"decorator"}),
    functions=_FUNCTIONS,
    wrappers=frozenset({"lexical_declaration", "variable_declaration"}),
    rules=_RULES,
    bindings=_BINDINGS,
)
TYPESCRIPT = replace(
    JAVASCRIPT,
    module="tree_sitter_typescript",
    entry="language_typescript",
    soft=frozenset(
        {
            "type_annotation",
            "asserts_annotation",
            "type_predicate_annotation",
            "type_parameters",
            "type_arguments",
            "implements_clause",
        }
    ),
    rigid=frozenset({"interface_declaration", "type_alias_declaration", "ambient_declaration"}),
    wrappers=JAVASCRIPT.wrappers | {"ambient_declaration", "expression_statement"},
    rules=_TYPED_RULES,
)
TSX = replace(TYPESCRIPT, entry="language_tsx")
