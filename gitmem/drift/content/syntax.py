"""Other languages by their syntax tree: a typed, nested tree without comments, layout and redundant signs.

The tree of a grammar is written on the tape (`gitmem.drift.content.tape`) with its node kinds and nesting, so that ``a-(b-c)``
is not ``a-b-c`` and ``f("x")`` is not ``f(x)``. Grammars are single wheels, imported when a file of the language is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from functools import cache
from time import process_time
from typing import Any, NamedTuple

from gitmem.drift.content.language import title
from gitmem.drift.content.shape import Found, Shape
from gitmem.drift.content.tape import SELVES, Definition, Tape

LANGUAGES = frozenset(
    {
        "c",
        "cpp",
        "csharp",
        "go",
        "java",
        "javascript",
        "kotlin",
        "php",
        "ruby",
        "rust",
        "shell",
        "swift",
        "tsx",
        "typescript",
    }
)
_MARK_IN_COMMENT = re.compile(rb"@deprecated\b|\bDeprecated:|[\\]deprecated\b|\bdeprecated::")
_MARK_IN_HEAD = re.compile(
    rb"@[\w.]*[Dd]eprecated\b|#\[\s*[Dd]eprecated|\[\[[^\]]*deprecated|\[\s*(?:System\.)?Obsolete"
    rb"|@available\s*\([^)]*deprecated|__attribute__\s*\(\(\s*deprecated"
)
_SECONDS = 0.2
_SECONDS_PER_BYTE = 1.5e-6
# Up to here even the worst input is soon done.
_SMALL = 1_000
_UNBALANCED = 64
# Ordinary source shrinks to a fourth, tables of numbers to a twentieth.
_MOST_REPETITIVE = 60
_RUN = re.compile(rb"([^\w\s*=/.~-])\1{1000}")
_CHUNK = 64 * 1024
# Deeper ones are no symbols, nor are what a pattern binds beyond so many nodes: only hostile files have them.
_MAX_SCOPES = 20
_MAX_PATTERN = 2_000
_GLANCE = 4_000


class MissingGrammarError(Exception):
    """The language's wheel is not installed; the message is the note to show."""


class Parsed(NamedTuple):
    """A file's tape, and whether its text did not fully parse."""

    tape: Tape
    damaged: bool


def parse(language: str, data: bytes) -> Parsed | None:
    """Parse a file; None when the parser gave up or used up its time.

    Raises:
        MissingGrammarError: When the grammar is not installed.
    """
    tools = _tools(language)
    source = data.replace(b"\r\n", b"\n")
    tree = _tree(tools.parser, source)
    if tree is None:
        return None
    walk = _Walk(tools, source)
    walk.run(tree.root_node)
    return Parsed(walk.tape, tree.root_node.has_error)


def _tree(parser: Any, source: bytes) -> Any:
    """The syntax tree, or None.

    On some broken input a grammar's error recovery takes quadratic time and memory (8 kB can need gigabytes), and
    now and then in one step that cannot be interrupted. So what no person or generator writes is not parsed at all,
    and the rest gets about ten times the processor time of an ordinary file of its size, and not more.
    """
    if len(source) > _SMALL and not _is_plausible(source):
        return None
    limit = process_time() + _SECONDS + _SECONDS_PER_BYTE * len(source)

    def read(offset: int, _point: Any) -> bytes:
        return source[offset : offset + _CHUNK]

    def out_of_time(_offset: int, _damaged: bool) -> bool:  # noqa: FBT001 - the parser's signature
        return process_time() > limit

    try:
        return parser.parse(read, encoding="utf8", progress_callback=out_of_time)
    except (ValueError, MemoryError):
        parser.reset()
        return None


