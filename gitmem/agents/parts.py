"""What an agent needs in a project, as parts of files; each part can be put in, looked for and taken out. Pure.

Gitmem's own entries are known by their command, so an entry that somebody moved into a group of theirs is still found:
``gitmem hook agent NAME`` for hooks, the command ``gitmem`` with the argument ``mcp`` and nothing else for the server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gitmem.agents import block
from gitmem.agents.hindering import Switch, hindrances_in
from gitmem.agents.json_text import Node, parse, put_item, put_member, replaced, without

HOOK: Final = "gitmem hook agent "
SERVER: Final[Mapping[str, Any]] = {"command": "gitmem", "args": ["mcp"]}


def guarded(agent: str) -> str:
    """The shell command of a hook: silent where gitmem is not installed, and never a failure."""
    return f"command -v gitmem >/dev/null 2>&1 && {HOOK}{agent} || true"


@dataclass(frozen=True, slots=True)
class Entry:
    """An item that a list below some keys must hold.

    Args:
        keys: Where the list is.
        value: The item.
    """

    keys: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class JsonFile:
    """Settings in JSON.

    Args:
        path: Repository path.
        entries: Hooks, each an item of a list.
        servers: Key of the mapping of MCP servers; None when this file has none.
        server: The server's own entry.
        names: Lists of texts that must hold some, such as the names of context files.
        base: What a file begins with that is made anew.
        switches: Settings in it that switch gitmem's parts off.
    """

    path: str
    entries: tuple[Entry, ...] = ()
    servers: str | None = None
    server: Mapping[str, Any] = field(default_factory=lambda: SERVER)
    names: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    base: Mapping[str, Any] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()

    def put(self, text: str) -> str:
        """The text with every part in it.

        Raises:
            InvalidDataError: It is no plain JSON, or something else stands where a part belongs.
        """
        parse(text, self.path)
        if self._has_others_of_ours(text):
            text = self.take_out(text)
        for key, value in self.base.items():
            text = text if self._root(text).at(key) else put_member(text, self._root(text), key, value)
        for entry in self.entries:
            text = self._with_entry(text, entry)
        if self.servers is not None:
            text = self._with_server(text, self.servers)
        for keys, wanted in self.names:
            text = self._with_names(text, keys, wanted)
        return text

    def _has_others_of_ours(self, text: str) -> bool:
        """Whether an older gitmem listens to events that this one does not."""
        held = self._root(text).at("hooks")
        wanted = {entry.keys[-1] for entry in self.entries}
        return held is not None and any(
            one.key not in wanted and _holds_own(one.value.value) for one in held.members
        )

    def take_out(self, text: str) -> str:
        """The text without gitmem's own entries; the names stay, since other tools may rely on them by now."""
        return without(text, self._root(text), is_own)

    def hindrances(self, text: str) -> tuple[str, ...]:
        """What keeps gitmem's parts from being used though they are there, one clause each."""
        value = self._root(text).value
        return tuple(hindrances_in(value, self.switches, self.servers))

    def names_left(self, text: str) -> tuple[str, ...]:
        """Keys of the lists that still hold a name that gitmem adds; whose it is the text cannot tell."""
        lists = ((keys, wanted[0], self._root(text).at(*keys)) for keys, wanted in self.names)
        held = ((keys, name, node.value) for keys, name, node in lists if node is not None)
        return tuple(
            ".".join(keys) for keys, name, value in held if isinstance(value, list) and name in value
        )

    def is_empty(self, text: str) -> bool:
        """Whether nothing is left but what a new file begins with."""
        value = self._root(text).value
        return isinstance(value, dict) and all(self.base.get(key) == held for key, held in value.items())

    def _root(self, text: str) -> Node:
        node = parse(text, self.path)
        if not isinstance(node.value, dict):
            raise _unexpected(self.path, "the file", "a mapping")
        return node

    def _with_entry(self, text: str, entry: Entry) -> str:
        text = self._with_place(text, entry.keys, [])
        held = self._root(text).at(*entry.keys)
        assert held is not None
        own = [one for one in held.items if _holds_own(one.value)]
        if not own:
            return put_item(text, held, entry.value)
        kept = [one for one in own if one.value == entry.value]
        if kept or not all(_is_only_own(one.value) for one in own):
            return text
        return replaced(text, own[0], entry.value)

    def _with_server(self, text: str, key: str) -> str:
        text = self._with_place(text, (key,), {})
        held = self._root(text).at(key)
        assert held is not None
        return text if held.at("gitmem") else put_member(text, held, "gitmem", dict(self.server))

    def _with_names(self, text: str, keys: tuple[str, ...], wanted: tuple[str, ...]) -> str:
        held = self._root(text).at(*keys)
        if held is None:
            text = self._with_place(text, keys, list(wanted))
        elif isinstance(held.value, str):
            more = [name for name in wanted if name != held.value]
            text = replaced(text, held, [held.value, *more[:1]])
        elif isinstance(held.value, list) and wanted[0] not in held.value:
            text = put_item(text, held, wanted[0])
        return text

    def _with_place(self, text: str, keys: tuple[str, ...], empty: Any) -> str:
        """The text with a list or mapping below the keys, made where there is none."""
        for depth in range(1, len(keys) + 1):
            parent = self._root(text).at(*keys[: depth - 1])
            assert parent is not None
            node = self._root(text).at(*keys[:depth])
            wanted = empty if depth == len(keys) else {}
            if node is None:
                text = put_member(text, parent, keys[depth - 1], wanted)
            elif not isinstance(node.value, type(wanted)):
                what = "a list" if isinstance(wanted, list) else "a mapping"
                raise _unexpected(self.path, ".".join(keys[:depth]), what)
        return text


