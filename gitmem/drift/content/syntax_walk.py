"""Definitions of a syntax tree: what they are called, where they begin and end, what belongs to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from gitmem.drift.content.grammar import Tools
from gitmem.drift.content.outline import DECLARATION
from gitmem.drift.content.shape import Found
from gitmem.drift.content.syntax_writer import Writer, last_row
from gitmem.drift.content.tape import SELVES, Definition

_MARK_IN_HEAD = re.compile(
    rb"@[\w.]*[Dd]eprecated\b|#\[\s*[Dd]eprecated|\[\[[^\[\]]*deprecated|\[\s*(?:System\.)?Obsolete"
    rb"|@available\s*\([^)]*deprecated|__attribute__\s*\(\(\s*deprecated"
)
_OVERLOADED = frozenset({"function", "method", DECLARATION})
# Deeper ones are no symbols: only hostile files have them.
_MAX_SCOPES = 20

Quirk = Callable[["Walk", Any], None]


class Walk(Writer):
    """One pass over one tree.

    Args:
        tools: The language.
        source: The file.
        quirks: What to do with kinds that only some grammars have.
        layouts: How to write definitions whose parts may stand in another order.
    """

    def __init__(
        self, tools: Tools, source: bytes, quirks: Mapping[str, Quirk], layouts: Mapping[str, Quirk]
    ) -> None:
        super().__init__(tools, source)
        self.layouts = layouts
        self.quirks = quirks
        self.actions = self.make_actions()

    def make_actions(self) -> dict[int, Callable[[Any], None]]:
        shape = self.shape
        actions: dict[int, Callable[[Any], None]] = {}
        for kinds, action in (
            (shape.bindings, self.binding),
            (shape.functions, self.function),
            (shape.folded, self.folded),
            (shape.strings, self.string),
            (shape.unwrapped, self.unwrap),
            (shape.blocks, self.block),
            (shape.braces, self.braced),
            (shape.exact, self.exact),
            (shape.rigid, self.rigid_node),
            (shape.soft, self.soft_node),
            (shape.imports, self.imports),
            (shape.import_calls, self.import_call),
            (shape.wrappers, self.definition),
            (shape.rules, self.definition),
            (shape.prefixes, self.prefix_node),
            (shape.silent, self.silent),
            (shape.comments, self.comment),
            ({"empty_statement"}, self.skip),
            (self.quirks, self.quirk),
        ):
            for kind in kinds:
                for number in self.tools.numbers.get(kind, ()):
                    actions[number] = action
        for sign in shape.dropped:
            for number in self.tools.numbers.get(f"'{sign}", ()):
                actions[number] = self.skip
        return actions

    def quirk(self, node: Any) -> None:
        self.quirks[node.type](self, node)

    def function(self, node: Any) -> None:
        """A function without a name: nothing in it is a symbol."""
        self.bind(node)
        self.in_function += 1
        self.stack.append(self.leave_function)
        self.with_body(node)

    def leave_function(self) -> None:
        self.in_function -= 1

    def with_body(self, node: Any) -> None:
        """Write a node; the signature of the definition around it ends where its body begins."""
        layout = self.layouts.get(node.type)
        if layout is not None:
            layout(self, node)
            return
        children = node.children
        if not children:
            self.leaf(node, node.kind_id)
            return
        body = node.child_by_field_name("body")
        self.tape.tokens.append(self.tools.opening.get(node.kind_id, "(ERROR"))
        self.stack.append(")")
        for child in reversed(self.in_order(children)):
            self.stack.append(child)
            if (body is not None and child.id == body.id) or child.type in self.shape.bodies:
                self.stack.append(self.end_signature)

    def in_order(self, children: list[Any]) -> list[Any]:
        """The children, modifiers sorted among the places that they take."""
        kinds = self.shape.modifiers
        if not kinds:
            return children
        places = [at for at, child in enumerate(children) if child.type in kinds]
        ordered = sorted(
            (children[at] for at in places), key=lambda one: self.source[one.start_byte : one.end_byte]
        )
        moved = dict(zip(places, ordered, strict=True))
        return [moved.get(at, child) for at, child in enumerate(children)]

    def end_signature(self) -> None:
        if self.open and not self.open[-1].signature[1]:
            at = len(self.tape.tokens)
            for one in self.open:
                if not one.signature[1]:
                    one.signature = (one.signature[0], at)

    def resolve(self, node: Any) -> tuple[Found | None, list[Any]]:
        """What a node defines, and the nodes from it down to the one that does."""
        chain = [node]
        while True:
            rule = self.shape.rules.get(node.type)
            found = rule(node, self.source) if rule is not None else None
            if found is not None or node.type not in self.shape.wrappers:
                return found, chain
            inner = [
                child
                for child in node.named_children
                if child.type in self.shape.rules or child.type in self.shape.wrappers
            ]
            if len(inner) != 1:
                return None, chain
            node = inner[0]
            chain.append(node)

    def definition(self, node: Any) -> None:
        if node.type == "pair":
            self.keys.add(node.start_byte)
        if self.in_function or len(self.scope) > _MAX_SCOPES:
            self.bind(node)
            self.local(node)
            return
        if node.id in self.found:
            self.enter(node, self.found.pop(node.id))
            return
        found, chain = self.resolve(node)
        if found is not None and found.opens == "nothing" and not found.titles:
            found = None
        if found is None or (found.titles and not self.belongs(chain[-1])):
            self.bind(node)
            if node.type in self.shape.rigid:
                self.rigid_node(node)
            else:
                self.with_body(node)
            return
        for one in chain[:-1]:
            self.found[one.id] = None
        self.found[chain[-1].id] = found
        closing = self.begin(node, found)
        if found.stub and not self.rigid and all(one.type not in self.shape.rigid for one in chain):
            self.push(self.soft([lambda: self.definition(node), closing]))
        else:
            self.push([lambda: self.definition(node), closing])

    def belongs(self, node: Any) -> bool:
        """Whether a member of an object literal stands directly in one that is a symbol."""
        return node.type != "pair" or self.objects[-1:] == ["object"]

    def local(self, node: Any) -> None:
        """A definition inside a function is part of it."""
        if node.type in self.shape.rigid:
            self.rigid_node(node)
        elif node.type in self.shape.unwrapped:
            self.unwrap(node)
        else:
            self.composite(node)

    def begin(self, node: Any, found: Found) -> Callable[[], None]:
        """Open the definitions of a node, and return the step that closes them."""
        tape = self.tape
        start, first = len(tape.tokens), node.start_point[0] + 1
        if self.prefix[2] == start:
            start, first = self.prefix[0], self.prefix[1]
        deprecated = self.is_deprecated(node, found, start, first)
        level = "l" if node.has_error else "s"
        opened = []
        if found.counted:
            self.count(node)
        for name, kind, title_node in found.titles:
            if title_node is not None:
                self.titles.add(
                    title_node.start_byte if not title_node.child_count else _last_leaf(title_node)
                )
            tape.binds.append(name.rpartition(".")[2])
            one = Definition(
                ".".join([*self.scope, name]),
                "method" if kind == "function" and self.objects and self.objects[-1] != "space" else kind,
                (first, last_row(node) + 1),
                (start, 0),
                (len(tape.tokens), 0),
                (len(tape.reads), 0),
                (len(tape.binds), 0),
                (0, 0),
                deprecated,
                found.stub,
                selves=SELVES | {f"n:{own}" for own in found.selves},
                level=level,
                overload=self.shape.overloads and kind in _OVERLOADED,
            )
            tape.definitions.append(one)
            opened.append(one)
        self.open.extend(opened)

        def close() -> None:
            for one in opened:
                one.tokens = (one.tokens[0], len(tape.tokens))
                one.reads = (one.reads[0], len(tape.reads))
                one.binds = (one.binds[0], len(tape.binds))
                if not one.signature[1]:
                    one.signature = (one.signature[0], len(tape.tokens))
                self.open.pop()

        return close

    def count(self, node: Any) -> None:
        """A constant counted by iota is worth its place in the group."""
        group = node.parent
        if group is None:
            return
        seen = self.groups.get(group.start_byte)
        if seen is None:
            counted = b"iota" in self.source[group.start_byte : group.end_byte]
            seen = self.groups[group.start_byte] = [int(counted), 0]
        if seen[0]:
            self.tape.tokens.append(f"iota {seen[1]}")
            seen[1] += 1

    def is_deprecated(self, node: Any, found: Found, start: int, first: int) -> bool:
        if not self.deprecations:
            return False
        if self.marked[0] == start and first - 1 - self.marked[1] <= 1:
            return True
        name = found.titles[0].node
        end = name.start_byte if name is not None else node.start_byte
        head_start = node.start_byte
        if self.prefix[2] == len(self.tape.tokens):
            head_start = (
                self.source.rfind(b"\n", 0, head_start) + 1 if self.prefix[1] == first else head_start
            )
            head_start = _line_offset(self.source, node.start_byte, node.start_point[0] + 1 - first)
        return _MARK_IN_HEAD.search(self.source[head_start : max(end, node.start_byte)]) is not None

    def enter(self, node: Any, found: Found | None) -> None:
        """Write a node whose definitions are open; for a wrapper there is nothing more to do."""
        self.bind(node)
        if node.type in self.shape.rigid:
            self.enter_rigid()
            self.stack.append(self.leave_rigid)
        if found is None:
            self.composite(node)
            return
        if found.opens == "inside":
            self.in_function += 1
            self.stack.append(self.leave_function)
        elif found.opens in {"scope", "object"}:
            self.scope.append(found.titles[0].name)
            space = found.titles[0].kind in {"namespace", "module"}
            self.objects.append("object" if found.opens == "object" else "space" if space else "type")
            self.stack.append(self.leave_scope)
        self.with_body(node)

    def leave_scope(self) -> None:
        self.scope.pop()
        self.objects.pop()


def _last_leaf(node: Any) -> int:
    """Where the last word of a compound name begins."""
    while node.named_child_count:
        node = node.named_child(node.named_child_count - 1)
    return node.start_byte  # type: ignore[no-any-return]  # an int


def _line_offset(source: bytes, at: int, lines_up: int) -> int:
    for _ in range(lines_up + 1):
        at = source.rfind(b"\n", 0, at)
        if at < 0:
            return 0
    return at + 1
