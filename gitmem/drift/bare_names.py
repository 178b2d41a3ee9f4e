"""Uses of names that a language gives to everybody: ``eval`` is used by ``eval(x)``, not by ``model.eval()``.

A prohibition of any other name is broken by it anywhere in code; these few are names of members all over, too.
"""

from __future__ import annotations

import builtins
import re
from functools import lru_cache

from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import decode, without_comments, without_strings

_SCRIPTS = frozenset({"javascript", "typescript", "tsx"})
_PYTHON = frozenset(name for name in dir(builtins) if name[0].islower())
_JAVASCRIPT = frozenset(
    [
        "alert",
        "clearInterval",
        "clearTimeout",
        "confirm",
        "decodeURI",
        "encodeURI",
        "escape",
        "eval",
        "fetch",
        "isFinite",
        "isNaN",
        "parseFloat",
        "parseInt",
        "prompt",
        "queueMicrotask",
        "require",
        "setImmediate",
        "setInterval",
        "setTimeout",
        "structuredClone",
        "unescape",
    ]
)
_OWNERS = r"(?:builtins|__builtins__|window|globalThis|global|self)\."
_IN_TYPE = re.compile(
    r"(?:[:<|&,]|=>|\bas\b|\bis\b|\bextends\b|\bkeyof\b|^[^\S\n]*(?:export\s+)?type\s[^=\n]*=)\s*any\b(?!\s*[(:?.])|\bany\[\]",
    re.MULTILINE,
)


def is_used_bare(name: str, path: str, data: bytes) -> bool | None:
    """Whether a file's code uses a name of the language; None where the name is none of them.

    Args:
        name: The name.
        path: The file, whose language decides.
        data: Its content, in which the name occurs.
    """
    language = language_of(path, data)
    if name == "any":
        return language in {"typescript", "tsx"} and _IN_TYPE.search(_code(language, data)) is not None
    given = _PYTHON if language == "python" else _JAVASCRIPT if language in _SCRIPTS else frozenset()
    return _pattern(name).search(_code(language, data)) is not None if name in given else None


def is_type_word(name: str) -> bool:
    """Whether a word that is no name of code elsewhere is one where a prohibition names it: ``any`` in TypeScript."""
    return name == "any"


def _code(language: str, data: bytes) -> str:
    return without_strings(language, without_comments(language, decode(data)))


@lru_cache(maxsize=64)
def _pattern(name: str) -> re.Pattern[str]:
    word = re.escape(name)
    return re.compile(
        rf"(?:(?<![\w$.])|(?<![\w$.]){_OWNERS}){word}(?![\w$])(?!\s*(?:=(?!=)|:(?!:)))(?<!\bdef\s{word})(?<!\bfunction\s{word})"
    )
