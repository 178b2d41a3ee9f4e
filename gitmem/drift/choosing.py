"""Which of several definitions of one name a statement means, as far as its words tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from posixpath import basename, dirname

from gitmem.drift.names import Definition
from gitmem.drift.words import Token

_FUNCTIONS = frozenset({"function", "method", "constructor"})
_KINDS = {
    "class": frozenset({"class", "struct", "interface"}),
    "struct": frozenset({"struct", "class"}),
    "enum": frozenset({"enum"}),
    "interface": frozenset({"interface", "protocol", "trait"}),
    "trait": frozenset({"trait", "interface"}),
    "type": frozenset({"type", "class", "struct", "interface", "enum"}),
    "function": _FUNCTIONS,
    "method": _FUNCTIONS,
    "helper": _FUNCTIONS,
    "hook": _FUNCTIONS,
    "constant": frozenset({"constant", "variable", "field"}),
    "field": frozenset({"field", "property", "constant"}),
}
_KOREAN = {
    "클래스": "class",
    "구조체": "struct",
    "열거형": "enum",
    "인터페이스": "interface",
    "트레이트": "trait",
    "타입": "type",
    "함수": "function",
    "메서드": "method",
    "메소드": "method",
    "헬퍼": "helper",
    "훅": "hook",
    "상수": "constant",
    "필드": "field",
}
_ENGLISH = "|".join(_KINDS)
_BEHIND = re.compile(rf"(?i)(?:\(\))?`?\**\s+(?P<noun>{_ENGLISH})(?:e?s)?\b")
_BEHIND_KOREAN = re.compile(rf"(?:\(\))?`?\s?(?P<noun>{'|'.join(_KOREAN)})")
_AHEAD = re.compile(rf"(?i)\b(?P<noun>{_ENGLISH})(?:e?s)?\s+`?$|(?P<korean>{'|'.join(_KOREAN)})(?:인)?\s+`?$")


def chosen(text: str, token: Token, found: Sequence[Definition], names: Iterable[str]) -> list[Definition]:
    """The definitions that are meant; all of them when nothing tells.

    Args:
        text: The statement.
        token: The name in it.
        found: Its definitions.
        names: Last parts of the other names in the statement.
    """
    left, beside = list(found), frozenset(names) - {token.last}
    kinds = _said_kinds(text, token)
    tests: list[Callable[[Definition], bool]] = [
        lambda one: one[1].kind in kinds,
        lambda one: one[1].name.rpartition(".")[0].rpartition(".")[2] in beside,
        lambda one: not beside.isdisjoint(_words_of_path(one[0])),
        lambda one: "." not in one[1].name and _stem(one[0]) == token.last,
    ]
    for test in tests:
        if len(left) > 1:
            left = [one for one in left if test(one)] or left
    return left


def _said_kinds(text: str, token: Token) -> frozenset[str]:
    """Kinds of what a word beside the name says: "the `retry` method", "`retry` 함수"."""
    ahead, behind = text[max(0, token.start - 24) : token.start], text[token.end : token.end + 24]
    if found := _BEHIND.match(behind):
        return _KINDS[found["noun"].lower()]
    if found := _BEHIND_KOREAN.match(behind):
        return _KINDS[_KOREAN[found["noun"]]]
    if found := _AHEAD.search(ahead):
        return _KINDS[_KOREAN[found["korean"]] if found["korean"] else found["noun"].lower()]
    return frozenset()


def _words_of_path(path: str) -> frozenset[str]:
    return frozenset((_stem(path), *dirname(path).split("/")))


def _stem(path: str) -> str:
    return basename(path).partition(".")[0]
