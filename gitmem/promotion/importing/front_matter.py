"""The head of a rules file: ``description``, ``globs``, ``alwaysApply``, ``applyTo``, ``status`` and their like.

It looks like YAML and often is none (Cursor writes ``globs: *.ts``, which YAML takes for an alias), so it is read line by
line: ``key: value``, a list in brackets, or items below the key. Nothing else is understood, and nothing is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

_FENCE: Final = re.compile(r"---[ \t]*")
_KEY: Final = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)")
_ITEM: Final = re.compile(r"[ \t]*-[ \t]+(.*)")
_LONGEST: Final = 200
"""Lines; a rule line further down is a line across the page."""


class Head(NamedTuple):
    """The head of a file.

    Args:
        fields: Values by key in lower case, each a tuple of texts.
        lines: How many lines of the file it takes.
    """

    fields: Mapping[str, tuple[str, ...]]
    lines: int

    def text(self, key: str) -> str:
        """The value of a key as one text, lists joined by commas; empty when there is none."""
        return ",".join(self.fields.get(key.lower(), ()))

    def is_true(self, key: str) -> bool:
        return self.text(key).lower() in {"true", "yes"}


def read_head(lines: list[str]) -> Head:
    """The head that the lines of a file begin with; an empty one when they begin with none."""
    if not lines or not _FENCE.fullmatch(lines[0]):
        return Head({}, 0)
    end = next((at for at, line in enumerate(lines[1:_LONGEST], 1) if _FENCE.fullmatch(line)), None)
    if end is None:
        return Head({}, 0)
    fields: dict[str, tuple[str, ...]] = {}
    key = ""
    for line in lines[1:end]:
        found = _KEY.fullmatch(line.rstrip())
        item = _ITEM.fullmatch(line.rstrip())
        if found:
            key = found[1].lower()
            fields[key] = _values(found[2] or "")
        elif item and key:
            fields[key] = (*fields[key], _unquoted(item[1]))
    return Head(fields, end + 1)


def _values(written: str) -> tuple[str, ...]:
    written = written.strip()
    if written.startswith("[") and written.endswith("]") and "," in written + ",":
        return tuple(value for part in _parts(written[1:-1]) if (value := _unquoted(part)))
    return (_unquoted(written),) if written and written not in {"null", "~", "|", ">"} else ()


def _parts(listed: str) -> list[str]:
    """Cut at commas outside quotes and braces."""
    return re.findall(r"(?:\"[^\"]*\"|'[^']*'|\{[^}]*\}|[^,])+", listed)


def _unquoted(value: str) -> str:
    value = value.strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value
