"""What a watch names and a tree does not have, in words, with the nearest that it does have.

Lint, capture and the verdict `unknown` say the same of the same watch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from gitmem.drift.content.coarse import missing_parser
from gitmem.drift.content.reading import key_names
from gitmem.drift.marks import capture_mark
from gitmem.drift.names import Names
from gitmem.drift.places import Places
from gitmem.drift.view import TreeView
from gitmem.model.validation import is_resolved
from gitmem.model.watch import Polarity, Watch, WatchKind

_ALIKE = 0.7
_FILES = 50


def absence(watch: Watch, view: TreeView, scope: Sequence[str]) -> str | None:
    """Why a watch finds nothing in a tree; None when it finds its target, or prohibits one.

    Args:
        watch: The watch.
        view: The tree.
        scope: Files of it that the memory's scope matches.
    """
    if watch.polarity is Polarity.PROHIBITS or is_resolved(capture_mark(watch, view, scope, with_uses=False)):
        return None
    path, _, inner = (watch.path or "").partition("#")
    name = watch.name or inner
    if path and path.rstrip("/") not in view.paths() and not view.is_folder(path.rstrip("/")):
        return f"{path} does not exist{_meant(Places(view, (), scope, None).nearest(path))}"
    language = missing_parser(path) if path else None
    if language is not None and name:
        return f"{name} could not be looked for: {language} has no parser here"
    return _WORDS[watch.kind](watch, path, name, view, scope)


def _in_file(watch: Watch, path: str, name: str, view: TreeView, scope: Sequence[str]) -> str:
    del watch, scope
    outline = view.outline(path)
    names = [one.name for one in outline.symbols] if outline is not None else []
    return f"{path} defines no {name}{_meant(_closest(name, names))}"


def _key(watch: Watch, path: str, name: str, view: TreeView, scope: Sequence[str]) -> str:
    del watch, scope
    data = view.read(path)
    names = key_names(path, data) if data is not None else ()
    return f"{path} has no key {name}{_meant(_closest(name, names))}"


def _lines(watch: Watch, path: str, name: str, view: TreeView, scope: Sequence[str]) -> str:
    del name, scope
    if watch.quote is not None:
        return f"{path} has no such lines as are quoted"
    count = len((view.read(path) or b"").splitlines())
    return f"{path} ends at line {count}"


def _name(watch: Watch, path: str, name: str, view: TreeView, scope: Sequence[str]) -> str:
    del path
    if watch.kind is WatchKind.IMPORT:
        return f"nothing imports {name}"
    nearest = Names(view, scope, [name]).nearest(name) or _closest(name, _defined(view, scope))
    return f"{name} is nowhere in code{_meant(nearest)}"


def _defined(view: TreeView, scope: Sequence[str]) -> list[str]:
    outlines = [outline for path in scope[:_FILES] if (outline := view.outline(path)) is not None]
    return sorted({one.name.rpartition(".")[2] for outline in outlines for one in outline.symbols})


def _whole(watch: Watch, path: str, name: str, view: TreeView, scope: Sequence[str]) -> str:
    if watch.kind is WatchKind.VERIFIER and name:
        return _in_file(watch, path, name, view, scope)
    return f"{path} cannot be read as a file"


_WORDS = {
    WatchKind.SYMBOL: _in_file,
    WatchKind.KEY: _key,
    WatchKind.LINES: _lines,
    WatchKind.IDENT: _name,
    WatchKind.IMPORT: _name,
    WatchKind.PATH: _whole,
    WatchKind.FILE: _whole,
    WatchKind.VERIFIER: _whole,
}


def _closest(name: str, names: Iterable[str]) -> str | None:
    """The whole name most like one that is missing; its last part may be what is alike."""
    known = list(names)
    whole = get_close_matches(name, known, 1, _ALIKE)
    if whole:
        return whole[0]
    by_last = {one.rpartition(".")[2]: one for one in known}
    last = get_close_matches(name.rpartition(".")[2], by_last, 1, _ALIKE)
    return by_last[last[0]] if last else None


def _meant(nearest: str | None) -> str:
    return f" – did you mean {nearest}?" if nearest else ""
