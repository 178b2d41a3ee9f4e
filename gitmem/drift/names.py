"""Finding what a name in a statement means: a definition, a use, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property

from gitmem.drift.content.outline import DECLARATION, Outline, Symbol
from gitmem.drift.exclusions import is_rules_file
from gitmem.drift.places import is_test
from gitmem.drift.view import TreeView

SEARCHED = 40
"""At most this many files are read for one name; a name in more is too common to mean one thing."""
LARGE = 200
"""A definition of more lines is like a file: its content changes for reasons that one sentence does not rest on."""
USE_SITE = 150
"""A function of more lines says too little about one name that it uses."""
ALIKE = 0.88
"""Likeness from which a missing name may be a slip for another: one letter in eight, no whole word."""
_WHOLE = frozenset(
    {
        "class",
        "interface",
        "struct",
        "type",
        "trait",
        "enum",
        "protocol",
        "module",
        "namespace",
        "impl",
        "object",
    }
)
_CALLABLE = frozenset({"function", "method", "constructor", "getter", "setter", "property", "accessor"})
_VALUES = frozenset({"constant", "field", "variable"})
_COMMENT = re.compile(r"\s*(?:#(?!\[)|//|\*|/\*|import\b|from\s|use\s|using\s|require\b)")

Definition = tuple[str, Symbol]


def _is_constructor(name: str) -> bool:
    """Whether a definition is called as the class that holds it: a word that names both means the class."""
    holder, _, last = name.rpartition(".")
    return bool(holder) and holder.rpartition(".")[2] == last


class Names:
    """Looks names up in one tree for one memory; one search for all names.

    Args:
        view: The tree.
        files: The files that the memory's scope matches.
        words: Every name that will be asked for.
    """

    def __init__(self, view: TreeView, files: Sequence[str], words: Iterable[str]) -> None:
        self._view = view
        self._scope = frozenset(files)
        self._hits: Mapping[str, tuple[str, ...]] = view.files_with(sorted(set(words)))
        wanted = [path for word in sorted(self._hits) for path in self._chosen(word)]
        view.preload(dict.fromkeys(wanted))

    def _chosen(self, word: str) -> list[str]:
        """The files that are read for a word: those in scope first, tests last, files named alike before others."""
        hits = self._hits.get(word, ())
        own = word.replace("_", "").lower()

        def rank(path: str) -> tuple[bool, bool, bool]:
            stem = path.rpartition("/")[2].partition(".")[0].replace("_", "").replace("-", "").lower()
            return (
                path not in self._scope,
                is_test(path),
                not (len(stem) > 2 and (stem in own or own in stem)),
            )

        return sorted(hits, key=rank)[:SEARCHED]

    def in_code(self, word: str, *, scope: bool) -> list[str]:
        """Files whose code has the word, of the scope alone or of the whole tree."""
        return [
            path
            for path in self._chosen(word)
            if (not scope or path in self._scope)
            and not is_rules_file(path)
            and word in self._view.code_words(path)
        ]

    def definitions(self, word: str, *, scope: bool) -> list[Definition]:
        """Definitions of a bare name; mere declarations, and those in tests, only when nothing else defines it."""
        found = [
            (path, symbol)
            for path in self.in_code(word, scope=scope)
            for symbol in self._symbols(path)
            if symbol.name.rpartition(".")[2] == word and symbol.kind != "import"
        ]
        found = [one for one in found if not _is_constructor(one[1].name)] or found
        found = [one for one in found if one[1].kind != DECLARATION] or found
        return [one for one in found if not is_test(one[0])] or found

    def qualified(self, dotted: str, *, scope: bool) -> list[Definition]:
        """Definitions whose dotted name ends with all of `dotted`."""
        tail = "." + dotted
        return [
            (path, symbol)
            for path, symbol in self.definitions(dotted.rpartition(".")[2], scope=scope)
            if symbol.name == dotted or symbol.name.endswith(tail)
        ]

    def owned(self, dotted: str) -> list[Definition]:
        """Definitions in scope that ``a.Cart.add`` means when its first parts are modules, as folders and files are called."""
        parts = dotted.split(".")
        for first in range(1, len(parts) - 1):
            if found := self.qualified(".".join(parts[first:]), scope=True):
                return found
        module = parts[-2]
        return [
            one
            for one in self.definitions(parts[-1], scope=True)
            if "." not in one[1].name and module in re.split(r"[/.]", one[0])
        ]

    def is_owner(self, word: str) -> bool:
        """Whether a definition, file, folder or namespace of the tree has the name, so that others may stand in it."""
        if self.definitions(word, scope=False):
            return True
        opened = re.compile(rf"\bnamespace[ \t]+(?:[\w:.\\]{{0,200}}[:.\\])?{re.escape(word)}\b".encode())
        return word in self._path_parts or any(
            opened.search(self._view.read(path) or b"") for path in self.in_code(word, scope=False)
        )

    @cached_property
    def _path_parts(self) -> frozenset[str]:
        return frozenset(part for path in self._view.paths() for part in re.split(r"[/.]", path))

    def is_common(self, word: str) -> bool:
        return len(self._hits.get(word, ())) > SEARCHED

    def use_sites(self, word: str) -> list[Definition]:
        """The innermost functions in scope whose code has the word, too large ones left out."""
        found: dict[tuple[str, str], Definition] = {}
        for path in self.in_code(word, scope=True):
            data = self._view.read(path)
            if data is None or is_test(path):
                continue
            for line in _lines_with(word, data):
                inner = _innermost(self._symbols(path), line)
                if inner is not None:
                    found[path, inner.name] = (path, inner)
        return list(found.values())

    def nearest(self, word: str) -> str | None:
        """The name in scope most like a missing one, symbols before other words, case and underscores aside."""
        wanted = _letters(word)
        for names in (self._scope_symbols, self._scope_words):
            spelled = {_letters(name): name for name in names if name != word}
            close = get_close_matches(wanted, spelled, 1, ALIKE)
            if close:
                return spelled[close[0]]
        return None

    @cached_property
    def _scope_symbols(self) -> list[str]:
        return sorted({one.name.rpartition(".")[2] for path in self._few for one in self._symbols(path)})

    @cached_property
    def _scope_words(self) -> list[str]:
        return sorted({word for path in self._few for word in self._view.code_words(path) if len(word) > 2})

    @cached_property
    def _few(self) -> list[str]:
        known = (path for path in self._scope if not is_rules_file(path))
        return sorted(known, key=lambda path: (is_test(path), path))[: 2 * SEARCHED]

    def _symbols(self, path: str) -> tuple[Symbol, ...]:
        outline = self._view.outline(path)
        return outline.symbols if outline is not None and outline.level in {"syntax", "leaves"} else ()


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def closest(name: str, names: Sequence[str]) -> str | None:
    close = get_close_matches(name, names, 1, 0.7)
    return close[0] if close else None


def is_whole(symbol: Symbol, outline: Outline | None) -> bool:
    """Whether a definition is a class or the like that is too large to be watched whole, with members that stand behind it."""
    if symbol.kind not in _WHOLE:
        return False
    lead = f"{symbol.name}."
    members = outline.symbols if outline is not None else ()
    behind = (one.end - one.start for one in members if one.start > symbol.end and one.name.startswith(lead))
    return symbol.end - symbol.start + sum(behind) >= LARGE


def is_callable(symbol: Symbol) -> bool:
    return symbol.kind in _CALLABLE


def without_values(found: list[Definition]) -> list[Definition]:
    """What ``halt()`` may mean: no field or constant, save when nothing else has the name."""
    return [one for one in found if one[1].kind not in _VALUES] or found


def is_type(symbol: Symbol) -> bool:
    return symbol.kind in _WHOLE


def _lines_with(word: str, data: bytes) -> Iterator[int]:
    pattern = re.compile(rf"(?<![\w$]){re.escape(word)}(?![\w$])")
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if pattern.search(line) and not _COMMENT.match(line):
            yield number


def _innermost(symbols: Iterable[Symbol], line: int) -> Symbol | None:
    around = [one for one in symbols if one.start <= line <= one.end and one.kind in _CALLABLE]
    inner = min(around, key=lambda one: one.end - one.start, default=None)
    return inner if inner is not None and inner.end - inner.start < USE_SITE else None
