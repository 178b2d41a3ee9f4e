"""Marks: what each watch of a memory holds in one state of the code.

A mark is made at validation and stored (drift.md, "The validation and its baseline"). Where the baseline's tree is in
this clone marks are made anew from it, so that both sides are read by the same parser; stored digests decide only
where it is not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from posixpath import dirname

from gitmem.drift.area import area
from gitmem.drift.barrels import is_barrel
from gitmem.drift.content.defining import may_define
from gitmem.drift.content.outline import DECLARATION, Outline, Symbol
from gitmem.drift.exclusions import is_rules_file
from gitmem.drift.imported import occurrences
from gitmem.drift.manifests import declared_names, is_manifest
from gitmem.drift.once import once
from gitmem.drift.sketch import sketch_at
from gitmem.drift.sole_definition import sole_definition
from gitmem.drift.stated import stated_value
from gitmem.drift.steps import parse_step, places_of_step
from gitmem.drift.view import TreeView
from gitmem.model.validation import Mark
from gitmem.model.watch import Watch, WatchKind

SIG_LENGTH = 16
"""Hex digits of a digest kept in a mark: 64 bits, enough between versions of one definition."""
SAMPLE = 64
USES = 8
COMMON_NAME = 20
"""A name found in more files than this is too common to be resolved to one definition."""


def capture(watches: Iterable[Watch], view: TreeView, scope: Sequence[str]) -> tuple[Mark, ...]:
    """What each watch holds in this state.

    Args:
        watches: The memory's watches.
        view: The state of the code.
        scope: The files of it that the memory's scope matches.
    """
    return tuple(capture_mark(watch, view, scope) for watch in watches)


def capture_mark(watch: Watch, view: TreeView, scope: Sequence[str], *, with_uses: bool = True) -> Mark:
    """What one watch holds; a mark without `blob`, `sig` and `counts` when its target is not there.

    Args:
        watch: The watch.
        view: The state of the code.
        scope: The files of it that the memory's scope matches.
        with_uses: Whether to look beyond its file: for what a symbol uses, for files that are like a whole one.
    """
    if watch.kind is WatchKind.IMPORT or watch.is_prohibition:
        return _occurrence_mark(watch, view, scope)
    if watch.kind is WatchKind.IDENT:
        return _ident_mark(watch, view, scope)
    if watch.kind is WatchKind.SYMBOL and not with_uses:
        return _bare_symbol_mark(watch, view)
    mark = _CAPTURE[watch.kind](watch, view)
    is_file = watch.kind in _WHOLE_FILES and mark.blob is not None and watch.path in view.paths()
    return replace(mark, sketch=sketch_at(watch.path or "", view)) if is_file and with_uses else mark


_WHOLE_FILES = frozenset({WatchKind.PATH, WatchKind.FILE})


def digest(text: str) -> str:
    """Short digest of text for a mark."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:SIG_LENGTH]


def symbol_at(outline: Outline | None, name: str) -> Symbol | None:
    """The definition that a watch names; None when the file has none."""
    return outline.symbol(name) if outline is not None else None


# one kind each
def _symbol_mark(watch: Watch, view: TreeView) -> Mark:
    path = watch.path or ""
    symbol = symbol_at(view.outline(path), watch.name or "") if path in view.paths() else None
    mark = _bare_symbol_mark(watch, view)
    return replace(mark, uses=_uses(symbol, path, view)) if symbol is not None else mark


def _bare_symbol_mark(watch: Watch, view: TreeView) -> Mark:
    path, name = watch.path or "", watch.name or ""
    blob = view.paths().get(path)
    symbol = symbol_at(view.outline(path), name) if blob else None
    if symbol is None:
        return Mark(watch, blob=blob)
    return Mark(
        watch,
        blob=blob,
        sig=symbol.digest[:SIG_LENGTH],
        core=symbol.core[:SIG_LENGTH],
        body=symbol.body[:SIG_LENGTH],
        at=(symbol.start, symbol.end),
    )


def used_elsewhere(watch: Watch, view: TreeView) -> tuple[str, ...]:
    """Names that a watched definition uses and its own file does not define; the whole tree is searched for them."""
    outline = view.outline(watch.path or "") if watch.kind is WatchKind.SYMBOL else None
    symbol = symbol_at(outline, watch.name or "")
    if symbol is None:
        return ()
    return tuple(name for name in _used(symbol) if symbol_at(outline, name) is None)


def _used(symbol: Symbol) -> list[str]:
    own = symbol.name.rpartition(".")[2]
    return sorted(name for name in symbol.uses if name != own)


