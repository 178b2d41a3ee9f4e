"""YAML from a repository, read as hostile: texts, lists and mappings with positions, and nothing else.

The accepted language is a small part of YAML, the same for every parser: UTF-8 (a byte order mark only at
byte 0), one document, block or flow mappings and lists, every scalar a text. Refused before any parser sees it:
control characters, lone carriage returns, U+0085, U+2028, U+2029. Refused on the event stream, so that nothing is
ever composed: anchors, aliases, merge keys, tags, directives, a second document, keys that are no texts, depth or
node count over the limits, surrogate escapes, tabs outside quotes and outside the content of block scalars.
Duplicate keys are values of the document, since the formats know better cures than a parser does.

A plain ``null``, ``~`` or nothing at all, and an empty text, is read as absent: a `Text` whose value is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from gitmem.errors import InvalidDataError


class Limits(NamedTuple):
    """What one file may cost: bytes before decoding, nested collections, and nodes (keys count)."""

    size: int
    depth: int = 20
    nodes: int = 2000


FILE_LIMITS = Limits(64 * 1024)


class Text(NamedTuple):
    """A scalar; the value is None when it says nothing."""

    value: str | None
    line: int
    column: int
    quoted: bool = False


class Items(NamedTuple):
    """A list."""

    items: tuple[Node, ...]
    line: int
    column: int


class Fields(NamedTuple):
    """A mapping, in the order of the file."""

    entries: dict[str, Entry]
    line: int
    column: int


class Entry(NamedTuple):
    """One key of a mapping with its value; the position is the key's."""

    key: str
    value: Node
    line: int
    column: int


Node = Text | Items | Fields


class Duplicate(NamedTuple):
    """A key that its mapping already has; the first one counts."""

    key: str
    line: int
    column: int
    first_line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One file's content.

    Args:
        root: The outermost node; an absent `Text` for an empty file.
        duplicates: Keys given twice.
    """

    root: Node
    duplicates: tuple[Duplicate, ...] = ()


_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_UNTEXTUAL_KEY = re.compile(
    r"~|null|true|false|yes|no|on|off|y|n|[-+.]?[0-9][-+0-9_.:eExXa-fA-F]*|[-+]?\.(?:inf|nan)|=",
    re.IGNORECASE,
)
_DEEP_FLOW = re.compile(r"(?:[\[{]\s*){40}")
_ABSENT = frozenset({"", "~", "null", "Null", "NULL"})
_NAMES = {"\ufeff": "byte order mark", "\r": "carriage return without line feed"}


def read_yaml(path: str, data: bytes, limits: Limits = FILE_LIMITS) -> Document:
    """Read one file.

    Args:
        path: Repository path, for the error.
        data: Its bytes.
        limits: What it may cost.

    Raises:
        InvalidDataError: With line and column, naming what is refused.
    """
    if len(data) > limits.size:
        raise InvalidDataError(
            f"{path}: {len(data)} bytes, over the limit of {limits.size}", hint="split the file", path=path
        )
    text = decode(path, data)
    return build(path, text, _events(path, text), limits)


def decode(path: str, data: bytes) -> str:
    """The text of a file whose characters every parser reads alike; a byte order mark at byte 0 is left out.

    Raises:
        InvalidDataError: Not UTF-8, or a character that is refused.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _position(data[: error.start].decode("utf-8", "replace"))
        raise _refused(
            path, f"byte 0x{data[error.start]:02x} is not UTF-8", line, column, "save it as UTF-8"
        ) from None
    text = text.removeprefix("\ufeff")
    found = _FORBIDDEN.search(text)
    if found:
        line, column = _position(text[: found.start()])
        name = _NAMES.get(found[0], "character")
        raise _refused(path, f"{name} U+{ord(found[0]):04X} is not allowed", line, column, "remove it")
    return text


