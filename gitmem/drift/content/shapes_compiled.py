"""Go, Rust, Java and Swift."""

from __future__ import annotations

import re
from typing import Any

from gitmem.drift.content.shape import (
    NONE,
    Found,
    Rule,
    Shape,
    Title,
    always,
    called,
    listed,
    named,
    plain_name,
    text_of,
)

_SIGNS = Shape(module="", names=NONE, rules={}).dropped


def _go_method(node: Any, source: bytes) -> Found | None:
    name, receiver = node.child_by_field_name("name"), node.child_by_field_name("receiver")
    if name is None or receiver is None or not receiver.named_child_count:
        return None
    declared = receiver.named_child(0)
    own, of_type = declared.child_by_field_name("name"), declared.child_by_field_name("type")
    selves = (text_of(source, own),) if own is not None else ()
    prefix = plain_name(source, of_type) + "." if of_type is not None else ""
    return Found((Title(prefix + text_of(source, name), "method", name),), selves=selves)


def _go_type(node: Any, source: bytes) -> Found | None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None:
        return None
    kind = {"struct_type": "struct", "interface_type": "interface"}.get(body.type if body else "", "type")
    return Found((Title(text_of(source, name), kind, name),), "scope")


def _go_constant(node: Any, source: bytes) -> Found | None:
    titles = tuple(
        Title(text_of(source, one), "constant", one)
        for one in node.children_by_field_name("name")
        if one.is_named
    )
    return Found(titles, counted=True) if titles else None


GO = Shape(
    module="tree_sitter_go",
    names=frozenset(
        {"identifier", "type_identifier", "package_identifier", "label_name", "blank_identifier"}
    ),
    members=frozenset({"field_identifier"}),
    strings=frozenset({"interpreted_string_literal", "raw_string_literal", "rune_literal"}),
    exact=frozenset({"for_clause"}),
    keeps=re.compile(rb"//(?:go:|export |line )|// ?\+build "),
    imports=frozenset({"import_declaration"}),
    functions=frozenset({"func_literal"}),
    wrappers=frozenset({"type_declaration", "const_declaration", "var_declaration", "var_spec_list"}),
    rules={
        "function_declaration": named("function"),
        "method_declaration": _go_method,
        "type_spec": _go_type,
        "type_alias": named("type"),
        "const_spec": _go_constant,
        "var_spec": listed("constant"),
        "field_declaration": listed("field"),
        "method_elem": named("method"),
    },
    bindings={
        "parameter_declaration": ("name",),
        "variadic_parameter_declaration": ("name",),
        "short_var_declaration": ("left",),
        "range_clause": ("left",),
        "var_spec": ("name",),
        "const_spec": ("name",),
        "type_parameter_declaration": ("name",),
    },
)


def _rust_impl(node: Any, source: bytes) -> Found | None:
    of_type = node.child_by_field_name("type")
    name = plain_name(source, of_type).rpartition(".")[2] if of_type is not None else ""
    return Found((Title(name, "impl"),), "scope") if name else None


RUST = Shape(
    module="tree_sitter_rust",
    overloads=True,
    names=frozenset(
        {
            "identifier",
            "type_identifier",
            "shorthand_field_identifier",
            "self",
            "super",
            "crate",
            "metavariable",
        }
    ),
    members=frozenset({"field_identifier"}),
    strings=frozenset({"string_literal", "raw_string_literal"}),
    # A semicolon decides what a block is worth, and [0; 5] is not [0, 5].
    dropped=_SIGNS - {";"},
    exact=frozenset({"token_tree", "token_tree_pattern"}),
    imports=frozenset({"use_declaration", "extern_crate_declaration"}),
    silent=frozenset({"attribute_item", "inner_attribute_item"}),
    silent_text=re.compile(rb"#!?\[\s*(?:doc|allow|expect)\b"),
    prefixes=frozenset({"attribute_item"}),
    functions=frozenset({"closure_expression"}),
    rules={
        "function_item": named("function"),
        "function_signature_item": named("function"),
        "struct_item": named("struct", "scope"),
        "enum_item": named("enum", "scope"),
        "union_item": named("struct", "scope"),
        "trait_item": named("trait", "scope"),
        "impl_item": _rust_impl,
        "mod_item": named("module", "scope"),
        "const_item": named("constant"),
        "static_item": named("constant"),
        "type_item": named("type"),
        "associated_type": named("type"),
        "macro_definition": named("macro"),
        "field_declaration": named("field"),
        "enum_variant": named("field"),
    },
    bindings={
        "parameter": ("pattern",),
        "let_declaration": ("pattern",),
        "let_condition": ("pattern",),
        "closure_parameters": (),
        "for_expression": ("pattern",),
        "match_arm": ("pattern",),
        "type_parameter": ("name",),
    },
)


