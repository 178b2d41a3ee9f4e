"""C and C++."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gitmem.drift.content.outline import DECLARATION
from gitmem.drift.content.shape import Found, Opens, Rule, Shape, Title, named, plain_name

_WITHIN = frozenset({"parenthesized_declarator", "attributed_declarator", "reference_declarator"})


def _declared(node: Any) -> tuple[Any, bool]:
    """The node that names what a declarator declares, and whether it is a function."""
    function = False
    for _ in range(40):
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in _WITHIN and node.named_child_count:
            inner = node.named_child(node.named_child_count - 1)
        if inner is None:
            break
        function = function or node.type == "function_declarator"
        node = inner
    return node, function


def _function(node: Any, source: bytes) -> Found | None:
    declarator = node.child_by_field_name("declarator")
    if declarator is None:
        return None
    name, _ = _declared(declarator)
    title = plain_name(source, name)
    kind = "method" if "." in title else "function"
    return Found((Title(title, kind, name),)) if title else None


def _declarations(plain: str) -> Rule:
    """Variables, and functions whose body stands elsewhere."""

    def rule(node: Any, source: bytes) -> Found | None:
        titles = []
        for declarator in node.children_by_field_name("declarator"):
            name, function = _declared(declarator)
            if title := plain_name(source, name):
                titles.append(Title(title, DECLARATION if function else plain, name))
        return Found(tuple(titles)) if titles else None

    return rule


def _typedef(node: Any, source: bytes) -> Found | None:
    declarator = node.child_by_field_name("declarator")
    name = _declared(declarator)[0] if declarator is not None else None
    return Found((Title(plain_name(source, name), "type", name),), "scope") if name is not None else None


def _with_body(kind: str) -> Rule:
    """A type that is only mentioned (``struct s x;``) defines nothing."""
    rule = named(kind, "scope")

    def checked(node: Any, source: bytes) -> Found | None:
        return rule(node, source) if node.child_by_field_name("body") is not None else None

    return checked


def _plain(kind: str, opens: Opens = "inside") -> Rule:
    return named(kind, opens)


_RULES: dict[str, Rule] = {
    "function_definition": _function,
    "declaration": _declarations("constant"),
    "field_declaration": _declarations("field"),
    "type_definition": _typedef,
    "struct_specifier": _with_body("struct"),
    "union_specifier": _with_body("struct"),
    "enum_specifier": _with_body("enum"),
    "enumerator": _plain("field"),
    "preproc_def": _plain("macro"),
    "preproc_function_def": _plain("macro"),
}
C = Shape(
    module="tree_sitter_c",
    braces=frozenset({"compound_statement"}),
    overloads=True,
    names=frozenset(
        {"identifier", "type_identifier", "namespace_identifier", "statement_identifier", "this"}
    ),
    members=frozenset({"field_identifier"}),
    strings=frozenset({"string_literal"}),
    folded=frozenset({"preproc_arg"}),
    imports=frozenset({"preproc_include"}),
    rules=_RULES,
    bindings={
        "parameter_declaration": ("declarator",),
        "optional_parameter_declaration": ("declarator",),
        "init_declarator": ("declarator",),
        "declaration": ("declarator",),
        "for_range_loop": ("declarator",),
        "preproc_params": (),
    },
)
CPP = replace(
    C,
    module="tree_sitter_cpp",
    strings=frozenset({"string_literal", "raw_string_literal"}),
    imports=frozenset({"preproc_include", "using_declaration"}),
    functions=frozenset({"lambda_expression"}),
    wrappers=frozenset({"template_declaration"}),
    rules={
        **_RULES,
        "class_specifier": _with_body("class"),
        "alias_declaration": _plain("type"),
        "concept_definition": _plain("type"),
    },
)
