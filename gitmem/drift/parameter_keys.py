"""Parameters that a statement gives a callable, ``FastMCP(include_tags=..., exclude_tags=...)``, as addresses within its file.

The address of one is ``src/server.py#FastMCP(exclude_tags)``. It holds while the callable's own list has that parameter: of a
function its parameters, of a class those of its initialiser, or its fields.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import decode, with_blank_comments
from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.content.parameters import parameter_names
from gitmem.drift.content.reading import outline

_NAME = re.compile(r"(?P<callable>[A-Za-z_$][\w$.]*)\((?P<parameter>[A-Za-z_$][\w$]*)\)")
INITIALISERS = ("__init__", "__new__", "constructor", "init", "initialize", "__construct")
TYPES = frozenset({"class", "struct", "object", "dataclass", "record", "interface", "type"})


class Parameter(NamedTuple):
    """A callable, dotted where nested, and one of its parameters."""

    callable: str
    name: str


def parameter_key(callable_: str, name: str) -> str:
    """The address of a parameter within its file."""
    return f"{callable_}({name})"


def parse_parameter(key: str) -> Parameter | None:
    """The inverse of `parameter_key`; None when the name of a key is no address of a parameter."""
    found = _NAME.fullmatch(key)
    return Parameter(found["callable"], found["parameter"]) if found else None


def taken(path: str, data: bytes, name: str, parsed: Outline | None = None) -> frozenset[str] | None:
    """The names that a callable of a file takes; None when the file defines none of that name.

    Args:
        path: The file.
        data: Its content.
        name: The callable.
        parsed: The file's outline where it was read before.
    """
    symbols = (parsed or outline(path, data) or _EMPTY).symbols
    own = [one for one in symbols if one.name == name]
    inner = [one for one in symbols if one.name in {f"{name}.{made}" for made in INITIALISERS}]
    if not own:
        return None
    text = with_blank_comments(language_of(path), decode(data)).split("\n")
    found: set[str] = set()
    for one in (*own, *inner):
        found.update(parameter_names(_source(text, one), one.name.rpartition(".")[2]))
    if not inner and any(one.kind in TYPES for one in own):
        lead = f"{name}."
        found.update(one.name.removeprefix(lead) for one in symbols if one.name.startswith(lead))
    return frozenset(found)


def parameter_value(path: str, data: bytes, parameter: Parameter) -> str | None:
    """The parameter's name while the callable of the file takes it; None when it does not."""
    names = taken(path, data, parameter.callable)
    return parameter.name if names is not None and parameter.name in names else None


_EMPTY = Outline("text", "text", "", "")


def _source(lines: list[str], symbol: Symbol) -> str:
    return "\n".join(lines[symbol.start - 1 : symbol.end])