def _is_text_block(node: Any, source: bytes) -> bool:
    return source.startswith(b'"""', node.start_byte)


def _java_field(node: Any, source: bytes) -> Found | None:
    names = [one.child_by_field_name("name") for one in node.children_by_field_name("declarator")]
    text = text_of(source, node.named_child(0)) if node.named_child_count else ""
    kind = "constant" if "static" in text and "final" in text else "field"
    titles = tuple(Title(text_of(source, one), kind, one) for one in names if one is not None)
    return Found(titles) if titles else None


JAVA = Shape(
    module="tree_sitter_java",
    braces=frozenset({"block"}),
    overloads=True,
    names=frozenset({"identifier", "type_identifier", "this"}),
    strings=frozenset({"string_literal"}),
    blocks={"string_literal": _is_text_block},
    exact=frozenset({"for_statement", "dimensions"}),
    imports=frozenset({"import_declaration"}),
    silent=frozenset({"annotation"}),
    silent_text=re.compile(rb"@Suppress(?:Warnings|Lint)\b"),
    functions=frozenset({"lambda_expression"}),
    rules={
        "class_declaration": named("class", "scope"),
        "interface_declaration": named("interface", "scope"),
        "enum_declaration": named("enum", "scope"),
        "record_declaration": named("class", "scope"),
        "annotation_type_declaration": named("interface", "scope"),
        "annotation_type_element_declaration": named("method"),
        "method_declaration": named("method"),
        "constructor_declaration": named("method"),
        "compact_constructor_declaration": named("method"),
        "field_declaration": _java_field,
        "constant_declaration": _java_field,
        "enum_constant": named("field"),
    },
    bindings={
        "formal_parameter": ("name",),
        "spread_parameter": ("declarator",),
        "variable_declarator": ("name",),
        "catch_formal_parameter": ("name",),
        "enhanced_for_statement": ("name",),
        "resource": ("name",),
        "lambda_expression": ("parameters",),
        "inferred_parameters": (),
        "type_parameter": (),
    },
)


def _swift_type(node: Any, source: bytes) -> Found | None:
    name, keyword = node.child_by_field_name("name"), node.child_by_field_name("declaration_kind")
    if name is None:
        return None
    kind = text_of(source, keyword) if keyword is not None else "class"
    title = plain_name(source, name)
    if kind == "extension":
        return Found((Title(title, "extension"),), "scope")
    return Found((Title(title, kind, name),), "scope")


def _swift_property(node: Any, source: bytes) -> Found | None:
    titles: list[Title] = []
    for pattern in node.children_by_field_name("name"):
        names = pattern.children_by_field_name("bound_identifier") or [pattern]
        titles.extend(Title(text_of(source, one), "property", one) for one in names)
    return Found(tuple(titles)) if titles else None


_SWIFT_RULES: dict[str, Rule] = {
    "function_declaration": named("function"),
    "class_declaration": _swift_type,
    "protocol_declaration": named("protocol", "scope"),
    "property_declaration": _swift_property,
    "protocol_property_declaration": _swift_property,
    "protocol_function_declaration": named("method"),
    "init_declaration": called("init", "method"),
    "deinit_declaration": called("deinit", "method"),
    "subscript_declaration": called("subscript", "method"),
    "typealias_declaration": named("type"),
    "associatedtype_declaration": named("type"),
    "enum_entry": listed("field"),
    "macro_declaration": named("macro"),
}
SWIFT = Shape(
    module="tree_sitter_swift",
    overloads=True,
    names=frozenset({"simple_identifier", "type_identifier"}),
    strings=frozenset({"line_string_literal"}),
    blocks={"multi_line_string_literal": always},
    # a(1) and a[1] differ in nothing but their brackets.
    exact=frozenset({"value_arguments"}),
    imports=frozenset({"import_declaration"}),
    functions=frozenset({"lambda_literal"}),
    rules=_SWIFT_RULES,
    bindings={
        "parameter": ("name",),
        "lambda_parameter": ("name",),
        "pattern": ("bound_identifier",),
        "guard_statement": ("bound_identifier",),
        "if_statement": ("bound_identifier",),
        "property_declaration": ("name",),
    },
)
