"""Arguments that a statement gives a callable by name, ``FastMCP(include_tags=...)``: watched as its parameters.

Each is bound only where the scope defines one callable of that name and it takes the argument by that name, so that it was
verified there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gitmem.drift.code_lines import is_code
from gitmem.drift.content.outline import Symbol
from gitmem.drift.parameter_keys import INITIALISERS, TYPES, parameter_key, taken
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_spans
from gitmem.model.watch import Watch, WatchKind

MOST_FILES = 60
_CALL = re.compile(
    r"(?<![\w$.])(?P<callable>[A-Za-z_$][\w$]*(?:\.[\w$]+)*)\((?P<given>[^()]*(?:\([^()]*\)[^()]*)*)\)"
)
_GIVEN = re.compile(r"(?:^|,)\s*(?P<name>[A-Za-z_$][\w$]*)\s*=(?!=)")


def said_arguments(text: str, view: TreeView, files: Sequence[str], banned: Iterable[int]) -> Iterator[Watch]:
    """Watches of the parameters that a statement's calls give by name.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        banned: Where prohibited names stand.
    """
    without = tuple(banned)
    for first, last, width in code_spans(text):
        if any(first <= at < last for at in without):
            continue
        for call in _CALL.finditer(text, first + width, last - width):
            given = [found["name"] for found in _GIVEN.finditer(call["given"])]
            if given:
                yield from _bound(call["callable"], given, view, files)


def _bound(name: str, given: Sequence[str], view: TreeView, files: Sequence[str]) -> Iterator[Watch]:
    bare, scope = name.rpartition(".")[2], frozenset(files)
    named = [one for one in view.files_with([bare]).get(bare, ()) if one in scope and is_code(one)]
    found = [(path, one.name) for path in named[:MOST_FILES] for one in _callables(name, path, view)]
    if len(found) != 1:
        return
    path, called = found[0]
    takes = taken(path, view.read(path) or b"", called, view.outline(path)) or frozenset()
    for one in dict.fromkeys(given):
        if one in takes:
            yield Watch(WatchKind.KEY, path=path, name=parameter_key(called, one))


def _callables(name: str, path: str, view: TreeView) -> Iterator[Symbol]:
    """What a file defines by a name, as it is written or as its last part; a method counts where its owner is written or not."""
    outline = view.outline(path)
    seen = set()
    for one in outline.symbols if outline is not None else ():
        same = (
            one.name == name
            or one.name.endswith(f".{name}")
            or ("." in name and one.name == name.rpartition(".")[2])
        )
        made = one.name.rpartition(".")[2] in INITIALISERS
        if same and not made and one.kind in {"function", "method", *TYPES} and one.name not in seen:
            seen.add(one.name)
            yield one