def _position(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _refused(path: str, what: str, line: int, column: int, hint: str = "") -> InvalidDataError:
    return InvalidDataError(f"{path}:{line}:{column}: {what}", hint=hint, path=path, line=line, column=column)


def _events(path: str, text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CBaseLoader", None)
    if loader is None:
        # The pure scanner looks far ahead for a key, in quadratic time, before the depth limit can stop it.
        deep = _DEEP_FLOW.search(text)
        if deep:
            raise _refused(path, "nested too deeply", *_position(text[: deep.start()]))
        loader = yaml.BaseLoader
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.YAMLError as error:
        raise _broken(path, error) from None


def _broken(path: str, error: Any) -> InvalidDataError:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    what = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
    context = getattr(error, "context", None)
    what = f"{what} ({context})" if context else what
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    return _refused(path, f"not readable as YAML: {what}", line, column, _cure(what))


def _cure(what: str) -> str:
    if "mapping values are not allowed" in what:
        return "quote a text that contains a colon followed by a space"
    if "alias" in what or "anchor" in what:
        return "quote a text that starts with * or &; anchors and aliases are not read"
    return ""


def build(path: str, text: str, events: Iterable[Any], limits: Limits = FILE_LIMITS) -> Document:
    """Make the document of a parser's events (PyYAML's or ruamel's), refusing everything but texts, lists and mappings.

    Raises:
        InvalidDataError: As `read_yaml`.
    """
    return _Builder(path, text, limits).run(events)


class _Builder:
    """One pass over the events; the open collections are a stack."""

    def __init__(self, path: str, text: str, limits: Limits) -> None:
        self.path = path
        self.limits = limits
        self.lines = text.split("\n") if "\t" in text else []
        self.nodes = 0
        self.documents = 0
        self.root: Node = Text(None, 1, 1)
        self.stack: list[_Open] = []
        self.duplicates: list[Duplicate] = []
        self.tabs = _tabs(self.lines)
        self.next_tab = 0

    def run(self, events: Iterable[Any]) -> Document:
        steps = {
            "ScalarEvent": self.scalar,
            "MappingStartEvent": self.start,
            "SequenceStartEvent": self.start,
            "MappingEndEvent": self.end,
            "SequenceEndEvent": self.end,
            "DocumentStartEvent": self.document,
            "AliasEvent": self.alias,
        }
        for event in events:
            step = steps.get(type(event).__name__)
            if step:
                step(event)
        self.refuse_tab_before((len(self.lines), 0))
        return Document(self.root, tuple(self.duplicates))

    def refuse(self, event: Any, what: str, hint: str = "") -> InvalidDataError:
        mark = event.start_mark
        return _refused(self.path, what, mark.line + 1, mark.column + 1, hint)

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            raise self.refuse(event, "a second document", "one file holds one document: remove the ---")
        if event.version or event.tags:
            raise self.refuse(event, "a directive (%YAML or %TAG)", "remove the line")

    def alias(self, event: Any) -> None:
        raise self.refuse(event, f"alias *{event.anchor[:60]}", "quote the text, or write the value out")

    def check(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            raise self.refuse(event, f"more than {self.limits.nodes} values", "split the file")
        if event.anchor is not None:
            raise self.refuse(event, f"anchor &{event.anchor[:60]}", "quote the text, or write the value out")
        if event.tag is not None:
            raise self.refuse(event, f"tag {event.tag[:60]}", "remove it: every value is a text")

    def start(self, event: Any) -> None:
        self.check(event)
        if len(self.stack) >= self.limits.depth:
            raise self.refuse(event, f"nested more than {self.limits.depth} deep")
        top = self.stack[-1] if self.stack else None
        if top is not None and top.wants_key:
            raise self.refuse(event, "a list or mapping used as a key", "keys are texts")
        mark = event.start_mark
        opened = _Open(type(event).__name__ == "MappingStartEvent", mark.line + 1, mark.column + 1)
        self.stack.append(opened)

    def end(self, _event: Any) -> None:
        self.place(self.stack.pop().close())

    def scalar(self, event: Any) -> None:
        self.check(event)
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        value = event.value
        if not value.isascii() and _SURROGATE.search(value):
            raise _refused(self.path, "surrogate escape", line, column, "write the character itself")
        if self.tabs:
            self.pass_tabs(event)
        quoted = event.style is not None and event.style != ""
        top = self.stack[-1] if self.stack else None
        if top is not None and top.wants_key:
            self.key(top, value, line, column, quoted=quoted)
            return
        absent = (
            value in _ABSENT if not quoted else not (value if event.style in {'"', "'"} else value.strip())
        )
        self.place(Text(None if absent else value, line, column, quoted))

    def key(self, top: _Open, key: str, line: int, column: int, *, quoted: bool) -> None:
        if key == "<<":
            raise _refused(self.path, "merge key <<", line, column, "write the values out")
        if not key:
            raise _refused(self.path, "a key is empty", line, column, "name it")
        if not quoted and _UNTEXTUAL_KEY.fullmatch(key):
            raise _refused(self.path, f"key {key[:60]!r} is not a text", line, column, "quote it")
        top.key = (key, line, column)

    def place(self, node: Node) -> None:
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if top.key is None:
            top.items.append(node)
            return
        key, line, column = top.key
        top.key = None
        if key in top.entries:
            self.duplicates.append(Duplicate(key, line, column, top.entries[key].line))
        else:
            top.entries[key] = Entry(key, node, line, column)

    def refuse_tab_before(self, end: tuple[int, int]) -> None:
        if self.next_tab < len(self.tabs) and self.tabs[self.next_tab] < end:
            line, column = self.tabs[self.next_tab]
            raise _refused(self.path, "tab outside quotes", line + 1, column + 1, "use spaces")

    def pass_tabs(self, event: Any) -> None:
        """Step over the tabs inside this scalar when quotes or a block scalar's indentation guard them."""
        start = (event.start_mark.line, event.start_mark.column)
        self.refuse_tab_before(start)
        end = (event.end_mark.line, event.end_mark.column)
        is_block = event.style in {"|", ">"}
        indent = " " * _block_indent(self.lines, start[0] + 1, end[0]) if is_block else ""
        while self.next_tab < len(self.tabs) and self.tabs[self.next_tab] < end:
            line, _ = self.tabs[self.next_tab]
            guarded = event.style in {'"', "'"} or (
                is_block and line > start[0] and self.lines[line].startswith(indent)
            )
            if not guarded:
                self.refuse_tab_before(end)
            self.next_tab += 1


class _Open:
    """A collection that has begun: a mapping when it has entries, with the key that waits for its value."""

    __slots__ = ("column", "entries", "is_mapping", "items", "key", "line")

    def __init__(self, is_mapping: bool, line: int, column: int) -> None:  # noqa: FBT001 - one caller, by position for speed
        self.is_mapping = is_mapping
        self.line = line
        self.column = column
        self.items: list[Node] = []
        self.entries: dict[str, Entry] = {}
        self.key: tuple[str, int, int] | None = None

    @property
    def wants_key(self) -> bool:
        return self.is_mapping and self.key is None

    def close(self) -> Node:
        if self.is_mapping:
            return Fields(self.entries, self.line, self.column)
        return Items(tuple(self.items), self.line, self.column)


def _tabs(lines: list[str]) -> list[tuple[int, int]]:
    """Every tab in order, line and column from 0 as parsers' marks count."""
    return [(number, found.start()) for number, line in enumerate(lines) for found in re.finditer("\t", line)]


def _block_indent(lines: list[str], first: int, last: int) -> int:
    """Indentation of a block scalar: the spaces before its first line that has more than spaces; never 0."""
    for line in lines[first : last + 1]:
        if line.strip(" \r"):
            return max(1, len(line) - len(line.lstrip(" ")))
    return 1


def plain(node: Node) -> Any:
    """The node without positions: text or None, list, dict."""
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return {key: plain(entry.value) for key, entry in node.entries.items()}
