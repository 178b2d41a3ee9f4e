"""Python by its syntax tree: positions, comments, docstrings, quote style and redundant parentheses do not count.

The tree is written down here rather than by `ast.dump`, whose output differs between Python versions; fields that are
empty are left out, so that a field which a later version adds changes nothing. Bare string statements (docstrings,
attribute documentation) and ``pass`` have no effect and are skipped.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar

from gitmem.drift.content.tape import Definition, Tape, text_token

_SKIPPED_FIELDS = {"ctx", "type_comment", "kind", "type_ignores", "type_params", "simple", "default_value"}
_TYPING = {"typing", "typing_extensions", "__future__"}

# A plan is either the one token of a node without fields, or its opening token, field tokens and a reader of all fields.
_Plan = str | tuple[str, tuple[str, ...], Callable[[Any], Any]]


def parse(data: bytes) -> ast.Module | None:
    """The tree, or None when this Python does not know the syntax or the nesting is beyond its parser."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


@lru_cache(maxsize=8)
def tape(data: bytes) -> Tape | None:
    """The tape of a file; None when it does not parse. The last few are held: nobody may change them."""
    tree = parse(data)
    return tape_of(tree, deprecations=b"eprecated" in data) if tree is not None else None


def tape_of(tree: ast.Module, *, deprecations: bool) -> Tape:
    """Write the tree down.

    Args:
        tree: From `parse`.
        deprecations: Whether the word occurs in the file at all; else nothing is looked up.
    """
    walk = _Walk(deprecations=deprecations)
    walk.run(tree)
    return walk.tape


def _plan(cls: type[ast.AST]) -> _Plan:
    fields = tuple(name for name in cls._fields if name not in _SKIPPED_FIELDS)
    if not fields:
        return cls.__name__
    reader = attrgetter(*fields)
    wrapped: Callable[[Any], Any] = reader if len(fields) > 1 else lambda node: (reader(node),)
    return (f"({cls.__name__}", tuple(f"={name}" for name in fields), wrapped)


