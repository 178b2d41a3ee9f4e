"""Texts as YAML scalars that every parser reads back as the same text, and plain data as readable YAML."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gitmem.errors import InvalidDataError

Plain = str | int | None | list["Plain"] | dict[str, "Plain"]
"""What is written: no floats; None is written as null, so leave an absent field out."""

_PLAIN = re.compile(r"[^\W_](?:[\w./@+~^*-]|:(?=[^\s:])| (?=[\w(])|(?<! )#|[()])*|[./][\w./+-]*[\w*/]")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?", re.ASCII)
_TYPED = re.compile(
    r"~|null|true|false|yes|no|on|off|y|n"
    r"|[-+]?(?:0b[01_]+|0o?[0-7_]+|0x[0-9a-f_]+"
    r"|[0-9][0-9_]*(?::[0-5]?[0-9])*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|\.[0-9_]+(?:e[-+]?[0-9]+)?|\.inf|\.nan)"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*",
    re.IGNORECASE | re.ASCII,
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def scalar(text: str) -> str:
    """The text as a one-line scalar, plain where no reader could take it for anything else, else in double quotes.

    Raises:
        InvalidDataError: A surrogate, which no YAML text can hold.
    """
    return text if is_plain(text) else quoted(text)


def is_plain(text: str) -> bool:
    """Whether the text may stand without quotes, in flow style too. Dates and times may, since gitmem writes those."""
    if _DATE.fullmatch(text):
        return True
    return (
        _PLAIN.fullmatch(text) is not None
        and _TYPED.fullmatch(text) is None
        and (text.isascii() or not any(_is_hidden(character) for character in text))
    )


def quoted(text: str) -> str:
    """The text in double quotes; what an eye cannot see is escaped."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if not _is_hidden(character):
        return character
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise InvalidDataError(
            f"the text holds U+{code:04X}, which YAML cannot", hint="quote the path as git does"
        )
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] == "C" or (category[0] == "Z" and character != " ")


def write_yaml(data: dict[str, Plain], flow_items: frozenset[str] = frozenset()) -> str:
    """A mapping as block YAML, two spaces a level.

    Args:
        data: What to write, in this order.
        flow_items: Fields whose items stand in flow style, one a line.
    """
    return "\n".join(_block(data, "", flow_items)) + "\n"


def _block(data: dict[str, Plain], indent: str, flow_items: frozenset[str]) -> Iterator[str]:
    for key, value in data.items():
        head = f"{indent}{scalar(key)}:"
        if isinstance(value, dict) and value:
            yield head
            yield from _block(value, f"{indent}  ", flow_items)
        elif isinstance(value, list) and value:
            yield head
            yield from (f"{indent}  - {_item(item, flow=key in flow_items)}" for item in value)
        elif isinstance(value, str) and _fits_block(value):
            yield f"{head} {'|' if value.endswith(chr(10)) else '|-'}"
            yield from (f"{indent}  {line}".rstrip() for line in value.rstrip("\n").split("\n"))
        else:
            yield f"{head} {write_flow(value)}"


def _item(item: Plain, *, flow: bool) -> str:
    text = write_flow(item)
    return text if flow or not isinstance(item, str) else scalar(item)


def write_flow(value: Plain) -> str:
    """The value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {write_flow(held)}" for key, held in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(write_flow(item) for item in value) + "]"
    if value is None:
        return "null"
    return str(value) if isinstance(value, int) else scalar(value)


def _fits_block(text: str) -> bool:
    """Whether a block scalar shows the text unchanged: several lines, nothing hidden, no space that an editor eats."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 2 or not lines[0].strip() or not lines[-1].strip() or lines[0].startswith(" "):
        return False
    return all(line == line.rstrip() and not any(_is_hidden(one) for one in line) for line in lines)