def _uses(symbol: Symbol, path: str, view: TreeView) -> tuple[tuple[str, str, str], ...]:
    outline = view.outline(path)
    found = []
    elsewhere = []
    for name in _used(symbol):
        local = symbol_at(outline, name)
        if local is not None and local.name != symbol.name and not symbol.name.startswith(f"{local.name}."):
            found.append((f"{path}#{local.name}", view.paths()[path], local.digest[:SIG_LENGTH]))
        elif local is None:
            elsewhere.append(name)
    found.extend(_uses_elsewhere(elsewhere, path, view))
    return tuple(found[:USES])


def _uses_elsewhere(names: Sequence[str], path: str, view: TreeView) -> Iterable[tuple[str, str, str]]:
    files = view.files_with(names) if names else {}
    for name in names:
        places = [one for one in files.get(name, ()) if one != path]
        if not 0 < len(places) <= COMMON_NAME:
            continue
        defined = [one for place in places for one in _defined_at(place, name, view)]
        defined = [one for one in defined if one[1].kind != DECLARATION] or defined
        if len(defined) == 1:
            place, one = defined[0]
            yield f"{place}#{one.name}", view.paths()[place], one.digest[:SIG_LENGTH]


def _defined_at(path: str, name: str, view: TreeView) -> tuple[tuple[str, Symbol], ...]:
    """Where a file defines a name at its top."""
    data = view.read(path)
    if data is None:
        return ()
    return once(view, ("defined", path, name), lambda: tuple(_definitions(path, name, view, data)))


def _definitions(path: str, name: str, view: TreeView, data: bytes) -> Iterator[tuple[str, Symbol]]:
    if may_define(name, path, data):
        for one in _top_level(view.outline(path)):
            if one.name.rpartition(".")[2] == name and one.kind != "import":
                yield path, one


def _top_level(outline: Outline | None) -> tuple[Symbol, ...]:
    """What a file defines at its top, name spaces looked through."""
    symbols = outline.symbols if outline is not None else ()
    open_names = {"", *(one.name for one in symbols if one.kind in {"module", "namespace"})}
    return tuple(one for one in symbols if one.name.rpartition(".")[0] in open_names)


def _key_mark(watch: Watch, view: TreeView) -> Mark:
    path = watch.path or ""
    data = view.read(path)
    value = stated_value(path, data, watch.name or "") if data is not None else None
    step = parse_step(watch.name or "") if value is not None else None
    others = [one for one in places_of_step(step.line, view) if one != path][:USES] if step else []
    return Mark(
        watch,
        blob=view.paths().get(path),
        sig=digest(value) if value is not None else None,
        sample=tuple((one, view.paths()[one]) for one in others),
    )


def _lines_mark(watch: Watch, view: TreeView) -> Mark:
    data = view.read(watch.path or "")
    if data is None or watch.lines is None:
        return Mark(watch)
    lines = data.decode("utf-8", "replace").splitlines()
    first, last = watch.lines
    quoted = watch.quote.exact if watch.quote is not None else "\n".join(lines[first - 1 : last])
    blob = view.paths().get(watch.path or "")
    span = find_quote(lines, quoted)
    if span is None:
        return Mark(watch, blob=blob)
    return Mark(watch, blob=blob, sig=digest(fold_space(quoted)), at=span)


def find_quote(lines: Sequence[str], quoted: str) -> tuple[int, int] | None:
    """Where the quoted lines stand (first and last line from 1), white space and blank lines aside."""
    wanted = [folded for line in quoted.splitlines() if (folded := fold_space(line))]
    have = [(number, folded) for number, line in enumerate(lines, 1) if (folded := fold_space(line))]
    if not wanted:
        return None
    for start in range(len(have) - len(wanted) + 1):
        if all(have[start + step][1] == text for step, text in enumerate(wanted)):
            return have[start][0], have[start + len(wanted) - 1][0]
    return None


def fold_space(text: str) -> str:
    """White space collapsed."""
    return " ".join(text.split())


def _ident_mark(watch: Watch, view: TreeView, scope: Sequence[str]) -> Mark:
    name = watch.name or ""
    places = code_places(name, view)
    declared = [path for path in places if is_manifest(path) and declares(name, path, view)]
    inside = area(watch, view.paths(), scope)
    in_scope = [path for path in places if path in inside]
    asserts = not declared and not watch.is_prohibition
    defined = (
        sole_definition(name, view, in_scope) or sole_definition(name, view, places) if asserts else None
    )
    own = [defined[0]] if defined is not None and defined[0] in inside else []
    first = [*declared, *own, *in_scope, *places]
    sample = tuple((path, view.paths()[path]) for path in dict.fromkeys(first))[:USES]
    mark = Mark(watch, counts=(len(in_scope), len(declared), len(places)), sample=sample)
    return _with_definition(mark, defined, view)