def _is_plausible(source: bytes) -> bool:
    """Whether the text may be source code: its brackets nearly balance, and it does not repeat a few bytes for ever."""
    for opening, closing in (b"()", b"[]", b"{}"):
        opened, closed = source.count(opening), source.count(closing)
        if abs(opened - closed) > max(_UNBALANCED, (opened + closed) // 5):
            return False
    if source.count(b"<") > len(source) // 10 or _RUN.search(source):
        return False
    return len(zlib.compress(source, 1)) * _MOST_REPETITIVE > len(source)


class _Tools(NamedTuple):
    """One language made ready: lookups by the grammar's kind number."""

    shape: Shape
    parser: Any
    node_class: type
    opening: dict[int, str]
    leaf: dict[int, str]
    numbers: dict[str, frozenset[int]]


@cache
def _tools(language: str) -> _Tools:
    from gitmem.drift.content.shapes import SHAPES

    shape = SHAPES[language]
    try:
        import importlib

        import tree_sitter

        grammar = tree_sitter.Language(getattr(importlib.import_module(shape.module), shape.entry)())
        parser = tree_sitter.Parser(grammar)
    except (ImportError, AttributeError, ValueError, OSError):
        note = f"{title(language)} compared by white space: install gitmem-ledger[full]"
        raise MissingGrammarError(note) from None
    opening: dict[int, str] = {}
    leaf: dict[int, str] = {}
    numbers: dict[str, set[int]] = {}
    for number in range(grammar.node_kind_count):
        kind = grammar.node_kind_for_id(number)
        if kind is None:
            continue
        if grammar.node_kind_is_named(number):
            numbers.setdefault(kind, set()).add(number)
            opening[number] = f"({kind}"
            leaf[number] = f"{kind}:"
        else:
            numbers.setdefault(f"'{kind}", set()).add(number)
            opening[number] = f"('{kind}"
    return _Tools(
        shape,
        parser,
        tree_sitter.Node,
        opening,
        leaf,
        {kind: frozenset(found) for kind, found in numbers.items()},
    )


class _Walk:
    """One pass over one tree, with an own stack."""

    def __init__(self, tools: _Tools, source: bytes) -> None:
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
        # Groups of constants that are counted: whether they are, and how many were seen.
        self.groups: dict[int, list[int]] = {}
        self.found: dict[int, Found | None] = {}
        # Token position and first line of attributes just written, and the position after them.
        self.prefix = (-1, 0, -1)
        # Token position and last line of a comment that says deprecated.
        self.marked = (-1, 0)
        self.actions = self.make_actions()

    def make_actions(self) -> dict[int, Callable[[Any], None]]:
        shape, actions = self.shape, {}
        for kinds, action in (
            (shape.bindings, self.binding),
            (shape.functions, self.function),
            (shape.folded, self.folded),
            (shape.strings, self.string),
            (shape.unwrapped, self.unwrap),
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
            (_EXTRA, self.extra),
        ):
            for kind in kinds:
                for number in self.tools.numbers.get(kind, ()):
                    actions[number] = action
        for sign in shape.dropped:
            for number in self.tools.numbers.get(f"'{sign}", ()):
                actions[number] = self.skip
        return actions

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

    def leaf(self, node: Any, number: int) -> None:
        start = node.start_byte
        text = self.source[start : node.end_byte].decode("utf-8", "surrogateescape")
        tape = self.tape
        kind = self.tools.leaf.get(number)
        if kind is None:
            tape.tokens.append(text)
            return
        kind = kind[:-1]
        if kind in self.shape.names:
            if start in self.titles:
                tape.tokens.append(f"d:{text}")
                return
            sigil = bool(tape.tokens) and tape.tokens[-1] == "$"
            tape.tokens.append(f"n:{text}")
            if sigil:
                # A PHP variable is never the function or constant of that name.
                return
            if start in self.bound:
                tape.binds.append(text)
            elif f"n:{text}" not in SELVES:
                tape.reads.append(text)
        elif kind in self.shape.members:
            if start in self.titles:
                tape.tokens.append(f"d:{text}")
                return
            before = tape.tokens[-1] if tape.tokens else ""
            tape.tokens.append(f".{text}")
            if start in self.bound:
                return
            tape.reads.append(text)
            if before.startswith("n:") and before not in SELVES:
                tape.reads.append(f"{before[2:]}.{text}")
        elif text:
            tape.tokens.append(f"{kind}{len(text)}:{text}")

    def push(self, items: list[Any]) -> None:
        self.stack.extend(reversed(items))

    def skip(self, node: Any) -> None:
        pass

    def extra(self, node: Any) -> None:
        _EXTRA[node.type](self, node)

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
        if b"?." in self.source[start : min(node.end_byte, start + _GLANCE)]:
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

    def string(self, node: Any) -> None:
        if any(child.child_count for child in node.children):
            self.composite(node)
            return
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")
        kind = node.type
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
            at, row = len(self.tape.tokens), _last_row(node)
            if _MARK_IN_COMMENT.search(text):
                self.marked = (at, row)
            elif self.marked[0] == at and node.start_point[0] - self.marked[1] <= 1:
                # The same run of comment lines goes on.
                self.marked = (at, row)

    def silent(self, node: Any) -> None:
        text = self.source[node.start_byte : node.start_byte + _GLANCE]
        if self.shape.silent_text is None or not self.shape.silent_text.match(text):
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
        marks: list[int] = []
        tape = self.tape

        def begin() -> None:
            marks.extend((len(tape.tokens), len(tape.reads), len(tape.binds)))

        def finish() -> None:
            tape.soft.append((marks[0], len(tape.tokens)))
            del tape.reads[marks[1] :]
            del tape.binds[marks[2] :]

        return [begin, *items, finish]

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
        text = self.source[node.start_byte : node.start_byte + _GLANCE]
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
        if node.type == "public_field_definition":
            self.field_modifiers(node)
            return
        children = node.children
        if not children:
            self.leaf(node, node.kind_id)
            return
        body = node.child_by_field_name("body")
        self.tape.tokens.append(self.tools.opening.get(node.kind_id, "(ERROR"))
        self.stack.append(")")
        for child in reversed(children):
            self.stack.append(child)
            if (body is not None and child.id == body.id) or child.type in self.shape.bodies:
                self.stack.append(self.end_signature)

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
            found = rule(node) if rule is not None else None
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
                (first, _last_row(node) + 1),
                (start, 0),
                (len(tape.tokens), 0),
                (len(tape.reads), 0),
                (len(tape.binds), 0),
                (0, 0),
                deprecated,
                found.stub,
                selves=SELVES | {f"n:{own}" for own in found.selves},
                level=level,
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

    # What only some grammars have.

    def list_type(self, node: Any) -> None:
        """A union or intersection of types: its leading sign says nothing."""
        members = node.named_children
        if len(members) == 1:
            self.stack.append(members[0])
        else:
            self.push([f"({node.type}", *members, ")"])

    def jsx_expression(self, node: Any) -> None:
        """{" "} is white space and {/* … */} a comment."""
        if node.child_count > 3 or not _JSX_NOTHING.fullmatch(
            self.source[node.start_byte : min(node.end_byte, node.start_byte + _GLANCE)]
        ):
            self.composite(node)

    def optional(self, node: Any) -> None:
        """``x?: T`` is ``x: T`` with another type."""
        self.bind(node)
        items: list[Any] = ["(required_parameter"]
        for child in node.children:
            items += self.soft([child]) if child.type in {"?", "!"} else [child]
        self.push([*items, ")"])

    def arrow_function(self, node: Any) -> None:
        """``x => x`` is ``(x) => x``."""
        parameter = node.child_by_field_name("parameter")
        if parameter is None:
            self.function(node)
            return
        self.bind(node)
        self.in_function += 1
        opening, closing = ["(formal_parameters"], [")"]
        if self.shape.soft:
            opening, closing = [*opening, "(required_parameter"], [")", *closing]
        body = node.child_by_field_name("body")
        items: list[Any] = ["(arrow_function"]
        for child in node.children:
            if child.id == parameter.id:
                items += [*opening, child, *closing]
            elif body is not None and child.id == body.id:
                items += [self.end_signature, child]
            else:
                items.append(child)
        self.push([*items, ")", self.leave_function])

    def modifiers(self, node: Any) -> None:
        """Their order says nothing."""
        ordered = sorted(node.children, key=lambda child: child.text or b"")
        self.push([f"({node.type}", *ordered, ")"])

    def field_modifiers(self, node: Any) -> None:
        """A class field's modifiers stand beside its name: ``declare public x`` is ``public declare x``."""
        name = node.child_by_field_name("name")
        at = name.start_byte if name is not None else node.start_byte
        before = [child for child in node.children if child.start_byte < at and child.type != "decorator"]
        rest = [child for child in node.children if child.start_byte >= at or child.type == "decorator"]
        before.sort(key=lambda child: child.text or b"")
        items: list[Any] = [f"({node.type}", *before]
        for child in rest:
            items += self.soft([child]) if child.type in {"?", "!"} else [child]
        self.push([*items, ")"])

    def call(self, node: Any) -> None:
        """The grammar reads ``await f<T>(x)`` as ``(await f)<T>(x)``; without the type it reads it rightly."""
        children = node.children
        if len(children) == 3 and children[0].type == "await_expression" and children[0].child_count == 2:
            waited = children[0].children
            self.push(
                ["(await_expression", waited[0], "(call_expression", waited[1], *children[1:], ")", ")"]
            )
        else:
            self.composite(node)

    def heritage(self, node: Any) -> None:
        """What a class implements is a promise to the type checker; what it extends is not."""
        if all(child.type == "implements_clause" for child in node.named_children):
            self.soft_node(node)
        else:
            self.composite(node)

    def template(self, node: Any) -> None:
        """A template that holds another language (gql`…`, template: `…`): white space in it is layout."""
        start = node.start_byte
        if _EMBEDDED.search(self.source[max(0, start - 80) : start]):
            self.embedded = max(self.embedded, node.end_byte)
        self.composite(node)

    def fragment(self, node: Any) -> None:
        if node.start_byte >= self.embedded:
            self.leaf(node, node.kind_id)
            return
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "surrogateescape")
        self.tape.tokens.extend(f"t:{word}" for word in _MARKUP_WORD.findall(text))


_CHAINS = frozenset({"member_expression", "subscript_expression", "call_expression", "non_null_expression"})
_EMBEDDED = re.compile(
    rb"(?<![\w$])(?:(?:template|styles)[\"']?\s*:\s*\[?|gql|graphql|css|html|svg|sql|styled[\w.()]*)\s*\Z"
)
_MARKUP_WORD = re.compile(r"[<>{}]|[^\s<>{}]+")
_JSX_NOTHING = re.compile(rb"\{\s*(?:([\"'`])\s*\1|/\*[\s\S]*\*/)?\s*\}")
_EXTRA: dict[str, Callable[[_Walk, Any], None]] = {
    "union_type": _Walk.list_type,
    "intersection_type": _Walk.list_type,
    "jsx_expression": _Walk.jsx_expression,
    "optional_parameter": _Walk.optional,
    "arrow_function": _Walk.arrow_function,
    "modifiers": _Walk.modifiers,
    "call_expression": _Walk.call,
    "class_heritage": _Walk.heritage,
    "template_string": _Walk.template,
    "string_fragment": _Walk.fragment,
}


def _last_row(node: Any) -> int:
    """Last row that holds some of the node's text; a node may end at the start of the next row."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row  # type: ignore[no-any-return]  # ints


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
