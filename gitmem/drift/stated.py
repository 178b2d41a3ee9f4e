"""Keys of which a statement states the value only in part: ``package.json#dependencies.next@15`` holds while it is a 15.

``package.json#dependencies@none`` holds while there are none, ``mise.toml#tasks@any`` while there are some. The stated part stands behind the last ``@`` of the key's name: a version as exact as the words give it, or a word. As
long as the value says it the key holds the stated part alone, so that 15.1 to 15.2 is no change; else its whole value.
"""

from __future__ import annotations

import re

from gitmem.drift.content.reading import key_value
from gitmem.drift.parameter_keys import parameter_value, parse_parameter
from gitmem.drift.steps import parse_step, step_value
from gitmem.drift.toolchains import written_value

_STATED = re.compile(r"(?P<key>.+)@(?P<stated>\d+(?:\.\d+)*|[A-Za-z_][\w:-]{1,40})")
NONE = "none"
ANY = "any"
_EMPTY = frozenset({"{}", "[]", "null"})
_VERSION = re.compile(r"\d+(?:\.\d+)*")


def stated_value(path: str, data: bytes, name: str) -> str | None:
    """The value under a key as a mark holds it; None when the file has no such key."""
    if (step := parse_step(name)) is not None:
        return step_value(path, data, step)
    value = _plain_value(path, data, name)
    if value is None and (parameter := parse_parameter(name)) is not None:
        return parameter_value(path, data, parameter)
    parts = _STATED.fullmatch(name)
    if value is not None or parts is None:
        return value
    value = _plain_value(path, data, parts["key"])
    if parts["stated"] == NONE:
        return NONE if value is None or value in _EMPTY else value
    if parts["stated"] == ANY:
        return ANY if value is not None and value not in _EMPTY else None
    return parts["stated"] if value is not None and states(value, parts["stated"]) else value


def _plain_value(path: str, data: bytes, key: str) -> str | None:
    value = key_value(path, data, key)
    return value if value is not None else written_value(path, data, key)


def stated_part(name: str) -> str:
    """What a key's name says of its value: ``15`` of ``dependencies.next@15``; empty when it says nothing."""
    parts = _STATED.fullmatch(name) if parse_step(name) is None else None
    return parts["stated"] if parts is not None else ""


def states(value: str, stated: str) -> bool:
    """Whether a value, one of its alternatives or of a list, says a version, as exact as it is stated, or a word."""
    if not stated[0].isdigit():
        return re.search(rf"(?<!\w){re.escape(stated)}(?!\w)", value) is not None
    wanted = stated.split(".")
    alternatives = value.split(",") if value.startswith("[") else value.split("||")
    several = (_VERSION.search(one) for one in alternatives)
    return any(found is not None and found.group().split(".")[: len(wanted)] == wanted for found in several)


_SPELLED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SWITCHED = r"\b(?:is|are|be|stays?|turned|switched|set to|default(?:s)? to)\s+`?"
_WORDS_OF = {
    "true": rf"\b(?:true|enable[sd]?)\b|{_SWITCHED}on\b|켜|활성|참|有効|启用|開啟",
    "false": rf"\b(?:false|disable[sd]?)\b|{_SWITCHED}off\b|끄|꺼|비활성|거짓|無効|禁用|关闭",
}
_TELLING = re.compile(r"(?<![\w.-])\d")


def tells(text: str, value: str) -> bool:
    """Whether a statement tells this value, canonical JSON text, in its own words; a list or table is never told."""
    plain = value.strip('"').removeprefix("=").lower()
    if not plain or value[0] in "[{":
        return False
    if plain in _WORDS_OF:
        return re.search(_WORDS_OF[plain], text, re.IGNORECASE) is not None
    forms = {plain, re.sub(r"(?<=\d)[_,](?=\d)", "", plain)}
    if plain.isdecimal():
        forms |= {f"{int(plain):,}", f"{int(plain):_}"} | set(_SPELLED[int(plain) : int(plain) + 1])
    words = "|".join(map(re.escape, sorted(forms)))
    # A unit may follow a number, as may a particle any word.
    return re.search(rf"(?<![a-z\d_.])(?:{words})(?![\d_]|[.,]\d|(?<=[a-z])[a-z])", text.lower()) is not None


def is_about_value(text: str, value: str) -> bool:
    """Whether a statement is about the value that a setting has, right or wrong, or the setting is a list or table."""
    items = [one for one in re.split(r'[\s,"]+|\\n', value) if len(one) > 2]
    return (
        value[:1] in {"[", "{"}
        or _TELLING.search(text) is not None
        or any(tells(text, one) for one in (value, *items))
    )
