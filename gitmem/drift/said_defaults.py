"""Defaults that a statement tells without a setting's name: "the default model is `gpt-4.1`", "기본값은 `X`", "デフォルトは `X`".

The value must stand as a string of its own in a few lines of the scope's code: they are what gives it, and were verified. In
comments and docstrings it is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gitmem.drift.code_lines import CodeLines, lines_watch
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_spans, is_literal
from gitmem.model.watch import Watch

MOST_LINES = 2
"""Lines that have the value; of more none in particular gives the default."""
LEAST_LETTERS = 3
_VALUE = re.compile(r"[\"']?(?P<value>[A-Za-z0-9][\w./:@+-]{2,60})[\"']?")
_SPAN = "\ue000"
_LINKED = rf"\[?\*{{0,3}}{_SPAN}\*{{0,3}}(?:\]\([^)\s]*\))?"
_NEAR = rf"[^.。!?\n|;{_SPAN}]{{0,60}}?"
_AHEAD = re.compile(
    rf"(?i)(?:\bdefaults?\s+to\b|\bdefaults?\b(?:\s+[\w-]+){{0,4}}?\s*(?:\bis\b|\bare\b|[:：=])|\bby\s+default[,:]?(?:\s+(?:it|we|this))?(?:\s+(?:uses?|is|set\s+to))"
    rf"|\(\s*default\s*[:：]?|기본(?:값|\s?[^\s`]{{1,12}})?(?:은|는|이|가|으로|:|：)|デフォルト(?:の[^`。]{{1,12}})?(?:値)?(?:は|が|で|:|：)|既定(?:値)?(?:は|:|：)"
    rf"|(?:默认|預設|默認)(?:[^`。]{{0,8}}?)(?:为|為|是|使用|:|：)){_NEAR}(?P<value>{_LINKED})"
)
_BEHIND = re.compile(
    rf"(?i)(?P<value>{_LINKED})(?:\s*\(\s*(?:the\s+)?default\s*\)|\s+(?:is|as)\s+(?:the|our)\s+(?:[\w-]+\s+)?default\b|\s+by\s+default\b"
    rf"|\s?(?:이|가|를|을)?\s?기본(?:값|으로|이다|입니다)|\s?(?:が|を)\s?(?:デフォルト|既定)|\s?(?:为|為|是|作为)(?:默认|預設|默認))"
)


def said_defaults(text: str, view: TreeView, files: Sequence[str], banned: Iterable[int]) -> Iterator[Watch]:
    """Watches of the lines that give the defaults of a statement.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        banned: Where prohibited names stand.
    """
    without = tuple(banned)
    for value in dict.fromkeys(_told(text, without)):
        word = max(re.findall(r"[A-Za-z0-9_]+", value), key=len)
        whole = re.compile(rf"[\"'`]{re.escape(value)}[\"'`]")
        found = [line for line in CodeLines(view, files, [word]) if whole.search(line.code)]
        if len(found) <= MOST_LINES:
            yield from (lines_watch([line]) for line in found)


def _told(text: str, without: Sequence[int]) -> Iterator[str]:
    """The values that are told to be defaults; a code span stands as one letter, so that its words say nothing."""
    spans, parts, at = code_spans(text), [], 0
    for first, last, _ in spans:
        parts += [text[at:first], _SPAN]
        at = last
    plain = "".join([*parts, text[at:]])
    for pattern in (_AHEAD, _BEHIND):
        for found in pattern.finditer(plain):
            first, last, width = spans[
                plain.count(_SPAN, 0, found.start("value") + found["value"].index(_SPAN))
            ]
            value = _VALUE.fullmatch(text[first + width : last - width].strip())
            if (
                value is not None
                and not is_literal(value["value"])
                and not any(first <= one < last for one in without)
            ):
                yield value["value"]
