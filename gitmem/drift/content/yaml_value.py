"""YAML by its events: no constructor runs, no tag is obeyed, an alias is its anchor's value and cannot explode."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from gitmem.drift.content.plain_value import MAX_NODES, Plain, UnreadableError

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NULL = re.compile(r"~|null|Null|NULL|")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
# What is a number in JSON, too, stands as it was written.
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_ODD_NUMBER = re.compile(
    r"[-+]?(?:\.\d[\d_]*|[\d_]*\d(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|0[xob][\da-fA-F_]+|\.inf|\.nan)",
    re.IGNORECASE,
)


def load(text: str) -> Any:
    """The one document's value, or a list of several.

    Raises:
        UnreadableError: When it expands to too many values or uses a collection as a key.
        yaml.YAMLError: When it does not parse.
    """
    documents = _Builder(yaml.parse(text, Loader=_LOADER)).documents()
    return documents[0] if len(documents) == 1 else documents


class _Builder:
    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.anchors: dict[str, tuple[Any, int]] = {}

    def documents(self) -> list[Any]:
        found: list[Any] = []
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                self.anchors = {}
                found.append(self.value(next(self.events))[0])
        return found

    def value(self, event: Any) -> tuple[Any, int]:
        """A value and how many values it expands to."""
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise UnreadableError(f"alias *{event.anchor} before its anchor")
            return self.anchors[event.anchor]
        if isinstance(event, yaml.ScalarEvent):
            built: tuple[Any, int] = (_scalar(event), 1)
        elif isinstance(event, yaml.MappingStartEvent):
            built = self.mapping()
        else:
            built = self.sequence()
        if built[1] > MAX_NODES:
            raise UnreadableError(f"expands to more than {MAX_NODES} values")
        if event.tag is not None and event.tag != "!" and not _is_implicit(event):
            built = ({f"!{event.tag.rpartition(':')[2].lstrip('!')}": built[0]}, built[1] + 1)
        if event.anchor is not None:
            self.anchors[event.anchor] = built
        return built

    def mapping(self) -> tuple[Any, int]:
        found: dict[str, Any] = {}
        size = 1
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                return found, size
            key, _ = self.value(event)
            child, more = self.value(next(self.events))
            if not isinstance(key, str):
                raise UnreadableError("a collection as a key")
            found[str(key)] = child
            size += more
            if size > MAX_NODES:
                break
        raise UnreadableError(f"expands to more than {MAX_NODES} values")

    def sequence(self) -> tuple[Any, int]:
        found: list[Any] = []
        size = 1
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                return found, size
            child, more = self.value(event)
            found.append(child)
            size += more
            if size > MAX_NODES:
                break
        raise UnreadableError(f"expands to more than {MAX_NODES} values")


def _is_implicit(event: Any) -> bool:
    implicit = event.implicit
    return bool(any(implicit) if isinstance(implicit, tuple) else implicit)


def _scalar(event: Any) -> str:
    text: str = event.value
    if event.style or (event.implicit and not event.implicit[0]):
        return text
    if _NULL.fullmatch(text):
        return Plain("null")
    if _BOOLEAN.fullmatch(text):
        return Plain(text.lower())
    if _NUMBER.fullmatch(text):
        return Plain(text)
    return f"={text}" if _ODD_NUMBER.fullmatch(text) else text
