"""Writing a syntax tree on the tape: leaves, strings, comments, annotations, imports."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gitmem.drift.content.grammar import Tools
from gitmem.drift.content.shape import Found
from gitmem.drift.content.tape import SELVES, Definition, Tape

_MARK_IN_COMMENT = re.compile(rb"@deprecated\b|\bDeprecated:|[\\]deprecated\b|\bdeprecated::")
# What a pattern binds beyond so many nodes is left out: only hostile files have it.
_MAX_PATTERN = 2_000
GLANCE = 4_000
# Text whose last line, with the mark that ends it, may be indented in any way.
_ENDS_FREELY = frozenset({"heredoc_body", "multiline_string_literal"})
_TAKES_ONE = frozenset(
    {
        "if_statement",
        "else_clause",
        "while_statement",
        "do_statement",
        "for_statement",
        "for_in_statement",
        "for_range_loop",
        "foreach_statement",
        "enhanced_for_statement",
    }
)
_CHAINS = frozenset({"member_expression", "subscript_expression", "call_expression", "non_null_expression"})


class Writer:
    """The state of one pass over one tree, with an own stack, and what needs no names."""

    def __init__(self, tools: Tools, source: bytes) -> None:
        self.tape = Tape()
        self.source = source
        self.tools = tools
        self.shape = tools.shape
        self.stack: list[Any] = []
        self.scope: list[str] = []
        # What each open scope is: an object literal, a name space, or a type.
        self.objects: list[str] = []
        self.open: list[Definition] = []
        self.in_function = 0
        self.rigid = 0
        self.deprecations = b"eprecated" in source or b"bsolete" in source
        # Where a definition's name stands, and what is bound locally: by first byte.
        self.titles: set[int] = set()
        self.bound: set[int] = set()
        # Where a member of an object literal is named: 'a': 1 is a: 1.
        self.keys: set[int] = set()
        # Last byte of a template whose text is another language.
        self.embedded = 0
        # The indentation that is layout in the text being written.
        self.margin: re.Pattern[str] | None = None
        # Groups of constants that are counted: whether they are, and how many were seen.
        self.groups: dict[int, list[int]] = {}
        self.found: dict[int, Found | None] = {}
        # Token position and first line of attributes just written, and the position after them.
        self.prefix = (-1, 0, -1)
        # Token position and last line of a comment that says deprecated.
        self.marked = (-1, 0)
        # What to do with a node, by the number of its kind; all others are written as they are.
        self.actions: dict[int, Callable[[Any], None]] = {}

    def run(self, root: Any) -> None:
        stack, append, actions = self.stack, self.tape.tokens.append, self.actions
        node_class, opening = self.tools.node_class, self.tools.opening
        skip = self.skip
        pop, push, extend = stack.pop, stack.append, stack.extend
        push(root)
        while stack:
            node = pop()
            cls = node.__class__
            if cls is str:
                append(node)
            elif cls is node_class:
                number = node.kind_id
                action = actions.get(number)
                if action is not None:
                    if action is not skip:
                        action(node)
                    continue
                children = node.children
                if not children:
                    self.leaf(node, number)
                    continue
                append(opening.get(number, "(ERROR"))
                push(")")
                extend(children[::-1])
            else:
                node()

    def text(self, start: int, end: int) -> str:
        """A piece of the file, indentation that is layout left out."""
        text = self.source[start:end].decode("utf-8", "surrogateescape")
        if self.margin is None:
            return text
        at_line_start = self.source[start - 1 : start] == b"\n"
        return self.margin.sub("\n", f"\n{text}")[1:] if at_line_start else self.margin.sub("\n", text)

    def leaf(self, node: Any, number: int) -> None:
        start = node.start_byte
        text = self.text(start, node.end_byte)
        kind = self.tools.leaf.get(number)
        if kind is None:
            self.tape.tokens.append(text)
        elif start in self.titles and (kind in self.shape.names or kind in self.shape.members):
            self.tape.tokens.append(f"d:{text}")
        elif kind in self.shape.names:
            self.name(start, text)
        elif kind in self.shape.members:
            self.member(start, text)
        elif text:
            self.tape.tokens.append(f"{kind}{len(text)}:{text}")

    def name(self, start: int, text: str) -> None:
        tape = self.tape
        variable = bool(tape.tokens) and tape.tokens[-1] == self.shape.sigil
        token = f"n:{text}"
        tape.tokens.append(token)
        if start in self.bound:
            tape.binds.append(text)
        elif not variable and token not in SELVES:
            tape.reads.append(text)

    def member(self, start: int, text: str) -> None:
        tape = self.tape
        before = tape.tokens[-1] if tape.tokens else ""
        tape.tokens.append(f".{text}")
        if start in self.bound:
            return
        tape.reads.append(text)
        if before.startswith("n:") and before not in SELVES:
            tape.reads.append(f"{before[2:]}.{text}")

    def push(self, items: list[Any]) -> None:
        self.stack.extend(reversed(items))

    def skip(self, node: Any) -> None:
        pass

    def composite(self, node: Any) -> None:
        """Write a node as if no rule named it."""
        children = node.children
        if not children:
            self.leaf(node, node.kind_id)
            return
        self.tape.tokens.append(self.tools.opening.get(node.kind_id, "(ERROR"))
        self.stack.append(")")
        self.stack.extend(reversed(children))

    def unwrap(self, node: Any) -> None:
        """Parentheses go, unless they end an optional chain: (a?.b).c is not a?.b.c."""
        start = node.start_byte
        if b"?." in self.source[start : min(node.end_byte, start + GLANCE)]:
            around = node.parent
            if around is not None and around.type in _CHAINS and around.start_byte == node.start_byte:
                self.composite(node)
                return
        self.stack.extend(reversed(node.children))

    def exact(self, node: Any) -> None:
        children = node.children
        items: list[Any] = [f"({node.type}"]
        last = len(children) - 2
        for at, child in enumerate(children):
            if child.is_named and child.type != "empty_statement":
                items.append(child)
            elif not (at == last and child.type == ","):
                items.append(child.type)
        self.push([*items, ")"])

    def folded(self, node: Any) -> None:
        words = self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape").split()
        self.tape.tokens.extend(f"t:{word}" for word in words)

    def block(self, node: Any) -> None:
        """Text of several lines, what stands between its parts included."""
        before = self.margin
        if self.shape.blocks[node.type](node, self.source):
            lines = self.source[node.start_byte : node.end_byte].split(b"\n")[1:]
            if node.type in _ENDS_FREELY:
                lines = lines[:-1]
            width = min((len(one) - len(one.lstrip(b" \t")) for one in lines if one.strip()), default=0)
            self.margin = re.compile(rf"\n[ \t]{{0,{width}}}")

        def finish() -> None:
            self.margin = before

        self.stack.append(finish)
        if node.type in self.shape.strings:
            self.string(node)
        else:
            self.gapped(node)

    def braced(self, node: Any) -> None:
        """A block; around one statement below a condition or loop its braces are style."""
        inside = [one for one in node.named_children if one.type not in self.shape.comments]
        around = node.parent
        if (
            len(inside) == 1
            and around is not None
            and around.type in _TAKES_ONE
            and "declaration" not in inside[0].type
        ):
            self.stack.extend(reversed(node.children))
        else:
            self.composite(node)

    def gapped(self, node: Any) -> None:
        children, at = node.children, node.start_byte
        if not children:
            self.leaf(node, node.kind_id)
            return
        items: list[Any] = [f"({node.type}"]
        for child in children:
            items += [*self.gap(at, child.start_byte), child]
            at = child.end_byte
        self.push([*items, *self.gap(at, node.end_byte), ")"])

    def gap(self, start: int, end: int) -> list[str]:
        text = self.text(start, end)
        return [f"g{len(text)}:{text}"] if text else []

    def string(self, node: Any) -> None:
        if any(child.child_count for child in node.children):
            self.composite(node)
            return
        text, kind = self.text(node.start_byte, node.end_byte), node.type
        if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
            text = text[1:-1]
            if self.shape.quotes == "same":
                text = text.replace("\\'", "'").replace('\\"', '"')
            elif self.shape.quotes == "plain" and "\\" not in text and "$" not in text and "#{" not in text:
                kind = "string"
        if node.start_byte in self.titles:
            self.tape.tokens.append(f"d:{text}")
        elif node.start_byte in self.keys and text.isidentifier():
            self.tape.tokens.append(f".{text}")
            self.tape.reads.append(text)
        else:
            self.tape.tokens.append(f"{kind}{len(text)}:{text}")

    def comment(self, node: Any) -> None:
        keeps = self.shape.keeps
        if keeps is None and not self.deprecations:
            return
        text = self.source[node.start_byte : node.end_byte]
        if keeps is not None and keeps.match(text):
            self.tape.tokens.append(f"// {text.decode('utf-8', 'surrogateescape').strip()}")
        elif self.deprecations:
            at, row = len(self.tape.tokens), last_row(node)
            if _MARK_IN_COMMENT.search(text):
                self.marked = (at, row)
            elif self.marked[0] == at and node.start_point[0] - self.marked[1] <= 1:
                # The same run of comment lines goes on.
                self.marked = (at, row)

    def is_silent(self, node: Any) -> bool:
        text, pattern = self.source[node.start_byte : node.start_byte + GLANCE], self.shape.silent_text
        return node.type in self.shape.silent and pattern is not None and pattern.match(text) is not None

    def silent(self, node: Any) -> None:
        if not self.is_silent(node):
            (self.prefix_node if node.type in self.shape.prefixes else self.composite)(node)

    def prefix_node(self, node: Any) -> None:
        start, line = len(self.tape.tokens), node.start_point[0] + 1
        if self.prefix[2] == start:
            start, line = self.prefix[0], self.prefix[1]

        def finish() -> None:
            self.prefix = (start, line, len(self.tape.tokens))

        self.stack.append(finish)
        self.composite(node)

    def soft(self, items: list[Any]) -> list[Any]:
        """The items, written as a type annotation unless types are the content here."""
        if self.rigid:
            return items
        return self.tape.softly(items)

    def plain(self, node: Any) -> list[Any]:
        """The node as items that no rule of its own kind applies to."""
        return [self.tools.opening.get(node.kind_id, "(ERROR"), *node.children, ")"]

    def soft_node(self, node: Any) -> None:
        self.push(self.soft(self.plain(node)))

    def rigid_node(self, node: Any) -> None:
        self.enter_rigid()
        self.stack.append(self.leave_rigid)
        self.composite(node)

    def enter_rigid(self) -> None:
        self.rigid += 1

    def leave_rigid(self) -> None:
        self.rigid -= 1

    def import_call(self, node: Any) -> None:
        text = self.source[node.start_byte : node.start_byte + GLANCE]
        (self.imports if self.shape.import_calls[node.type].match(text) else self.composite)(node)

    def imports(self, node: Any) -> None:
        start = len(self.tape.tokens)

        def finish() -> None:
            self.tape.imports.append((start, len(self.tape.tokens)))

        self.stack.append(finish)
        self.composite(node)

    def binding(self, node: Any) -> None:
        self.bind(node)
        self.composite(node)

    def bind(self, node: Any) -> None:
        fields = self.shape.bindings.get(node.type)
        if fields is None:
            return
        waiting = (
            [one for name in fields for one in node.children_by_field_name(name)]
            if fields
            else list(node.children)
        )
        names, members, bound = self.shape.names, self.shape.members, self.bound
        for _ in range(_MAX_PATTERN):
            if not waiting:
                break
            one = waiting.pop()
            children = one.named_children
            if not children:
                if (one.type in names and one.type != "type_identifier") or one.type in members:
                    bound.add(one.start_byte)
            elif one.type not in self.shape.soft and fields:
                default = one.child_by_field_name("right")
                waiting.extend(child for child in children if default is None or child.id != default.id)


def last_row(node: Any) -> int:
    """Last row that holds some of the node's text; a node may end at the start of the next row."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row  # type: ignore[no-any-return]  # ints
