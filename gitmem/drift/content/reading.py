"""The front door of reading files for drift: what a file holds, how two contents differ, keys, words, lines.

All functions are pure in (path, bytes) and never raise on any bytes. Levels, finest first:

| level | for | ignores |
|---|---|---|
| syntax | Python; other languages with a grammar | formatting, comments, docstrings, quote style, trailing commas |
| value | JSON, TOML, YAML, INI, dotenv, properties, Makefile, justfile, Dockerfile, go.mod, requirements | all but the value; key order, too |
| leaves | files that do not parse; languages without a grammar but with a known comment style | comments, white space |
| text | everything else; files over MAX_BYTES; a grammar that is not installed | white space |

Digests begin with the first letter of their level: those of different levels do not compare (`difference.comparable`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gitmem.drift.content import grammar, leaves, python_lines, python_source, syntax, tape, values, words
from gitmem.drift.content import language as languages
from gitmem.drift.content.difference import Comparison, Difference, of_outlines
from gitmem.drift.content.outline import Level, Outline
from gitmem.drift.content.plain_value import UnreadableError
from gitmem.drift.content.text import line_share, text_digest

__all__ = [
    "code_names",
    "code_words",
    "compare",
    "is_binary",
    "key_names",
    "key_value",
    "line_share",
    "outline",
    "plain_value",
]

MAX_BYTES = 1024 * 1024
_BINARY_HEAD = 8_000
_ORDER: dict[str, int] = {"syntax": 0, "value": 0, "leaves": 1, "text": 2}


def is_binary(data: bytes) -> bool:
    """As git tells: a NUL in the first 8,000 bytes."""
    return b"\0" in data[:_BINARY_HEAD]


def outline(path: str, data: bytes) -> Outline | None:
    """Parse one file at the finest level that its language, size and content allow; None for binary content."""
    if is_binary(data):
        return None
    language = languages.language_of(path, data)
    if len(data) > MAX_BYTES:
        return _by_text(language, data, "compared by white space: larger than 1 MiB")
    if language == "python":
        return _python(data)
    if language in values.LANGUAGES:
        return _by_value(language, data)
    if language in grammar.LANGUAGES:
        return _by_syntax(language, data)
    if language in leaves.FREE_FORM:
        return _by_leaves(language, data, None)
    if language in leaves.COMMENTED:
        return _uncommented(language, data)
    return _by_text(language, data, None)


def compare(path: str, old: bytes, new: bytes) -> Comparison:
    """How the file's content changed, judged at the finest level that both sides allow."""
    if old == new:
        return Comparison(Difference.SAME, "text")
    before, after = outline(path, old), outline(path, new)
    if before is None or after is None:
        return Comparison(Difference.SUBSTANTIVE, "text", "binary content")
    if before.level != after.level or before.language != after.language:
        before, after = _coarsened(before, old, after, new)
    return Comparison(of_outlines(before, after), before.level, before.note or after.note)


def key_value(path: str, data: bytes, key: str) -> str | None:
    """Canonical JSON text of the value under a dotted key; None when it is absent or the file has no keys.

    JSON (comments and trailing commas tolerated), TOML, YAML, INI, Makefile (target or variable), go.mod and
    requirements files. Parts that hold a dot may be quoted (``scripts."a.b"``) or not: the longest match wins.
    """
    language, value = _value(path, data)
    try:
        return None if language is None else values.canonical(values.find(value, key), language)
    except (KeyError, UnreadableError, RecursionError):
        return None


def key_names(path: str, data: bytes) -> tuple[str, ...]:
    """Dotted names of the file's keys as `key_value` takes them; empty when the file has none."""
    language, value = _value(path, data)
    return () if language is None else values.names(value)


def plain_value(path: str, data: bytes) -> Any:
    """The whole value of a configuration file in dicts, lists and scalars; None when it has none that can be read."""
    return _value(path, data)[1]


def code_words(path: str, data: bytes) -> frozenset[str]:
    """Names that occur in the file's code and strings: words, and their dotted, slashed and kebab-case compounds.

    Comments and docstrings do not count; prose, lock files and binary content have none.
    """
    return words.code_words(path, data)


def code_names(path: str, data: bytes) -> frozenset[str]:
    """The same without what strings say; in settings and the like, where names stand in quotes, all of it."""
    return words.code_names(path, data)


@lru_cache(maxsize=16)
def _value(path: str, data: bytes) -> tuple[str | None, Any]:
    language = languages.language_of(path, data)
    if language not in values.LANGUAGES or is_binary(data) or len(data) > MAX_BYTES:
        return None, None
    try:
        return language, values.load(language, data)
    except UnreadableError:
        return None, None


def _python(data: bytes) -> Outline:
    written = python_source.tape(data)
    if written is None:
        note = "Python compared by token leaves: this Python does not parse the file"
        return _by_leaves("python", data, note)
    whole, core = tape.file_digests(written)
    return Outline("python", "syntax", whole, core, tape.symbols(written))


def _by_value(language: str, data: bytes) -> Outline:
    try:
        text = values.canonical(values.load(language, data), language)
    except UnreadableError as fault:
        note = f"{languages.title(language)} compared by white space: {fault}"
        return _by_text(language, data, note)
    found = tape.digest([text], "v")
    return Outline(language, "value", found, found)


def _by_syntax(language: str, data: bytes) -> Outline:
    try:
        parsed = syntax.parse(language, data)
    except grammar.MissingGrammarError as fault:
        return _by_text(language, data, str(fault))
    if parsed is None:
        return _by_leaves(
            language, data, f"{languages.title(language)} compared by token leaves: parsing failed"
        )
    symbols = tape.symbols(parsed.tape)
    if parsed.damaged:
        note = f"{languages.title(language)} compared by token leaves: the file has syntax errors"
        return _by_leaves(language, data, note, symbols)
    whole, core = tape.file_digests(parsed.tape)
    return Outline(language, "syntax", whole, core, symbols)


def _by_leaves(language: str, data: bytes, note: str | None, symbols: tuple[Any, ...] = ()) -> Outline:
    text = leaves.decode(data)
    found = tape.digest(leaves.leaves(language, text), "l")
    if language == "python":
        symbols = python_lines.symbols(text)
    return Outline(language, "leaves", found, found, symbols, note)


def _uncommented(language: str, data: bytes) -> Outline:
    words = leaves.without_comments(language, leaves.decode(data)).split()
    found = tape.digest(words, "l")
    return Outline(language, "leaves", found, found)


def _by_text(language: str, data: bytes, note: str | None) -> Outline:
    found = text_digest(data)
    return Outline(language, "text", found, found, (), note)


def _coarsened(before: Outline, old: bytes, after: Outline, new: bytes) -> tuple[Outline, Outline]:
    """Both at the coarser one's level."""
    coarser = before if _ORDER[before.level] >= _ORDER[after.level] else after
    level: Level = coarser.level
    if level == "leaves" and before.language == after.language:
        return (
            before if before.level == level else _by_leaves(before.language, old, None),
            after if after.level == level else _by_leaves(after.language, new, None),
        )
    note = coarser.note or "compared by white space: the language changed"
    return _by_text(before.language, old, note), _by_text(after.language, new, note)
