"""C# and Kotlin."""

from __future__ import annotations

import re
from typing import Any

from gitmem.drift.content.shape import Found, Rule, Shape, Title, always, called, named, plain_name, text_of


def _variables(node: Any, source: bytes) -> Found | None:
    declared = next((one for one in node.named_children if one.type == "variable_declaration"), None)
    if declared is None:
        return None
    names = [
        one.child_by_field_name("name")
        for one in declared.named_children
        if one.type == "variable_declarator"
    ]
    constant = any(text_of(source, one) == "const" for one in node.children)
    titles = tuple(
        Title(text_of(source, one), "constant" if constant else "field", one)
        for one in names
        if one is not None
    )
    return Found(titles) if titles else None


def _is_raw(node: Any, source: bytes) -> bool:
    return b'"""' in source[node.start_byte : node.start_byte + 8]


CSHARP = Shape(
    module="tree_sitter_c_sharp",
    braces=frozenset({"block"}),
    overloads=True,
    names=frozenset({"identifier", "implicit_parameter"}),
    strings=frozenset({"string_literal", "verbatim_string_literal", "raw_string_literal"}),
    blocks={"raw_string_literal": always, "interpolated_string_expression": _is_raw},
    modifiers=frozenset({"modifier"}),
    exact=frozenset({"for_statement", "array_rank_specifier"}),
    imports=frozenset({"using_directive"}),
    silent=frozenset({"attribute_list"}),
    silent_text=re.compile(rb"\[\s*(?:Unconditional)?SuppressMessage\b[^\]]*\]\s"),
    functions=frozenset({"lambda_expression", "anonymous_method_expression"}),
    rules={
        "class_declaration": named("class", "scope"),
        "interface_declaration": named("interface", "scope"),
        "struct_declaration": named("struct", "scope"),
        "record_declaration": named("class", "scope"),
        "enum_declaration": named("enum", "scope"),
        "enum_member_declaration": named("field"),
        "method_declaration": named("method"),
        "constructor_declaration": named("method"),
        "destructor_declaration": named("method"),
        "property_declaration": named("property"),
        "event_declaration": named("field"),
        "delegate_declaration": named("type"),
        "field_declaration": _variables,
        "event_field_declaration": _variables,
    },
    bindings={
        "parameter": ("name",),
        "variable_declarator": ("name",),
        "foreach_statement": ("left",),
        "catch_declaration": ("name",),
        "lambda_expression": ("parameters",),
        "type_parameter": ("name",),
    },
)


def _kotlin_type(node: Any, source: bytes) -> Found | None:
    name = node.child_by_field_name("name")
    words = {child.type for child in node.children} | {
        text_of(source, one) for one in node.children if one.type == "modifiers"
    }
    kind = (
        "interface" if "interface" in words else "enum" if any("enum" in word for word in words) else "class"
    )
    return Found((Title(text_of(source, name), kind, name),), "scope") if name is not None else None


def _kotlin_property(node: Any, source: bytes) -> Found | None:
    declared = [
        one
        for one in node.named_children
        if one.type in {"variable_declaration", "multi_variable_declaration"}
    ]
    titles = []
    for one in declared:
        holders = one.named_children if one.type == "multi_variable_declaration" else [one]
        for holder in holders:
            name = next((child for child in holder.named_children if child.type == "identifier"), None)
            if name is not None:
                titles.append(Title(text_of(source, name), "property", name))
    return Found(tuple(titles)) if titles else None


def _kotlin_parameter(node: Any, source: bytes) -> Found | None:
    """A constructor parameter that is a property, too."""
    name = next((child for child in node.named_children if child.type == "identifier"), None)
    if name is None or not any(child.type in {"val", "var"} for child in node.children):
        return None
    return Found((Title(text_of(source, name), "property", name),))


def _kotlin_entry(node: Any, source: bytes) -> Found | None:
    name = next((child for child in node.named_children if child.type == "identifier"), None)
    return Found((Title(text_of(source, name), "field", name),)) if name is not None else None


def _kotlin_alias(node: Any, source: bytes) -> Found | None:
    name = node.child_by_field_name("type") or _first_identifier(node)
    return Found((Title(plain_name(source, name), "type", name),)) if name is not None else None


def _first_identifier(node: Any) -> Any:
    return next((child for child in node.named_children if child.type == "identifier"), None)


_KOTLIN_RULES: dict[str, Rule] = {
    "class_declaration": _kotlin_type,
    "object_declaration": named("object", "scope"),
    "function_declaration": named("function"),
    "property_declaration": _kotlin_property,
    "class_parameter": _kotlin_parameter,
    "enum_entry": _kotlin_entry,
    "type_alias": _kotlin_alias,
    "secondary_constructor": called("constructor", "method"),
}


def _is_trimmed(node: Any, source: bytes) -> bool:
    return source.startswith((b".trimIndent()", b".trimMargin("), node.end_byte)


KOTLIN = Shape(
    module="tree_sitter_kotlin",
    ascii_names=True,
    # The grammar wants a line's end before the brace: object A { fun f() = 1 }.
    repair=(b" }", b";}"),
    overloads=True,
    names=frozenset({"identifier"}),
    strings=frozenset({"string_literal"}),
    blocks={"multiline_string_literal": _is_trimmed},
    exact=frozenset({"for_statement", "index_expression"}),
    imports=frozenset({"import", "import_header"}),
    silent=frozenset({"annotation"}),
    silent_text=re.compile(rb"@Suppress\b"),
    functions=frozenset({"lambda_literal", "anonymous_function"}),
    bodies=frozenset({"class_body", "enum_class_body", "function_body"}),
    rules=_KOTLIN_RULES,
    bindings={
        "parameter": (),
        "class_parameter": (),
        "variable_declaration": (),
        "lambda_parameters": (),
        "type_parameter": (),
    },
)