@dataclass(frozen=True, slots=True)
class TomlFile:
    """Settings in TOML with a table for each MCP server."""

    path: str
    table: tuple[str, str] = ("mcp_servers", "gitmem")
    server: Mapping[str, Any] = field(default_factory=lambda: SERVER)
    switches: tuple[Switch, ...] = ()

    def hindrances(self, text: str) -> tuple[str, ...]:
        """What keeps gitmem's parts from being used though they are there, one clause each."""
        return tuple(hindrances_in(_toml(text, self.path), self.switches, self.table[0]))

    def put(self, text: str) -> str:
        """The text with the server's table.

        Raises:
            InvalidDataError: It is no TOML.
        """
        outer, inner = self.table
        held = _toml(text, self.path).get(outer, {})
        if not isinstance(held, Mapping):
            raise _unexpected(self.path, outer, "a table")
        if inner in held:
            return text
        self._refuse_inline(text, held)
        line_end = "\r\n" if "\r\n" in text else "\n"
        lines = [
            f"[{outer}.{inner}]",
            *(f"{key} = {_toml_value(value)}" for key, value in self.server.items()),
        ]
        gap = "" if not text else line_end if text.endswith("\n") else line_end * 2
        added = text + gap + line_end.join(lines) + line_end
        _toml(added, self.path)
        return added

    def _refuse_inline(self, text: str, held: Any) -> None:
        from tomlkit.items import InlineTable

        from gitmem.errors import InvalidDataError

        if not isinstance(held, InlineTable):
            return
        outer, inner = self.table
        found = re.search(rf"""(?m)^[ \t]*["']?{outer}["']?[ \t]*=""", text)
        line = text.count("\n", 0, found.start()) + 1 if found else None
        server = ", ".join(f"{key} = {_toml_value(value)}" for key, value in self.server.items())
        raise InvalidDataError(
            f"{self.path}{f':{line}' if line else ''}: {outer} is written inline, so no table can be added to it",
            hint=f"write each server as a table, [{outer}.NAME], or add there by hand: {inner} = {{ {server} }}",
            path=self.path,
            line=line,
        )

    def take_out(self, text: str) -> str:
        import tomlkit

        document = _toml(text, self.path)
        outer, inner = self.table
        held = document.get(outer, {})
        if not (isinstance(held, Mapping) and is_own(held.get(inner))):
            return text
        del document[outer][inner]
        if not document[outer]:
            del document[outer]
        line_end = "\r\n" if "\r\n" in text else "\n"
        rest = tomlkit.dumps(document).rstrip()
        return rest + line_end if rest else ""

    def is_empty(self, text: str) -> bool:
        return not text.strip()