def _with_definition(mark: Mark, defined: tuple[str, Symbol] | None, view: TreeView) -> Mark:
    """A name's mark with the one definition that it has, so that a clone without the old tree finds it, too."""
    if defined is None:
        return mark
    path, symbol = defined
    held = _bare_symbol_mark(Watch(WatchKind.SYMBOL, path=path, name=symbol.name), view)
    uses = ((f"{path}#{symbol.name}", view.paths()[path], symbol.digest[:SIG_LENGTH]),)
    return replace(mark, sig=held.sig, core=held.core, body=held.body, at=held.at, uses=uses)


def _occurrence_mark(watch: Watch, view: TreeView, scope: Sequence[str]) -> Mark:
    """Where a prohibited name or an import occurs: manifests that declare it, its area, then elsewhere.

    ``blob`` is the object of the one place that the watch names.
    """
    places = [place.path for place in occurrences(watch, view)]
    inside = area(watch, view.paths(), scope)
    there = [path for path in places if path in inside]
    declared = [path for path in places if is_manifest(path)]
    sample = [(path, view.paths()[path]) for path in dict.fromkeys([*declared, *there, *places])]
    blob = _object(watch.inside[0].rstrip("/"), view) if len(watch.inside) == 1 else None
    counts = (len(there), len(declared), len(places))
    return Mark(watch, blob=blob, counts=counts, sample=tuple(sample[:SAMPLE]))


def _object(path: str, view: TreeView) -> str | None:
    return view.paths().get(path) or view.folder_id(path)


def code_places(name: str, view: TreeView) -> tuple[str, ...]:
    """Files of the whole tree whose code has the name, in path order."""
    found = view.files_with([name]).get(name, ())
    return tuple(path for path in found if not is_rules_file(path) and name in view.code_words(path))


def declares(name: str, path: str, view: TreeView) -> bool:
    """Whether a manifest declares the name as a dependency, script or target."""
    data = view.read(path)
    return data is not None and name in declared_names(path, data)


def _path_mark(watch: Watch, view: TreeView) -> Mark:
    path = (watch.path or "").rstrip("/")
    tree = view.folder_id(path)
    if tree is None:
        beside = dirname(path) if is_barrel(path) else ""
        near = [(one, oid) for one, oid in view.paths().items() if beside and one.startswith(f"{beside}/")]
        return Mark(watch, blob=view.paths().get(path), sample=even_sample(near))
    inside = [(one, oid) for one, oid in view.paths().items() if one.startswith(path + "/")]
    return Mark(watch, blob=tree, counts=(len(inside),), sample=even_sample(inside))


def even_sample(pairs: Iterable[tuple[str, str]], size: int = SAMPLE) -> tuple[tuple[str, str], ...]:
    """At most `size` of the (path, object id) pairs, chosen by the hash of the path, so that two states agree."""
    chosen = sorted(
        pairs, key=lambda pair: hashlib.sha256(pair[0].encode("utf-8", "surrogateescape")).digest()
    )
    return tuple(sorted(chosen[:size]))


def _file_mark(watch: Watch, view: TreeView) -> Mark:
    path = watch.path or ""
    blob = view.paths().get(path)
    outline = view.outline(path) if blob else None
    if outline is None:
        return Mark(watch, blob=blob, sig=digest(blob) if blob else None)
    return Mark(watch, blob=blob, sig=outline.digest[:SIG_LENGTH], core=outline.core[:SIG_LENGTH])


def _verifier_mark(watch: Watch, view: TreeView) -> Mark:
    path, sep, name = (watch.path or "").partition("#")
    make: Callable[[Watch, TreeView], Mark] = _bare_symbol_mark if sep else _file_mark
    target = Watch(WatchKind.SYMBOL, path=path, name=name) if sep else Watch(WatchKind.FILE, path=path)
    held = make(target, view)
    return Mark(watch, blob=held.blob, sig=held.sig, core=held.core, body=held.body, at=held.at)


_CAPTURE: dict[WatchKind, Callable[[Watch, TreeView], Mark]] = {
    WatchKind.SYMBOL: _symbol_mark,
    WatchKind.KEY: _key_mark,
    WatchKind.LINES: _lines_mark,
    WatchKind.PATH: _path_mark,
    WatchKind.FILE: _file_mark,
    WatchKind.VERIFIER: _verifier_mark,
}