class _Walk:
    """One pass over one tree, with an own stack: deep nesting does not exhaust Python's."""

    plans: ClassVar[dict[type, _Plan]] = {}

    def __init__(self, *, deprecations: bool) -> None:
        self.tape = Tape()
        self.stack: list[Any] = []
        self.scope: list[str] = []
        self.in_function = 0
        self.deprecations = deprecations
        self.special: dict[type, Callable[[Any], None]] = {
            ast.FunctionDef: self.function,
            ast.AsyncFunctionDef: self.function,
            ast.ClassDef: self.klass,
            ast.Assign: self.assign,
            ast.AnnAssign: self.annotated,
            ast.arg: self.argument,
            ast.Constant: self.constant,
            ast.Expr: self.expression,
            ast.Pass: self.nothing,
            ast.Import: self.imports,
            ast.ImportFrom: self.imports,
            ast.If: self.condition,
            ast.JoinedStr: self.joined,
            ast.Global: self.outer_names,
            ast.Nonlocal: self.outer_names,
            ast.ExceptHandler: self.handler,
            ast.Lambda: self.composite,
        }

    def run(self, tree: ast.Module) -> None:
        stack = self.stack
        stack.extend(reversed(tree.body))
        append, reads, binds = self.tape.tokens.append, self.tape.reads, self.tape.binds
        special, plans, pop = self.special, self.plans, stack.pop
        while stack:
            node = pop()
            cls = node.__class__
            if cls is str:
                append(node)
            elif cls is ast.Name:
                append(f"n:{node.id}")
                (reads if node.ctx.__class__ is ast.Load else binds).append(node.id)
            elif cls is ast.Attribute:
                self.attribute(node)
            elif cls in special:
                special[cls](node)
            elif cls in plans:
                plan = plans[cls]
                if plan.__class__ is str:
                    append(plan)
                else:
                    self.write(node, plan)
            elif isinstance(node, ast.AST):
                self.composite(node)
            else:
                self.other(node)

    def other(self, node: Any) -> None:
        """What is neither a node nor a token: a step to take when its predecessors are written, or a plain value."""
        if callable(node):
            node()
        else:
            self.tape.tokens.append("-" if node is None else f"v:{node!r}")

    def composite(self, node: ast.AST) -> None:
        cls = node.__class__
        plan = self.plans.get(cls)
        if plan is None:
            plan = self.plans[cls] = _plan(cls)
        if isinstance(plan, str):
            self.tape.tokens.append(plan)
        else:
            self.write(node, plan)

    def write(self, node: Any, plan: Any) -> None:
        opening, fields, reader = plan
        self.tape.tokens.append(opening)
        push, extend = self.stack.append, self.stack.extend
        push(")")
        values = reader(node)
        for at in range(len(fields) - 1, -1, -1):
            value = values[at]
            if value.__class__ is list:
                if value:
                    extend(value[::-1])
                    push(fields[at])
            elif value is not None and value != 0:
                push(value)
                push(fields[at])

    def attribute(self, node: ast.Attribute) -> None:
        base = node.value
        tokens, reads = self.tape.tokens, self.tape.reads
        reads.append(node.attr)
        if base.__class__ is not ast.Name:
            # Prefix notation with one operand needs no brackets.
            tokens.append(f"..{node.attr}")
            self.stack.append(base)
            return
        name = base.id
        tokens.append("(member")
        tokens.append(f"n:{name}")
        tokens.append(f".{node.attr}")
        reads.append(name)
        reads.append(f"{name}.{node.attr}")

    def define(self, name: str, kind: str, node: Any) -> Definition:
        """Open a definition here; its name is written by the caller."""
        tape = self.tape
        decorators = getattr(node, "decorator_list", ())
        first = decorators[0].lineno if decorators else node.lineno
        one = Definition(
            ".".join([*self.scope, name]),
            kind,
            (first, node.end_lineno),
            (len(tape.tokens), 0),
            reads=(len(tape.reads), 0),
            binds=(len(tape.binds), 0),
            outer=(len(tape.outer), 0),
            bare=not self.scope,
        )
        tape.definitions.append(one)
        return one

    def close(self, one: Definition) -> Callable[[], None]:
        def step() -> None:
            tape = self.tape
            one.tokens = (one.tokens[0], len(tape.tokens))
            one.reads = (one.reads[0], len(tape.reads))
            one.binds = (one.binds[0], len(tape.binds))
            one.outer = (one.outer[0], len(tape.outer))
            if not one.signature[1]:
                one.signature = (one.signature[0], len(tape.tokens))

        return step

    def soft(self, nodes: list[Any]) -> list[Any]:
        """The nodes as stack items, written as a type annotation."""
        return self.tape.softly(nodes)

    def push(self, items: list[Any]) -> None:
        self.stack.extend(reversed(items))

    def function(self, node: Any) -> None:
        self.tape.binds.append(node.name)
        stub = any(_last_name(one) == "overload" for one in node.decorator_list)
        items: list[Any] = [f"({node.__class__.__name__}", "=decorators", *node.decorator_list]
        sign, unsign, close = _nothing, _nothing, _nothing
        if not self.in_function:
            one = self.define(node.name, "method" if self.scope else "function", node)
            one.stub = stub
            one.deprecated = self.deprecations and _is_deprecated(node)
            sign, unsign, close = (
                _signature_start(one, self.tape),
                _signature_end(one, self.tape),
                self.close(one),
            )
        items += [sign, f"d:{node.name}", self.enter]
        if getattr(node, "type_params", None):
            items += self.soft(["=type_params", *node.type_params])
        items += ["=args", node.args]
        if node.returns is not None:
            items += self.soft(["=returns", node.returns])
        items += [unsign, "=body", *node.body, ")", self.leave, close]
        self.push(self.soft(items) if stub else items)

    def enter(self) -> None:
        self.in_function += 1

    def leave(self) -> None:
        self.in_function -= 1

    def klass(self, node: ast.ClassDef) -> None:
        self.tape.binds.append(node.name)
        items: list[Any] = ["(ClassDef", "=decorators", *node.decorator_list]
        head: list[Any] = ["=bases", *node.bases, "=keywords", *node.keywords]
        if getattr(node, "type_params", None):
            head = [*self.soft(["=type_params", *node.type_params]), *head]  # type: ignore[attr-defined]  # since 3.12
        if self.in_function:
            self.push([*items, f"d:{node.name}", *head, "=body", *node.body, ")"])
            return
        one = self.define(node.name, "class", node)
        one.deprecated = self.deprecations and _is_deprecated(node)
        self.push([
            *items,
            _signature_start(one, self.tape),
            f"d:{node.name}",
            *head,
            _signature_end(one, self.tape),
            "=body",
            lambda: self.scope.append(node.name),
            *node.body,
            self.scope.pop,
            ")",
            self.close(one),
        ])  # fmt: skip

    def assign(self, node: ast.Assign) -> None:
        self.assignment(node, node.targets, [], node.value)

    def annotated(self, node: ast.AnnAssign) -> None:
        note = self.soft(["=annotation", node.annotation])
        if node.value is None and (self.in_function or not self.scope):
            # Declares a type for readers and nothing else; in a class it may be a field.
            self.push(self.soft(["(Declare", node.target, *note, ")"]))
        else:
            self.assignment(node, [node.target], note, node.value)

    def assignment(self, node: Any, targets: list[ast.expr], note: list[Any], value: ast.expr | None) -> None:
        """Write ``x = 1`` and ``x: int = 1`` alike but for the annotation."""
        names = [] if self.in_function else [name for target in targets for name in _bound_names(target)]
        defined = [self.define(name, "field" if self.scope else "constant", node) for name in names]
        written: list[Any] = list(targets)
        if len(names) == 1 and len(targets) == 1 and isinstance(targets[0], ast.Name):
            self.tape.binds.append(names[0])
            written = [f"d:{names[0]}"]
        items: list[Any] = ["(Assign", "=targets", *written, *note]
        if value is not None:
            items += ["=value", value]
        self.push([*items, ")", *(self.close(one) for one in reversed(defined))])

    def argument(self, node: ast.arg) -> None:
        self.tape.tokens.append(f"a:{node.arg}")
        self.tape.binds.append(node.arg)
        if node.annotation is not None:
            self.push(self.soft([node.annotation]))

    def constant(self, node: ast.Constant) -> None:
        value = node.value
        if value.__class__ is str:
            token = text_token(value)
        elif value.__class__ is int:
            token = f"i:{value:x}"
        else:
            token = f"v:{value!r}"
        self.tape.tokens.append(token)

    def expression(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            self.push(["(Expr", node.value, ")"])

    def nothing(self, node: ast.AST) -> None:
        pass

    def imports(self, node: Any) -> None:
        tape = self.tape
        start = len(tape.tokens)
        typing = node.__class__ is ast.ImportFrom and node.module in _TYPING and not node.level

        def finish() -> None:
            (tape.soft if typing else tape.imports).append((start, len(tape.tokens)))

        self.stack.append(finish)
        self.composite(node)

    def condition(self, node: ast.If) -> None:
        if _last_name(node.test) == "TYPE_CHECKING":
            self.push([*self.soft(["(If", node.test, "=body", *node.body, ")"]), *node.orelse])
        else:
            self.composite(node)

    def joined(self, node: ast.JoinedStr) -> None:
        """Versions split the constant parts of an f-string differently: neighbours are merged, empty ones dropped."""
        items: list[Any] = []
        text = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value)
                continue
            if text:
                items.append(text_token(text))
                text = ""
            items.append(part)
        if text or not items:
            items.append(text_token(text))
        plain = len(items) == 1 and isinstance(items[0], str)
        self.push(items if plain else ["(JoinedStr", *items, ")"])

    def outer_names(self, node: Any) -> None:
        self.tape.outer.extend(node.names)
        self.composite(node)

    def handler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.tape.binds.append(node.name)
        self.composite(node)


def _nothing() -> None:
    pass


def _signature_start(one: Definition, tape: Tape) -> Callable[[], None]:
    def step() -> None:
        one.signature = (len(tape.tokens), 0)

    return step


def _signature_end(one: Definition, tape: Tape) -> Callable[[], None]:
    def step() -> None:
        one.signature = (one.signature[0], len(tape.tokens))

    return step


def _bound_names(target: ast.expr) -> list[str]:
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Tuple | ast.List):
        return [one.id for one in target.elts if isinstance(one, ast.Name)]
    return []


def _last_name(node: ast.expr) -> str:
    """The word that a decorator or condition ends in: ``deprecated`` of ``@warnings.deprecated("…")``."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_deprecated(node: Any) -> bool:
    if any(_last_name(one) == "deprecated" for one in node.decorator_list):
        return True
    first = node.body[0] if node.body else None
    if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
        return False
    text = first.value.value
    return isinstance(text, str) and ("@deprecated" in text or ".. deprecated" in text)
