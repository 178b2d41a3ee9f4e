"""A method that left its class and that a base class gives it now: calls of it still reach a definition."""

from __future__ import annotations

import re

from gitmem.drift.content.leaves import decode
from gitmem.drift.content.outline import Symbol
from gitmem.drift.view import TreeView

_NAME = re.compile(r"(?<![\w.])(?:\w+\.)*([A-Z]\w+)")
_HEAD = re.compile(r"[^{]*")
_PYTHON_HEAD = re.compile(r"[^:]*")
_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
MOST_CLASSES = 12
"""Classes looked through; a longer line of ancestors tells nothing."""


def inherited(path: str, name: str, view: TreeView) -> tuple[str, Symbol] | None:
    """The file and the method of the nearest base class that a class has a method from.

    Args:
        path: The class's file.
        name: The method as ``Class.method``; it is not in the class itself.
        view: The judged tree.
    """
    owner, _, method = name.rpartition(".")
    waiting, seen = [(path, owner)] if owner else [], {owner}
    while waiting and len(seen) <= MOST_CLASSES:
        place, one = waiting.pop(0)
        for base in _bases(place, one, view):
            if base in seen:
                continue
            seen.add(base)
            found = _definition(base, view)
            if found is None:
                continue
            outline = view.outline(found)
            if outline is not None and (symbol := outline.symbol(f"{base}.{method}")) is not None:
                return found, symbol
            waiting.append((found, base))
    return None


def _bases(path: str, owner: str, view: TreeView) -> tuple[str, ...]:
    """The names of types in the head of a class, its own left out."""
    outline = view.outline(path)
    symbol = outline.symbol(owner) if outline is not None else None
    if symbol is None or symbol.kind != "class":
        return ()
    lines = decode(view.read(path) or b"").split("\n")[symbol.start - 1 : symbol.end]
    text = "\n".join(lines)
    at = re.search(rf"\bclass\s+{re.escape(owner.rpartition('.')[2])}\b", text)
    ends = _PYTHON_HEAD if path.endswith((".py", ".pyi")) else _HEAD
    head = ends.match(text, at.end()) if at is not None else None
    return tuple(_NAME.findall(_STRINGS.sub("", head[0]))) if head is not None else ()


def _definition(base: str, view: TreeView) -> str | None:
    """The one file that defines a class of that name; None where several do."""
    files = [
        path
        for path in view.files_with([base]).get(base, ())
        if (outline := view.outline(path)) is not None
        and any(one.name == base and one.kind == "class" for one in outline.symbols)
    ]
    return files[0] if len(files) == 1 else None
