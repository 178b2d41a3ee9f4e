"""JSON text edited in place: a member or an item is put in or taken out, and every other byte stays as it was.

Settings belong to people and to other tools, so nothing is formatted anew: what is put in takes the indentation, line
ends and width of its neighbours. Text that is no plain JSON – comments, trailing commas, a key given twice – is refused,
since an edit of it could not be proven right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # public in practice: json.JSONDecoder.parse_string
from typing import Any, Final

from gitmem.errors import InvalidDataError

_DEEPEST: Final = 60
_SPACE: Final = " \t\n\r"


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value, from the key's first character to the value's last."""

    key: str
    start: int
    value: Node


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a JSON text.

    Args:
        value: What it means.
        start: Offset of its first character.
        end: Offset behind its last one.
        members: Of an object, in order.
        items: Of an array.
    """

    value: Any
    start: int
    end: int
    members: tuple[Member, ...] = ()
    items: tuple[Node, ...] = ()

    def at(self, *keys: str) -> Node | None:
        """The node under these keys; None where one is missing."""
        node: Node | None = self
        for key in keys:
            node = next((one.value for one in node.members if one.key == key), None) if node else None
        return node


def parse(text: str, name: str) -> Node:
    """Read a JSON text.

    Args:
        text: Without a byte order mark.
        name: Of the file, for errors.

    Raises:
        InvalidDataError: It is none; names line and column.
    """
    reader = _Reader(text, name)
    node = reader.value(reader.space(0), 0)
    end = reader.space(node.end)
    if end != len(text):
        reader.fail(end, "there is more behind the end")
    return node


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name

    def fail(self, at: int, why: str) -> Any:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        raise InvalidDataError(
            f"{self.name}:{line}:{column}: {why}",
            hint="gitmem edits plain JSON only: mend it, or add by hand what --print shows",
            path=self.name,
            line=line,
            column=column,
        )

    def space(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in _SPACE:
            at += 1
        if self.text.startswith(("//", "/*", "#"), at):
            self.fail(at, "a comment, which JSON does not have")
        return at

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            self.fail(at, "nested too deep")
        opening = self.text[at : at + 1]
        if opening == "{":
            return self.object(at, depth)
        if opening == "[":
            return self.array(at, depth)
        try:
            value, end = json.JSONDecoder().raw_decode(self.text, at)
        except (json.JSONDecodeError, RecursionError, ValueError):
            return self.fail(at, "a value is missing" if opening in ",]}" else "this is no JSON")  # type: ignore[no-any-return]  # it raises
        return Node(value, at, end)

    def object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                self.fail(at, "a key in double quotes is missing")
            key, end = self.string(at)
            if any(one.key == key for one in members):
                self.fail(at, f"the key {key[:60]!r} is given twice")
            colon = self.space(end)
            if self.text[colon : colon + 1] != ":":
                self.fail(colon, "a colon is missing")
            value = self.value(self.space(colon + 1), depth + 1)
            members.append(Member(key, at, value))
            at = self.next(value.end, "}")
        plain = {one.key: one.value.value for one in members}
        return Node(plain, start, at + 1, members=tuple(members))

    def array(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != "]":
            items.append(self.value(at, depth + 1))
            at = self.next(items[-1].end, "]")
        return Node([one.value for one in items], start, at + 1, items=tuple(items))

    def string(self, at: int) -> tuple[str, int]:
        try:
            found: tuple[str, int] = scanstring(self.text, at + 1, True)
        except json.JSONDecodeError:
            return self.fail(at, "the text has no end")  # type: ignore[no-any-return]  # it raises
        return found

    def next(self, at: int, closing: str) -> int:
        """Where the next member begins, or the closing bracket stands."""
        at = self.space(at)
        if self.text[at : at + 1] == closing:
            return at
        if self.text[at : at + 1] != ",":
            self.fail(at, f"a comma or {closing} is missing")
        after = self.space(at + 1)
        if self.text[after : after + 1] == closing:
            self.fail(at, "a comma stands before the end")
        return after


def put_member(text: str, node: Node, key: str, value: Any) -> str:
    """The text with one more member at the end of an object that has no such key."""
    return _put(text, node, f"{json.dumps(key, ensure_ascii=False)}: ", value)


def put_item(text: str, node: Node, value: Any) -> str:
    """The text with one more item at the end of an array."""
    return _put(text, node, "", value)


def replaced(text: str, node: Node, value: Any) -> str:
    """The text with another value in a node's place."""
    new = _written(text, value, _indent_at(text, node.start), multiline="\n" in text[node.start : node.end])
    return text[: node.start] + new + text[node.end :]


def _put(text: str, node: Node, before: str, value: Any) -> str:
    held = [(one.start, one.value.end) for one in node.members] or [
        (one.start, one.end) for one in node.items
    ]
    opening, closing = text[node.start], text[node.end - 1]
    line_end = _line_end(text)
    if not held:
        outer = _indent_at(text, node.start)
        inner = outer + _unit(text)
        new = before + _written(text, value, inner, multiline=True)
        whole = f"{opening}{line_end}{inner}{new}{line_end}{outer}{closing}"
        return text[: node.start] + whole + text[node.end :]
    start, end = held[-1]
    if "\n" not in text[node.start : held[0][0]]:
        return f"{text[:end]}, {before}{_written(text, value, '', multiline=False)}{text[end:]}"
    indent = _indent_at(text, start)
    new = before + _written(text, value, indent, multiline=True)
    return f"{text[:end]},{line_end}{indent}{new}{text[end:]}"


def _written(text: str, value: Any, indent: str, *, multiline: bool) -> str:
    if not multiline:
        return json.dumps(value, ensure_ascii=False)
    told = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return told.replace("\n", _line_end(text) + indent)


def _indent_at(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation, as the first indented line has it."""
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip(" \t"))]
        if indent and line.strip():
            return indent
    return "  "


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def without(text: str, node: Node, is_own: Callable[[Any], bool]) -> str:
    """The text without everything that is gitmem's own, and without what is left empty by that.

    Args:
        text: The whole text.
        node: Its root.
        is_own: Whether an object, as a value, is gitmem's.
    """
    spans = list(_cut(text, node, is_own)) if not _is_gone(node, is_own) else []
    if not spans and _is_gone(node, is_own):
        return "{}" + text[node.end :]
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _is_gone(node: Node, is_own: Callable[[Any], bool]) -> bool:
    """Whether nothing but gitmem's own stands in it; a matcher or a name without hooks is nothing."""
    if node.members:
        if is_own(node.value):
            return True
        gone = [_is_gone(one.value, is_own) for one in node.members]
        rest = [one for one, is_gone in zip(node.members, gone, strict=True) if not is_gone]
        return any(gone) and all(one.key in {"matcher", "name"} for one in rest)
    return bool(node.items) and all(_is_gone(one, is_own) for one in node.items)


def _cut(text: str, node: Node, is_own: Callable[[Any], bool]) -> Iterator[tuple[int, int]]:
    held = [(one.start, one.value) for one in node.members] or [(one.start, one) for one in node.items]
    kept = [not _is_gone(value, is_own) for _, value in held]
    for position, (_, value) in enumerate(held):
        if kept[position]:
            yield from _cut(text, value, is_own)
        else:
            yield _span(held, kept, position)


def _span(held: list[tuple[int, Node]], kept: list[bool], position: int) -> tuple[int, int]:
    """From behind what stands before it to its own end; the first ones go with the comma that follows them."""
    if any(kept[:position]):
        return held[position - 1][1].end, held[position][1].end
    return held[position][0], held[position + 1][0] if position + 1 < len(held) else held[position][1].end
