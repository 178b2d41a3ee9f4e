"""A version of a dependency that must not come: "React 19 is not supported" holds while the manifest asks for another.

What is watched is the version that is asked for now, as exact as the one that is told.
"""

from __future__ import annotations

import re

from gitmem.drift.content.reading import key_value
from gitmem.drift.sentences import sentence_around
from gitmem.drift.stated import states
from gitmem.drift.tools import VERSIONED, Tools
from gitmem.drift.view import TreeView
from gitmem.drift.words import Token, TokenKind, versions_behind
from gitmem.model.watch import Watch, WatchKind

_NOT = re.compile(
    r"(?i)\b(?:not|never|no|cannot|unsupported|incompatible|avoid|break|breaks|broken|forbidden|prohibited|blocked)\b|n['’]t\b"
    r"|않|금지|못|안\s|말\s?것|마라|미지원|불가|ない|禁止|未対応|不|未|勿"
)
_VERSION = re.compile(r"\d+(?:\.\d+)*")
_KINDS = frozenset({TokenKind.PRODUCT, TokenKind.WORD, TokenKind.IDENTIFIER, TokenKind.MODULE})


def held_instead(text: str, token: Token, tools: Tools, view: TreeView) -> Watch | None:
    """The version of a dependency that a manifest asks for, where the words tell another that must not be.

    Args:
        text: The statement.
        token: The dependency in it.
        tools: The manifests.
        view: The tree.
    """
    tick = text.startswith("`", token.end)
    told = versions_behind(text, token.end + tick) if token.kind in _KINDS else ()
    if not told or _NOT.search(_sentence(text, token)) is None:
        return None
    dependency = tools.dependency(token.text)
    for path in tools.governing if dependency else ():
        for table in VERSIONED:
            value = key_value(path, view.read(path) or b"", f"{table}.{dependency}")
            found = _VERSION.search(value) if value is not None else None
            if value is not None and found is not None and not any(states(value, one) for one in told):
                held = ".".join(found.group().split(".")[: told[0].count(".") + 1])
                return Watch(WatchKind.KEY, path=path, name=f"{table}.{dependency}@{held}")
    return None


def _sentence(text: str, token: Token) -> str:
    first, last = sentence_around(text, token.start, token.end)
    return text[first:last]
