"""Keys of which a statement states the value only in part: ``package.json#dependencies.next@15`` holds while it is a 15.

``package.json#dependencies@none`` holds while there are none. The stated part stands behind the last ``@`` of the key's name: a version as exact as the words give it, or a word. As
long as the value says it the key holds the stated part alone, so that 15.1 to 15.2 is no change; else its whole value.
"""

from __future__ import annotations

import re

from gitmem.drift.content.reading import key_value

_STATED = re.compile(r"(?P<key>.+)@(?P<stated>\d+(?:\.\d+)*|[a-z]{2,20})")
NONE = "none"
_EMPTY = frozenset({"{}", "[]", "null"})
_VERSION = re.compile(r"\d+(?:\.\d+)*")


def stated_value(path: str, data: bytes, name: str) -> str | None:
    """The value under a key as a mark holds it; None when the file has no such key."""
    value = key_value(path, data, name)
    parts = _STATED.fullmatch(name)
    if value is not None or parts is None:
        return value
    value = key_value(path, data, parts["key"])
    if parts["stated"] == NONE:
        return NONE if value is None or value in _EMPTY else value
    return parts["stated"] if value is not None and states(value, parts["stated"]) else value


def states(value: str, stated: str) -> bool:
    """Whether a value says a version, as exact as it is stated, or a word."""
    if not stated[0].isdigit():
        return re.search(rf"(?<!\w){re.escape(stated)}(?!\w)", value) is not None
    found = _VERSION.search(value)
    wanted = stated.split(".")
    return found is not None and found.group().split(".")[: len(wanted)] == wanted
