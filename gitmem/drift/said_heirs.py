"""What a class of the scope is said to extend or implement: "`Cart` extends `BaseModel`", "`Cart` 는 `BaseModel` 을 상속한다".

The base must stand in the file of the one definition; it is watched there by name, so that a body that changes is no news, and a base
that the file has no more is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gitmem.drift.names import Names
from gitmem.drift.view import TreeView
from gitmem.model.watch import Watch, WatchKind

_NAME = r"\*{{0,3}}`?(?<![A-Za-z0-9_])(?P<{0}>[A-Z][A-Za-z0-9_]{{2,60}}+)(?:<[^`>]{{0,80}}>)?`?\*{{0,3}}"
_ENGLISH = re.compile(
    _NAME.format("heir")
    + r"\s+(?:class\s+)?(?:is\s+(?:an?\s+)?subclass\s+of|(?:directly\s+)?(?:extends|implements|subclasses|inherits(?:\s+from)?|derives\s+from|conforms\s+to|wraps))\s+"
    + r"(?:the\s+|an?\s+)?(?:[\w.-]+['’]s\s+)?"
    + _NAME.format("base")
)
_CJK = re.compile(
    _NAME.format("heir")
    + r"\s?(?:클래스)?(?:은|는|이|가|は|が)?\s?"
    + _NAME.format("base")
    + r"\s?(?:클래스|인터페이스|クラス)?(?:을|를|から|を)?\s?(?:상속|구현|확장|継承|実装|拡張)"
)
_CHINESE = re.compile(
    _NAME.format("heir") + r"\s?(?:继承|繼承|实现|實現|扩展)(?:自|了)?\s?" + _NAME.format("base")
)


def said_heirs(text: str, view: TreeView, files: Sequence[str], banned: Iterable[int]) -> Iterator[Watch]:
    """Watches of the bases that a statement tells of classes.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        banned: Where prohibited names stand.
    """
    without = tuple(banned)
    pairs = [
        (found["heir"], found["base"])
        for pattern in (_ENGLISH, _CJK, _CHINESE)
        for found in pattern.finditer(text)
        if not any(found.start() <= at < found.end() for at in without)
    ]
    names = Names(view, files, [heir for heir, _ in pairs]) if pairs else None
    for heir, base in dict.fromkeys(pairs):
        defined = names.definitions(heir, scope=True) if names is not None else []
        if len(defined) == 1 and base in view.code_words(defined[0][0]):
            inside = re.sub(r"([*?\[\]{}\\])", r"\\\1", defined[0][0])
            yield Watch(WatchKind.IDENT, name=base, inside=(inside,))
