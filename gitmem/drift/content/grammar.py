"""Grammars: which languages have one, and parsing with it within bounds."""

from __future__ import annotations

import importlib
import re
import zlib
from functools import cache
from time import monotonic, process_time
from typing import Any, NamedTuple

from gitmem.drift.content.language import title
from gitmem.drift.content.shape import Shape
from gitmem.drift.content.shapes import SHAPES

LANGUAGES = frozenset(SHAPES)
_SECONDS = 0.2
_SECONDS_PER_BYTE = 1.5e-6
# Up to here even the worst input is soon done.
_SMALL = 1_000
_UNBALANCED = 64
# Ordinary source shrinks to a fourth, tables of numbers to a twentieth.
_MOST_REPETITIVE = 60
_RUN = re.compile(rb"([^\w\s*=/.~-])\1{1000}")
_CHUNK = 64 * 1024


class MissingGrammarError(Exception):
    """The language's wheel is not installed; the message is the note to show."""


class Tools(NamedTuple):
    """One language made ready: lookups by the grammar's kind number."""

    shape: Shape
    parser: Any
    node_class: type
    opening: dict[int, str]
    leaf: dict[int, str]
    numbers: dict[str, frozenset[int]]


@cache
def tools_of(language: str) -> Tools:
    shape = SHAPES[language]
    try:
        import tree_sitter

        grammar = tree_sitter.Language(getattr(importlib.import_module(shape.module), shape.entry)())
        parser = tree_sitter.Parser(grammar)
    except (ImportError, AttributeError, ValueError, OSError):
        note = f"{title(language)} compared by white space: install gitmem-ledger[full]"
        raise MissingGrammarError(note) from None
    opening: dict[int, str] = {}
    leaf: dict[int, str] = {}
    numbers: dict[str, set[int]] = {}
    for number in range(grammar.node_kind_count):
        kind = grammar.node_kind_for_id(number)
        if kind is None:
            continue
        if grammar.node_kind_is_named(number):
            numbers.setdefault(kind, set()).add(number)
            opening[number] = f"({kind}"
            leaf[number] = kind
        else:
            numbers.setdefault(f"'{kind}", set()).add(number)
            opening[number] = f"('{kind}"
    return Tools(
        shape,
        parser,
        tree_sitter.Node,
        opening,
        leaf,
        {kind: frozenset(found) for kind, found in numbers.items()},
    )


def is_installed(language: str) -> bool:
    """Whether the language's grammar can be used here."""
    try:
        tools_of(language)
    except MissingGrammarError:
        return False
    return True


def tree_of(parser: Any, source: bytes) -> Any:
    """The syntax tree, or None.

    On some broken input a grammar's error recovery takes quadratic time and memory (8 kB can need gigabytes), and
    now and then in one step that cannot be interrupted. So what no person or generator writes is not parsed at all,
    and the rest gets about ten times the processor time of an ordinary file of its size, and not more.
    """
    if len(source) > _SMALL and not _is_plausible(source):
        return None
    allowed = _SECONDS + _SECONDS_PER_BYTE * len(source)
    soonest, limit = monotonic() + allowed, process_time() + allowed

    def read(offset: int, _point: Any) -> bytes:
        return source[offset : offset + _CHUNK]

    def out_of_time(_offset: int, _damaged: bool) -> bool:  # noqa: FBT001 - the parser calls it so
        # asked at every step; processor time is slow to tell and never runs ahead of the clock
        return monotonic() > soonest and process_time() > limit

    try:
        return parser.parse(read, encoding="utf8", progress_callback=out_of_time)
    except (ValueError, MemoryError):
        parser.reset()
        return None


def _is_plausible(source: bytes) -> bool:
    """Whether the text may be source code: its brackets nearly balance, and it does not repeat a few bytes for ever."""
    if not _is_balanced(source) and not _is_balanced(_STRING.sub(b'""', source)):
        return False  # strings may hold any brackets: escape sequences of a terminal
    if source.count(b"<") > len(source) // 10 or _RUN.search(source):
        return False
    return len(zlib.compress(source, 1)) * _MOST_REPETITIVE > len(source)


_STRING = re.compile(rb'"(?:[^"\\\n]|\\.)*"')


def _is_balanced(source: bytes) -> bool:
    for opening, closing in (b"()", b"[]", b"{}"):
        opened, closed = source.count(opening), source.count(closing)
        if abs(opened - closed) > max(_UNBALANCED, (opened + closed) // 5):
            return False
    return True
