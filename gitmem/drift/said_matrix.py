"""Versions that CI is said to run on, bound to the key of a CI file that holds them.

"CI runs on Python 3.10 and 3.11" says nothing of ``requires-python``: it speaks of the matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gitmem.drift.content.language import language_of
from gitmem.drift.content.reading import key_names, key_value
from gitmem.drift.declared import folded
from gitmem.drift.sentences import sentence_around
from gitmem.drift.steps import is_step_file
from gitmem.drift.view import TreeView
from gitmem.drift.words import Token
from gitmem.model.watch import Watch, WatchKind

MOST_KEYS = 3
_FAR = 120
_OF_CI = re.compile(
    r"(?<![A-Za-z])CI(?![A-Za-z])|(?i:\bmatrix\b|\bworkflows?\b|\bgithub actions\b|\btested\s+(?:on|against|with|under)\b)|매트릭스|워크플로|マトリ(?:ック|)ス|矩阵|矩陣"
)


def matrix_keys(text: str, token: Token, versions: Sequence[str], view: TreeView) -> list[Watch]:
    """Keys of CI files that hold the versions which a sentence on CI tells of a tool; none when it speaks of something else.

    Args:
        text: The statement.
        token: The tool in it.
        versions: Those that it tells.
        view: The tree.
    """
    told = [one for one in versions if one]
    if not told or _OF_CI.search(_sentence(text, token)) is None:
        return []
    found = list(_holding(token.text, told, view))
    own = [one for one in found if one[1].rpartition(".")[2] != "matrix"] or found
    watches = [
        Watch(WatchKind.KEY, path=path, name=name)
        for path, key, value in own
        for name in _named(key, value, told)
    ]
    return watches if len(own) <= MOST_KEYS else []


def _sentence(text: str, token: Token) -> str:
    first, last = sentence_around(text, token.start, token.end)
    return text[max(first, token.start - _FAR) : min(last, token.end + _FAR)]


def _holding(tool: str, told: Sequence[str], view: TreeView) -> Iterator[tuple[str, str, str]]:
    """Path, key and value of each key called as the tool, and of each whole matrix, that holds all the versions."""
    plain = folded(tool).removesuffix("js")
    for path in view.paths():
        if not is_step_file(path) or language_of(path) != "yaml":
            continue
        data = view.read(path) or b""
        for key in key_names(path, data):
            last = folded(key.rpartition(".")[2])
            if not (last.startswith(plain) or last == "matrix"):
                continue
            value = key_value(path, data, key) or ""
            called = last != "matrix" or plain in folded(value)
            if called and all(_holds(value, one) for one in told):
                yield path, key, value


def _holds(value: str, version: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(version)}(?!\d|\.\d)", value) is not None


def _named(key: str, value: str, told: Sequence[str]) -> Iterator[str]:
    """The whole value where it is what is told and no more, else each version in it."""
    if value.count(",") < len(told) or key.endswith("matrix"):
        yield key
    else:
        yield from (f"{key}@{one}" for one in told)
