"""Which commits changed a watched thing, told apart from those that changed something else in its file.

For each commit that touched the file what is watched is compared before and after: a definition by its normalised
content, a key by its value, lines by which of them are there, a folder by what left it. A commit that changed none of
that is not named, however near it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.imported import imported_at, is_used, plain_target
from gitmem.drift.marks import fold_space
from gitmem.drift.stated import stated_part, stated_value
from gitmem.model.change import Change
from gitmem.model.verdict import Finding, Verdict
from gitmem.model.watch import Watch, WatchKind, parse_watch
from gitmem.usecases.contents import Contents

Held = Callable[[str, str], Hashable]
"""What a blob at a path holds of the watched thing; None when nothing."""


class Trace(NamedTuple):
    """How to tell the commits of one finding.

    Args:
        paths: Where the thing stood, and where it is now.
        held: What the two sides of a row at one of the paths are compared by; None when that does not count.
        leaves: Whether a commit counts by which something left the first path, or what lies below it.
    """

    paths: tuple[str, ...]
    held: Held | None
    leaves: bool = False


def trace_of(found: Finding, contents: Contents, quoted: Callable[[str], bytes | None]) -> Trace:
    """How the commits of a finding are told.

    Args:
        found: The finding.
        contents: Blobs and outlines.
        quoted: Content of a path at the baseline, where watched lines are read.
    """
    paths = tuple(dict.fromkeys(path for path in (found.path, found.new_path) if path))
    watch = watch_of(found)
    if watch is None or watch.kind is WatchKind.PATH:
        return Trace(paths, None if found.verdict is Verdict.GONE else _file_held(contents), leaves=True)
    return Trace(paths, _held(watch, contents, quoted))


def watch_of(found: Finding) -> Watch | None:
    """The watch of a finding; None when it has none, or none that can be read."""
    kind, _, target = (found.watch or "").partition(" ")
    try:
        return parse_watch(kind, target)
    except ValueError:
        return None


def _held(watch: Watch, contents: Contents, quoted: Callable[[str], bytes | None]) -> Held:
    name = watch.name or ""
    path, _, inner = (watch.path or "").partition("#")
    match watch.kind:
        case WatchKind.SYMBOL:
            return _SymbolHeld(name, contents)
        case WatchKind.VERIFIER if inner:
            return _SymbolHeld(inner, contents)
        case WatchKind.KEY:
            return lambda place, oid: _value(place, contents.blob(oid), name)
        case WatchKind.IMPORT:
            target = plain_target(name)
            return lambda place, oid: imported_at(target, place, contents.blob(oid)) is not None or None
        case WatchKind.IDENT if watch.is_prohibition:
            return lambda place, oid: _is_used(name, place, oid, contents) or None
        case WatchKind.IDENT:
            return lambda place, oid: name in contents.code_words(place, oid) or None
        case WatchKind.LINES if watch.lines is not None:
            first, last = watch.lines
            lines = (quoted(path) or b"").splitlines()[first - 1 : last]
            return _LinesHeld(lines, contents)
    return _file_held(contents)


def _value(path: str, data: bytes | None, name: str) -> Hashable:
    """What a key holds; of a stated part whether it still says so, since what else it says is nobody's doing."""
    value = stated_value(path, data, name) if data is not None else None
    stated = stated_part(name)
    return value if not stated or value is None else value == stated


def _is_used(name: str, path: str, oid: str, contents: Contents) -> bool:
    return is_used(
        name,
        path,
        contents.blob(oid),
        lambda place: contents.code_names(place, oid),
        lambda place: contents.code_words(place, oid),
    )


def _file_held(contents: Contents) -> Held:
    def held(path: str, oid: str) -> Hashable:
        outline = contents.outline(path, oid)
        return (outline.level, outline.digest) if outline is not None else oid

    return held


class _SymbolHeld:
    """The digest of a definition, parsed only where its text is not one that was met before."""

    def __init__(self, name: str, contents: Contents) -> None:
        self._name = name
        self._contents = contents
        self._known: dict[bytes, Hashable] = {}
        self._by_blob: dict[tuple[str, str], Hashable] = {}

    def __call__(self, path: str, oid: str) -> Hashable:
        key = (path, oid)
        if key not in self._by_blob:
            self._by_blob[key] = self._find(path, oid)
        return self._by_blob[key]

    def _find(self, path: str, oid: str) -> Hashable:
        data = self._contents.blob(oid)
        if data is None:
            return None
        around = b"\n" + data + b"\n"
        for text, digest in self._known.items():
            if around.count(text) == 1:
                return digest
        symbol = _symbol(self._contents.outline(path, oid), self._name)
        if symbol is None:
            return None
        span = b"\n".join(data.split(b"\n")[symbol.start - 1 : symbol.end])
        self._known[b"\n" + span + b"\n"] = symbol.digest
        return symbol.digest


def _symbol(outline: Outline | None, name: str) -> Symbol | None:
    if outline is None:
        return None
    exact = outline.symbol(name)
    if exact is not None:
        return exact
    bare = name.rpartition(".")[2]
    alike = [one for one in outline.symbols if one.name.rpartition(".")[2] == bare]
    return alike[0] if len(alike) == 1 else None


class _LinesHeld:
    """Which of some lines a blob has."""

    def __init__(self, lines: Iterable[bytes], contents: Contents) -> None:
        self._lines = [folded for line in lines if (folded := _folded(line))]
        self._contents = contents

    def __call__(self, _path: str, oid: str) -> Hashable:
        data = self._contents.blob(oid)
        have = {_folded(line) for line in data.splitlines()} if data is not None else set()
        return tuple(line in have for line in self._lines) if data is not None else None


def _folded(line: bytes) -> str:
    return fold_space(line.decode("utf-8", "replace"))


# rows
def rows_at(rows: Iterable[Change], paths: Sequence[str]) -> list[Change]:
    """The rows that touch one of the paths or something below it."""
    return [row for row in rows if is_at(row.old_path, paths) or is_at(row.new_path, paths)]


def is_at(name: str | None, paths: Iterable[str]) -> bool:
    """Whether a file is one of the paths or lies below one."""
    return name is not None and any(name == path or name.startswith(f"{path.rstrip('/')}/") for path in paths)


def blobs_of(rows: Iterable[Change]) -> list[str]:
    """Blobs on both sides of the rows."""
    return [oid for row in rows for oid in (row.old_oid, row.new_oid) if oid is not None]


def counts(trace: Trace, rows: Sequence[Change]) -> bool:
    """Whether the rows of one commit changed what is traced.

    Args:
        trace: How it is told.
        rows: Those of the commit that touch its paths.
    """
    if trace.leaves and any(_left(row, trace.paths[0]) for row in rows):
        return True
    if trace.held is None:
        return False
    exact = frozenset(trace.paths)
    before = {trace.held(row.old_path, row.old_oid) for row in rows if row.old_path in exact and row.old_oid}
    after = {trace.held(row.new_path, row.new_oid) for row in rows if row.new_path in exact and row.new_oid}
    return before - {None} != after - {None}


def _left(row: Change, path: str) -> bool:
    return is_at(row.old_path, (path,)) and not is_at(row.new_path, (path,))
