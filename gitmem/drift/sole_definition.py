"""The one definition that a watched name has, and what became of it while the name is still mentioned.

A name lives on in strings, fallbacks and deprecation shims after what it named is gone (drift.md, "The steps" 7).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.interval import HeldSymbol, Interval
from gitmem.drift.places import is_test
from gitmem.drift.renames import find_definition
from gitmem.drift.seen import Seen, finding
from gitmem.drift.view import TreeView
from gitmem.model.validation import Mark
from gitmem.model.verdict import Finding, Verdict
from gitmem.model.watch import Watch, WatchKind

SEARCHED = 40
"""Files read for one name at most; a name in more is too common to have one definition."""
_PARSED = frozenset({"syntax", "leaves"})
_CALLABLE = frozenset({"function", "method", "constructor"})
_BROUGHT = re.compile(
    r"\s*(?:from|import|export|pub\s+use|use|using|include|require(?:_relative)?|extern|typealias|module\.exports)\b|#\s*include\b"
    r"|.*\b(?:require|import)\s*\("
)
"""A line that brings a name in from elsewhere or hands it on."""


def sole_definition(name: str, view: TreeView, places: Sequence[str]) -> tuple[str, Symbol] | None:
    """The only definition of a bare name in some files, those in tests aside; None when there are none or several."""
    if len(places) > SEARCHED:
        return None
    found = list(_definitions(name, view, places))
    chosen = [one for one in found if not is_test(one[0])] or found
    return chosen[0] if len(chosen) == 1 else None


def _definitions(name: str, view: TreeView, places: Iterable[str]) -> Iterator[tuple[str, Symbol]]:
    for path in places:
        for symbol in _symbols(view.outline(path)):
            if symbol.name.rpartition(".")[2] == name and symbol.kind != "import":
                yield path, symbol


def _symbols(outline: Outline | None) -> tuple[Symbol, ...]:
    return outline.symbols if outline is not None and outline.level in _PARSED else ()


class Defined:
    """The definition of a watched name at the baseline.

    Args:
        path: Its file.
        name: Its dotted name.
        held: Its digests.
        kind: What it was; None when the old tree is not here.
    """

    __slots__ = ("held", "kind", "name", "path")

    def __init__(self, path: str, name: str, held: HeldSymbol, kind: str | None) -> None:
        self.path = path
        self.name = name
        self.held = held
        self.kind = kind


def defined_then(mark: Mark, interval: Interval) -> Defined | None:
    """The definition that a mark of a name tells of; in one made before marks did, as the old tree has it."""
    then = interval.then
    if mark.uses:
        path, _, name = mark.uses[0][0].partition("#")
        symbol = _named(then.outline(path), name) if then is not None and path in then.paths() else None
        if symbol is None:
            lines = mark.at[1] - mark.at[0] + 1 if mark.at else 1
            return Defined(path, name, HeldSymbol(mark.sig or "", mark.body, lines, mark.core), None)
        return _defined(path, symbol)
    if then is None:
        return None
    found = sole_definition(mark.watch.name or "", then, [path for path, _ in mark.sample])
    return _defined(*found) if found is not None else None


def _defined(path: str, symbol: Symbol) -> Defined:
    lines = symbol.end - symbol.start + 1
    return Defined(path, symbol.name, HeldSymbol(symbol.digest, symbol.body, lines, symbol.core), symbol.kind)


def _named(outline: Outline | None, name: str) -> Symbol | None:
    return next((one for one in _symbols(outline) if one.name == name), None)


def renamed(mark: Mark, defined: Defined | None, interval: Interval) -> Seen | None:
    """A watched name whose definition has another one now, its content equal; None when it is not found."""
    if defined is None:
        return None
    found = find_definition(defined.path, defined.name, defined.held, interval)
    if found is None:
        return None
    (place, symbol), name = found, mark.watch.name or ""
    new = symbol.name.rpartition(".")[2]
    if new == name:
        return Seen((finding(mark, Verdict.RELOCATED, f"{name} moved to {place}", new_path=place),))
    reason = f"{name} is now called {new} in {place}, its body equal"
    target = Watch(WatchKind.IDENT, name=new)
    return Seen((finding(mark, Verdict.RELOCATED, reason, new_path=place),), moved=target)


def undefined(mark: Mark, defined: Defined, places: Sequence[str], interval: Interval) -> Seen | None:
    """What became of the definition of a name that still occurs; None when it stands, or nothing sure can be said."""
    path, name, now = defined.path, mark.watch.name or "", interval.now
    if path in now.paths():
        outline = now.outline(path)
        here = [one for one in _symbols(outline) if one.name.rpartition(".")[2] == name]
        if here or outline is None or outline.level != "syntax":
            return _another_kind(mark, defined, here)
    if (found := renamed(mark, defined, interval)) is not None:
        return found
    if (
        len(places) > SEARCHED
        or _is_defined_anew(name, places, interval)
        or _is_brought(name, now.read(path))
    ):
        return None
    reason = f"{name} is no longer defined in {path}, though {_mentioned(places)} it"
    return Seen((_at(mark, path, reason),))


def _is_defined_anew(name: str, places: Sequence[str], interval: Interval) -> bool:
    """Whether a definition with other content is new somewhere; as far as is known when the old tree is missing."""
    found = _definitions(name, interval.now, places)
    return any(not is_test(path) and not interval.stood_there(path, symbol.name) for path, symbol in found)


def scattered_definitions_left(mark: Mark, name: str, places: Sequence[str], interval: Interval) -> bool:
    """Whether a name had several definitions in scope, has none there now, and nothing new elsewhere defines it.

    Methods of one name in many classes are what a statement on them speaks of; namesakes that other code calls do not
    keep them alive. That no file of the scope has the name any more is told by the caller.

    Args:
        mark: The name at the baseline; its sample begins with the files of the scope.
        name: The name.
        places: Files that have the name now.
        interval: Baseline to judged tree.
    """
    if interval.then is None or len(places) > SEARCHED:
        return False
    inside = [path for path, _ in mark.sample[: mark.counts[0]]]
    held = sum(one.kind in _CALLABLE for _, one in _definitions(name, interval.then, inside))
    return held > 1 and not _is_defined_anew(name, places, interval)


def _mentioned(places: Sequence[str]) -> str:
    more = f" and {len(places) - 1} more still mention" if len(places) > 1 else " still mentions"
    return f"{places[0]}{more}"


def _another_kind(mark: Mark, defined: Defined, here: Sequence[Symbol]) -> Seen | None:
    """A value that became a function is another thing under the same name."""
    was_value = defined.kind in {"constant", "variable"}
    if not was_value or not here or any(one.kind not in _CALLABLE for one in here):
        return None
    reason = f"{mark.watch.name} was a {defined.kind} in {defined.path}, and is a {here[0].kind} now"
    return Seen((_at(mark, defined.path, reason),))


def _at(mark: Mark, path: str, reason: str) -> Finding:
    return replace(finding(mark, Verdict.CHANGED, reason), path=path)


def _is_brought(name: str, data: bytes | None) -> bool:
    """Whether a file brings the name in from elsewhere: on a line that does, or on one of a list by itself."""
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    alone = re.compile(
        rf"\s*(?:type\s+)?(?:\w+\s+as\s+)?{re.escape(name)}(?:\s+as\s+\w+)?\s*[,}})]*\s*(?:[#/].*)?"
    )
    lines = (data or b"").decode("utf-8", "replace").splitlines()
    return any(word.search(line) and (_BROUGHT.match(line) or alone.fullmatch(line)) for line in lines)
