"""Binding a statement's concrete things to the files of its scope.

**What is concrete is looked up where it must stand, and watched there**: a setting by its key when a configuration file
has that key with that value, else by the line of code that gives it; a flag, variable or literal as a name that goes
on occurring, case and separators folded where tools fold them. A plain word binds to nothing, however much a file or a
package is called like it.

What cannot be found is said to the caller: while a setting that the statement tells is bound to nothing, its watches
cannot tell by themselves that it still holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from posixpath import basename
from typing import NamedTuple

from gitmem.drift.concrete import (
    Concern,
    Concrete,
    concrete_things,
    flag_forms,
    members_behind,
    value_forms,
    variable_forms,
)
from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import decode, with_blank_comments
from gitmem.drift.content.reading import key_names, key_value
from gitmem.drift.exclusions import is_excluded
from gitmem.drift.view import TreeView
from gitmem.model.watch import Quote, Watch, WatchKind

MOST_FILES = 12
"""Files whose lines are read; a wider scope is asked for names alone."""
MOST_PLACES = 3
_ASSIGNED = re.compile(
    r"(?:(?:^|[\s{(,])(?P<key>[\"']?[A-Za-z_][\w.-]*[\"']?)\s*(?::\s*[A-Za-z_][\w.\[\], |?<>]{0,60}?\s*=|:=|[:=])\s*)(?P<value>\"[^\"]*\"|'[^']*'|[\w.]+)"
)


_VALUES = re.compile(
    r"\"[^\"]*\"|'[^']*'|(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])|\b(?:true|false|True|False|None|null)\b"
)


class Bound(NamedTuple):
    """What was found.

    Args:
        watches: In the order of the text.
        loose: Those of them that tell too little for the statement to rest on them alone.
        open: Whether a setting was found nowhere.
    """

    watches: tuple[Watch, ...] = ()
    loose: frozenset[Watch] = frozenset()
    open: bool = False


def bind(text: str, view: TreeView, files: Sequence[str], taken: Iterable[tuple[int, int]] = ()) -> Bound:
    """Bind the concrete things of a statement; a flag of one plain word is none.

    Args:
        text: The statement.
        view: The tree.
        files: The files that its scope matches.
        taken: Where something stands in the text that is bound already.
    """
    spans = tuple(taken)
    things = [
        one for one in concrete_things(text) if not any(first <= one.start < last for first, last in spans)
    ]
    if not things:
        return Bound()
    binding = _Binding(things, view, files)
    found = [(one, tuple(binding.of(one))) for one in things]
    return Bound(
        tuple(dict.fromkeys(watch for _, watches in found for watch in watches)),
        frozenset(
            watch
            for one, watches in found
            for watch in watches
            if one.kind in _WEAK or (one.loose and watch.kind is not WatchKind.KEY)
        ),
        any(one.kind is Concern.SETTING and not watches for one, watches in found),
    )


def listed(text: str, end: int, folder: str, view: TreeView) -> Iterator[Watch]:
    """Paths in a folder that a list in parentheses names behind it; none behind a file."""
    for member in members_behind(text, end) if folder.endswith("/") else ():
        path = f"{folder}{member}"
        if view.is_folder(path) or path in view.paths():
            yield Watch(WatchKind.PATH, path=f"{path}/" if view.is_folder(path) else path)


_WEAK = frozenset({Concern.FILE, Concern.MEMBER})


class _Binding:
    def __init__(self, things: Sequence[Concrete], view: TreeView, files: Sequence[str]) -> None:
        self._view, self._scope = view, frozenset(files)
        self._read = [path for path in files if not is_excluded(path)]
        self._hits = view.files_with(sorted({form for one in things for form in _forms(one)}))

    def of(self, one: Concrete) -> Iterable[Watch]:
        if one.kind is Concern.SETTING:
            return self._setting(one)
        if one.kind is Concern.FLAG and one.name == "features" and one.value:
            return [watch for name in one.value.split(",") if (watch := self._feature(name))]
        if one.kind is Concern.VARIABLE and self._occurs(one.name):
            return ()
        return [Watch(WatchKind.IDENT, name=form) for form in _forms(one) if self._occurs(form)][:1]

    def _occurs(self, name: str) -> bool:
        return any(
            path in self._scope and name in self._view.code_words(path) for path in self._hits.get(name, ())
        )

    def _feature(self, name: str) -> Watch | None:
        for path in (path for path in self._read if basename(path) == "Cargo.toml"):
            if key_value(path, self._view.read(path) or b"", f"features.{name}") is not None:
                return Watch(WatchKind.KEY, path=path, name=f"features.{name}")
        return None

    # settings
    def _setting(self, one: Concrete) -> Sequence[Watch]:
        if not 0 < len(self._read) <= MOST_FILES:
            return ()
        for found in (self._keys(one), self._lines(one)):
            if 0 < len(watches := list(dict.fromkeys(found))) <= MOST_PLACES:
                return watches
        return ()

    def _keys(self, one: Concrete) -> Iterator[Watch]:
        forms, wanted = value_forms(one.value), _folded(one.name)
        for path, keys in self._settings.items():
            for key in keys:
                if _folded(key.rpartition(".")[2]) == wanted or _ends_in(key, one.name):
                    value = key_value(path, self._view.read(path) or b"", key) or ""
                    if _plain(value) in forms:
                        yield Watch(WatchKind.KEY, path=path, name=key)

    @cached_property
    def _settings(self) -> dict[str, tuple[str, ...]]:
        return {path: key_names(path, self._view.read(path) or b"") for path in self._read}

    def _lines(self, one: Concrete) -> Iterator[Watch]:
        forms = value_forms(one.value)
        yield from self._assigned(one, forms) or self._read_with(one, forms)

    def _assigned(self, one: Concrete, forms: frozenset[str]) -> list[Watch]:
        """Lines that give the value to what is called so."""
        for same in (_is_called, _is_headed):
            found = [
                _line(path, number, raw)
                for path, lines in self._code.items()
                for number, (raw, code) in enumerate(lines, 1)
                for match in _ASSIGNED.finditer(code)
                if same(one.name, match["key"]) and _plain(match["value"]) in forms
            ]
            if found:
                return found
        return []

    def _read_with(self, one: Concrete, forms: frozenset[str]) -> list[Watch]:
        """Lines that have the name and behind it the value: ``getenv("LOG_LEVEL", "info")``, ``env.PORT ?? 3000``."""
        name = re.compile(rf"(?<![\w$]){re.escape(one.name)}(?!\w)")
        return [
            _line(path, number, raw)
            for path, lines in self._code.items()
            for number, (raw, code) in enumerate(lines, 1)
            for said in name.finditer(code)
            if any(
                value.start() >= said.end() and _plain(value[0]) in forms for value in _VALUES.finditer(code)
            )
        ]

    @cached_property
    def _code(self) -> dict[str, list[tuple[str, str]]]:
        texts = {
            path: decode(self._view.read(path) or b"") for path in self._read if language_of(path) != "prose"
        }
        return {
            path: list(
                zip(text.split("\n"), with_blank_comments(language_of(path), text).split("\n"), strict=True)
            )
            for path, text in texts.items()
        }


def _forms(one: Concrete) -> tuple[str, ...]:
    match one.kind:
        case Concern.FLAG:
            forms = flag_forms(one.name)
            return forms if len(forms) > 1 or "." in one.name else ()
        case Concern.VARIABLE:
            return (one.name, *variable_forms(one.name))
        case Concern.SETTING:
            return ()
        case _:
            return (one.name,)


def _ends_in(key: str, name: str) -> bool:
    """Whether a key ends as a dotted name does; a part with a dot of its own is written in quotes."""
    plain = key.replace('"', "")
    return f".{plain}".endswith(f".{name}")


def _line(path: str, number: int, raw: str) -> Watch:
    return Watch(WatchKind.LINES, path=path, lines=(number, number), quote=Quote(raw.strip()))


def _folded(name: str) -> str:
    return re.sub(r"[^0-9a-z\u0080-\uffff]", "", name.lower())


def _is_called(said: str, key: str) -> bool:
    return _folded(said) == _folded(key)


def _is_headed(said: str, key: str) -> bool:
    """Whether a label of several words ends as a key does: ``Unit timeout`` for ``testTimeout``."""
    words = said.split()
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", key)
    return len(words) > 1 and bool(parts) and words[-1].lower() == parts[-1].lower()


def _plain(value: str) -> str:
    return re.sub(r"(?<=\d)_(?=\d)", "", value.strip("\"'")).lower()
