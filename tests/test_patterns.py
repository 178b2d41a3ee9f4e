"""The patterns that read words and code: what they cost grows with the length of a text, whatever stands in it.

Each pattern of the packages below is run, in the way in which its module runs it, over texts that repeat what patterns
stumble over: one character, a word, and the literals of the pattern itself.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # only the parser knows a pattern's literals
from re import _parser as parser  # type: ignore[attr-defined]  # as above
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import gitmem

PACKAGES = ("drift", "promotion", "recall", "redaction")
LENGTH = 1_200
WORTH_A_LOOK = 0.004
"""Seconds; a pattern that is quicker at `LENGTH` characters is not measured more closely."""
TIMES, GROWTH = 4, 9
"""So many times the text may take so many times as long; what is quadratic takes sixteen, what is linear four."""
CUT_FIRST = frozenset(
    {
        "gitmem.drift.content.defining._FORMS",
        "gitmem.drift.content.defining._SCRIPT",
        "gitmem.drift.derive._TREE_ROW",
        "gitmem.drift.placement._ASIDE",
        "gitmem.drift.placement._EDITED",
        "gitmem.drift.prohibition_words.JOINT",
        "gitmem.drift.words._LINK_TARGET",
    }
)
"""Patterns that see a stretch of bounded length alone."""
MATCHED = frozenset(
    {
        "gitmem.drift.prohibition_words.OPENING_CONDITION",
        "gitmem.drift.speaking._GO_IMPORT",
        "gitmem.drift.speaking._IMPORT",
    }
)
"""Patterns of another module or of an attribute that are tried at the beginning of a text alone."""
SEEDS = (
    *"a1가日A`,.-_/=#<[{(\\$'*+@\" \n\ufffc",
    *(" \n", "a ", "a, ", "`a` ", "a.", "a-", "a/", "Aa ", "a\n", "a=", "a: ", "가 ", "1.", "  a"),
    *("not ", "must not ", "the ", "a and ", "\ufffc ", "\ufffc,"),
)
_SCANS = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
_METHODS = _SCANS | {"match", "fullmatch"}


class Used(NamedTuple):
    """A pattern of a module, with the methods by which it is used there."""

    name: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(gitmem.__path__, "gitmem."):
        if found.name.split(".")[1] in PACKAGES:
            yield importlib.import_module(found.name)


def _used(module: ModuleType) -> Iterator[Used]:
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    named = [
        one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)
    ]
    calls = {(one.value.id, one.attr) for one in named if isinstance(one.value, ast.Name)}
    as_owner = Counter(one.value.id for one in named if isinstance(one.value, ast.Name))
    read = Counter(
        one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    )
    for name, value in vars(module).items():
        methods = frozenset(method for owner, method in calls if owner == name and method in _METHODS)
        is_plain = isinstance(value, re.Pattern) and bool(methods) and read[name] == as_owner[name]
        full = f"{module.__name__}.{name}"
        told = frozenset({"match"}) if full in MATCHED else methods if is_plain else methods | {"finditer"}
        for pattern in _inside(value):
            yield Used(full, pattern, told)


def _inside(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from _inside(tuple(value.values()))
    elif isinstance(value, (tuple, list, frozenset, set)):
        for one in value:
            yield from _inside(one)


def _literals(tree: Any, found: set[str]) -> None:
    """Runs of literal characters anywhere in a parsed pattern."""
    run = ""
    for code, value in tree:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        found.add(run)
        run = ""
        for inner in _branches(code, value):
            _literals(inner, found)
    found.add(run)


def _branches(code: Any, value: Any) -> list[Any]:
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        return [value[2]]
    if code in {codes.ASSERT, codes.ASSERT_NOT}:
        return [value[1]]
    return [value] if code is codes.ATOMIC_GROUP else []


def _seeds(pattern: re.Pattern[Any]) -> list[str]:
    found: set[str] = set()
    flags = pattern.flags if isinstance(pattern.pattern, str) else 0
    _literals(parser.parse(pattern.pattern, flags), found)
    own = sorted(found - {""}, key=lambda text: (-len(text), text))
    own = [*own[:6], *own[-4:]]
    return list(dict.fromkeys([*SEEDS, *own, *(f"{one} " for one in own[:3])]))


def _seconds(used: Used, seed: str, length: int) -> float:
    text: Any = (seed * (length // len(seed) + 1))[: length - 1] + "!"
    if isinstance(used.pattern.pattern, bytes):
        text = text.encode()
    before = time.process_time()
    if used.methods & _SCANS:
        for _ in used.pattern.finditer(text):
            pass
    if "match" in used.methods:
        used.pattern.match(text)
    if "fullmatch" in used.methods:
        used.pattern.fullmatch(text)
    return time.process_time() - before


def _growth(used: Used, seed: str) -> float:
    once, more = (min(_seconds(used, seed, length) for _ in range(5)) for length in (LENGTH, TIMES * LENGTH))
    return more / once


@pytest.mark.parametrize("package", PACKAGES)
def test_more_text_takes_as_much_longer(package: str) -> None:
    every = [
        used
        for module in _modules()
        if module.__name__.split(".")[1] == package
        for used in _used(module)
        if used.name not in CUT_FIRST
    ]
    assert len(every) > 5
    slow = [
        f"{used.name} on {seed!r}"
        for used in {(one.pattern, one.methods): one for one in every}.values()
        for seed in _seeds(used.pattern)
        if _seconds(used, seed, LENGTH) > WORTH_A_LOOK and min(_growth(used, seed) for _ in range(2)) > GROWTH
    ]
    assert not slow


def test_a_quadratic_pattern_would_be_seen() -> None:
    used = Used("", re.compile(r"[ac]*b"), frozenset({"search"}))
    assert _growth(used, "a") > GROWTH