@dataclass(frozen=True, slots=True)
class Block:
    """The marked block of a Markdown file.

    Args:
        path: Repository path.
        body: What stands between the markers.
        older: Lines that earlier versions had there: what is in neither is somebody else's.
    """

    path: str
    body: str
    older: str = ""

    def put(self, text: str) -> str:
        """The text with the block.

        Raises:
            InvalidDataError: A marker stands alone: what belongs to the block cannot be told from other people's words; or
                such words stand in the block.
        """
        _refuse_broken(text, self.path)
        _refuse_others(text, self.path, f"{self.body}\n{self.older}")
        return block.with_block(text, self.body)

    def take_out(self, text: str) -> str:
        _refuse_broken(text, self.path)
        _refuse_others(text, self.path, f"{self.body}\n{self.older}")
        return block.without_block(text)

    def is_empty(self, text: str) -> bool:
        return not text.strip()


@dataclass(frozen=True, slots=True)
class Pointer:
    """A line of a Markdown file that makes an agent read another file too."""

    path: str
    line: str

    def put(self, text: str) -> str:
        """The text with the line, unless it points there already.

        Raises:
            InvalidDataError: As `Block.put`.
        """
        _refuse_broken(text, self.path)
        _refuse_others(text, self.path, self.line)
        target = re.escape(self.line.removeprefix("@"))
        points = re.search(
            rf"(?m)(?:^|(?<=\s))@(?:\./)?{target}(?=\.?(?:[\s,;:)]|$))", block.without_block(text)
        )
        return text if points else block.with_block(text, f"{self.line}\n")

    def take_out(self, text: str) -> str:
        _refuse_broken(text, self.path)
        _refuse_others(text, self.path, self.line)
        return block.without_block(text)

    def is_empty(self, text: str) -> bool:
        return not text.strip()


Part = JsonFile | TomlFile | Block | Pointer


@dataclass(frozen=True, slots=True)
class Agent:
    """One coding agent.

    Args:
        name: What it is called on the command line.
        title: What people call it.
        parts: Everything it needs in the project.
        remarks: What its user has to do or know once, since no file can.
        plugin: Name of a plugin of the agent's that brings the first of the parts and the server; empty where there is none.
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    remarks: tuple[str, ...] = ()
    plugin: str = ""


def is_own(value: Any) -> bool:
    """Whether a mapping is an entry that gitmem made: a hook, or the server as it is written, nothing of a user's added."""
    if not isinstance(value, Mapping):
        return False
    texts = [one for one in value.values() if isinstance(one, str)]
    is_server = {"type": "stdio", **value} == {**SERVER, "type": "stdio"}
    return is_server or any(HOOK in one for one in texts)


def _holds_own(value: Any) -> bool:
    if isinstance(value, Mapping):
        return is_own(value) or any(map(_holds_own, value.values()))
    return isinstance(value, list) and any(map(_holds_own, value))


def _is_only_own(value: Any) -> bool:
    hooks = value.get("hooks") if isinstance(value, Mapping) else None
    return is_own(value) or (isinstance(hooks, list) and all(map(is_own, hooks)))


def _refuse_broken(text: str, path: str) -> None:
    line = block.is_broken(text)
    if line is None:
        return
    from gitmem.errors import InvalidDataError

    raise InvalidDataError(
        f"{path}:{line}: gitmem's markers are not one pair: {block.BEGIN} … {block.END}",
        hint="remove or mend the odd one; what stands between a pair is replaced",
        path=path,
        line=line,
    )


def _refuse_others(text: str, path: str, known: str) -> None:
    """Refuse a block with lines that no version of gitmem wrote: they would be lost."""
    other = block.other_line(text, known)
    if other is None:
        return
    from gitmem.errors import InvalidDataError

    raise InvalidDataError(
        f"{path}:{other}: this line between gitmem's markers is not gitmem's, and would be lost",
        hint=f"move it behind {block.END}, then run this again",
        path=path,
        line=other,
    )


def _unexpected(path: str, place: str, wanted: str) -> Exception:
    from gitmem.errors import InvalidDataError

    return InvalidDataError(
        f"{path}: {place} is not {wanted}", hint="mend it, or add by hand what --print shows", path=path
    )


def _toml(text: str, path: str) -> Any:
    from gitmem.errors import InvalidDataError, NotServedError

    try:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError
    except ModuleNotFoundError:
        raise NotServedError(
            f"{path} is TOML, and tomlkit is not installed", hint="pip install 'gitmem-ledger[full]'"
        ) from None
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        line = getattr(error, "line", None)
        raise InvalidDataError(
            f"{path}{f':{line}' if line else ''}: {error}", hint="mend it first", path=path, line=line
        ) from None


def _toml_value(value: Any) -> str:
    import json

    return json.dumps(value)  # a text and a list of texts are written alike in both
