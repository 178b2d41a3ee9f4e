"""Names that occur in a file's code, for asking whether an identifier is still alive."""

from __future__ import annotations

import re
from functools import lru_cache

from gitmem.drift.content import language as languages
from gitmem.drift.content.leaves import decode, without_comments, without_strings

_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]+")
# A chain of words joined by single - . / : or ::, perhaps with a leading @ or digits inside: next-auth/react, a::b.
_COMPOUND = re.compile(r"(?<![@\w$])[@\w$]++(?:(?:[-./]|::?|->)[\w$]++)+")
_JOINT = re.compile(r"([./]|::?|->)")
# More parts than a name has; a longer chain is data.
_MAX_PARTS = 12
_MAX_CHARACTERS = 200


def code_words(path: str, data: bytes) -> frozenset[str]:
    """Every name in the file's code; see `gitmem.drift.content.reading.code_words`."""
    language = languages.language_of(path, data)
    if language == "prose" or languages.is_lock(path) or b"\0" in data[:8000]:
        return frozenset()
    return _names(without_comments(language, decode(data)))


_WITH_STRINGS = frozenset(
    [
        "python",
        "typescript",
        "tsx",
        "javascript",
        "go",
        "rust",
        "java",
        "swift",
        "kotlin",
        "scala",
        "groovy",
        "dart",
        "csharp",
        "c",
        "cpp",
        "objc",
        "zig",
        "php",
        "ruby",
        "lua",
        "haskell",
        "elixir",
    ]
)
"""Languages in which a string is text; in others (settings, shell, styles) names stand in quotes, too."""


@lru_cache(maxsize=256)
def code_names(path: str, data: bytes) -> frozenset[str]:
    """The same without what strings say; in settings and the like what `code_words` gives."""
    language = languages.language_of(path)
    if language not in _WITH_STRINGS:
        return code_words(path, data)
    if b"\0" in data[:8000]:
        return frozenset()
    text = decode(data)
    return _names(without_strings(language, without_comments(language, text)))


def _names(text: str) -> frozenset[str]:
    found = set(_WORD.findall(text))
    found.update([word[1:] for word in found if word[0] == "$" and len(word) > 1])
    for chain in set(_COMPOUND.findall(text)):
        if len(chain) <= _MAX_CHARACTERS:
            found.update(_compounds(chain))
    found.discard("")
    return frozenset(found)


def _compounds(chain: str) -> list[str]:
    """The chain, its kebab-case parts, its beginnings and its ends: ``a-b/c/d`` holds a-b, a-b/c and c/d, too."""
    pieces = _JOINT.split(chain)
    parts = len(pieces) // 2 + 1
    if parts == 1:
        return [chain]
    if parts > _MAX_PARTS:
        return pieces[::2]
    found = [chain, *pieces[::2]]
    if chain[0] == "@":
        found.append(chain[1:])
    for cut in range(1, parts):
        found.append("".join(pieces[: 2 * cut + 1]))
        found.append("".join(pieces[2 * cut :]))
    return found
