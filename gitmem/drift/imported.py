"""Which files import a folder, file or package of the tree, and which use a name: what a prohibition looks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from posixpath import basename, dirname, splitext
from typing import NamedTuple

from gitmem.drift.bare_names import is_used_bare
from gitmem.drift.content.imports import Import, imports_of
from gitmem.drift.content.language import language_of
from gitmem.drift.content.reading import key_names, key_value
from gitmem.drift.declared import dependencies_of, folded, scripts_of
from gitmem.drift.exclusions import is_rules_file
from gitmem.drift.manifests import declared_names, is_manifest
from gitmem.drift.view import TreeView
from gitmem.model.watch import Watch, WatchKind

_SOURCE_ROOTS = frozenset(["src", "lib", "source", "sources", "python", "main", "java", "kotlin", "scala"])
"""Folders that imports leave out: ``ui`` is ``src/ui``."""
_ALIASES = frozenset({"@", "~", "#", "src"})
PACKAGE_NAMES = {
    "package.json": "name",
    "Cargo.toml": "package.name",
    "pyproject.toml": "project.name",
    "composer.json": "name",
    "go.mod": "module",
}
_SCRIPTS = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".astro")
_NAMES_ONLY = frozenset({"json", "toml", "gomod", "requirements", "ini"})


class Place(NamedTuple):
    """Where a prohibited thing occurs: line 0 stands for the file."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class Target:
    """What an import watch names, as imports may write it.

    Args:
        path: Parts of the folder or module in the tree; empty for a package.
        own: The folder, with its trailing slash, or the file; empty for a package.
        under: Names of what lies in the folder.
        packages: What it is called where it is imported as a package.
    """

    path: tuple[str, ...]
    own: str = ""
    under: frozenset[str] = frozenset()
    packages: tuple[tuple[str, ...], ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Words of which every file that imports this has one."""
        last = [self.path[-1]] if self.path else []
        return tuple(dict.fromkeys([*last, *(_searched(parts) for parts in self.packages)]))

    def is_in(self, path: str) -> bool:
        """Whether a file belongs to what is imported, so that it may import it."""
        return path.startswith(self.own) if self.own.endswith("/") else path == self.own

    def is_meant(self, one: Import, path: str) -> bool:
        """Whether an import that a file has means this or something in it."""
        if one.is_path:
            return _begins(_stems(one.parts), self.path)
        if any(_begins(_folded(one.parts), _folded(parts)) for parts in self.packages):
            return True
        return bool(one.parts) and self._is_meant_bare(one.parts, lone=not path.endswith(_SCRIPTS))

    def _is_meant_bare(self, parts: tuple[str, ...], *, lone: bool) -> bool:
        """Whether names that begin at some root of the sources mean the folder: ``app.ui.x`` for ``src/app/ui``.

        Args:
            parts: The names.
            lone: Whether one name may be a folder; in JavaScript it is a package.
        """
        alias = parts[0] in _ALIASES
        names = _stems(parts[1:] if alias else parts)
        for at, _ in enumerate(self.path):
            if not _begins(names, self.path[at:]):
                continue
            if alias or len(self.path) - at > 1 or (lone and _SOURCE_ROOTS.issuperset(self.path[:at])):
                return True
            rest = names[len(self.path) - at :]
            return bool(rest) and rest[0] in self.under
        return False


def target_in(name: str, view: TreeView) -> Target:
    """What an import watch names in a tree, which tells a folder from a package."""
    plain = name.rstrip("/")
    if view.is_folder(plain):
        forms = tuple(_package_forms(plain, view))
        return Target(tuple(plain.split("/")), f"{plain}/", frozenset(_below(view, plain)), forms)
    if plain in view.paths():
        return Target(tuple(_module(plain).split("/")), plain)
    return plain_target(name)


def plain_target(name: str) -> Target:
    """What an import watch names, as far as its form tells: a folder ends with a slash."""
    if name.endswith("/"):
        return Target(tuple(name[:-1].split("/")), name)
    return Target((), packages=(_parts(name),))


def _module(path: str) -> str:
    stem = splitext(path)[0]
    return dirname(stem) if basename(stem) in {"__init__", "index", "mod"} and dirname(stem) else stem


def _stems(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts without an extension at their end and without the file that stands for a folder."""
    if not parts:
        return ()
    last = re.sub(
        r"\.(?:[cm]?[jt]sx?|vue|svelte|h|hh|hpp|hxx|inl|css|s[ac]ss|less|php|rb|dart|proto)$", "", parts[-1]
    )
    return tuple(parts[:-1]) if last == "index" and len(parts) > 1 else (*parts[:-1], last)


def _below(view: TreeView, folder: str) -> Iterator[str]:
    for path in view.paths():
        if path.startswith(f"{folder}/"):
            yield path[len(folder) + 1 :].partition("/")[0].partition(".")[0]


def _parts(name: str) -> tuple[str, ...]:
    if "/" in name or name.startswith("@"):
        return tuple(part for part in name.split("/") if part)
    return tuple(part for part in re.split(r"\.|::|\\", name) if part) or (name,)


def _package_forms(plain: str, view: TreeView) -> Iterator[tuple[str, ...]]:
    """What a folder is called as a package: by the manifest in it, or below the module of a ``go.mod`` above it."""
    for manifest, key in PACKAGE_NAMES.items():
        name = _stated_name(f"{plain}/{manifest}", key, view)
        if name:
            yield _parts(name) if "/" in name else (name,)
    folder = plain
    while folder:
        folder = dirname(folder)
        path = f"{folder}/go.mod" if folder else "go.mod"
        if module := _stated_name(path, "module", view):
            below = plain[len(folder) + 1 :] if folder else plain
            yield (*module.split("/"), *below.split("/"))
            return


def _stated_name(path: str, key: str, view: TreeView) -> str:
    data = view.read(path) if path in view.paths() else None
    return (key_value(path, data, key) or "").strip('"') if data is not None else ""


def _searched(parts: tuple[str, ...]) -> str:
    """The word of a package's name by which its imports are found."""
    words = re.findall(r"[^\W_]\w*", parts[-1])
    return max(words, key=len) if words else parts[-1]


def _begins(parts: Sequence[str], head: Sequence[str]) -> bool:
    return bool(head) and tuple(parts[: len(head)]) == tuple(head)


@lru_cache(maxsize=8_192)
def _folded(parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.replace("-", "_").lower() for part in parts)


# looking
def occurrences(watch: Watch, view: TreeView, files: Iterable[str] | None = None) -> list[Place]:
    """Where code uses a watched name, or imports it, in path order; the whole tree when no files are given."""
    look = importers if watch.kind is WatchKind.IMPORT else users
    return look(watch.name or "", view, files)


def importers(name: str, view: TreeView, files: Iterable[str] | None = None) -> list[Place]:
    """The files that import something, and the manifests that declare it, in path order.

    Args:
        name: What is imported, as an import watch has it.
        view: The tree.
        files: Where to look; the whole tree when None.
    """
    target = target_in(name, view)
    found = {path for paths in view.files_with(_spellings(target.words)).values() for path in paths}
    asked = sorted(found if files is None else found.intersection(files))
    view.preload(asked)
    places = (imported_at(target, path, view.read(path)) for path in asked if not target.is_in(path))
    return [place for place in places if place is not None]


def _spellings(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(one for word in words for one in (word, word.lower(), word.replace("_", "-"))))


def imported_at(target: Target, path: str, data: bytes | None) -> Place | None:
    """Where a file imports it first; a manifest declares it."""
    if data is None or is_rules_file(path):
        return None
    if is_manifest(path):
        names = dependencies_of(path, data)
        declared = any(_declares(names, parts) for parts in target.packages)
        if declared or language_of(path, data) in _NAMES_ONLY:
            return Place(path) if declared else None
    found = (one for one in imports_of(path, data) if target.is_meant(one, path))
    return next((Place(path, one.line) for one in found), None)


def _declares(names: Iterable[str], parts: tuple[str, ...]) -> bool:
    whole = "/".join(parts)
    return any(name == whole or folded(name) == folded(whole) for name in names)


def users(name: str, view: TreeView, files: Iterable[str] | None = None) -> list[Place]:
    """The files whose code uses a name, in path order; strings, comments and docstrings use nothing."""
    words = _spellings([name])
    found = {path for paths in view.files_with(words).values() for path in paths}
    found |= _with_all(_parts(name), view)
    asked = sorted(found if files is None else found.intersection(files))
    view.preload(asked)
    return [
        Place(path)
        for path in asked
        if is_used(name, path, view.read(path), view.code_names, view.code_words)
    ]


def _with_all(parts: Sequence[str], view: TreeView) -> set[str]:
    """Files that may import a dotted name by its parts: ``from time import sleep``."""
    if len(parts) == 1:
        return set()
    found = view.files_with(parts)
    return set.intersection(*(set(found[part]) for part in parts))


NamesIn = Callable[[str], frozenset[str]]
"""The names in a file, by its path."""


def is_used(name: str, path: str, data: bytes | None, in_code: NamesIn, in_text: NamesIn) -> bool:
    """Whether a file's code has the name, imports what is called so, or – a manifest – declares or runs it.

    Args:
        name: The name.
        path: The file.
        data: Its content.
        in_code: Names in its code.
        in_text: Those and the names that its strings say.
    """
    if data is None or is_rules_file(path):
        return False
    if is_manifest(path) and _declares(declared_names(path, data), (name,)):
        return True
    if is_manifest(path) and language_of(path, data) in _NAMES_ONLY:
        return name in _manifest_names(path, data)
    if name in in_code(path):
        bare = is_used_bare(name, path, data)
        return True if bare is None else bare
    if _is_text(name):
        return name in in_text(path)
    wanted = _folded(_parts(name))
    if not in_text(path).intersection(_spellings(_parts(name)[:1])):
        return False  # nothing is imported that neither code nor a string names
    return any(not one.is_path and _begins(_folded(one.parts), wanted) for one in imports_of(path, data))


def _manifest_names(path: str, data: bytes) -> set[str]:
    keys = {part.strip('"') for key in key_names(path, data) for part in key.split(".")}
    values = " ".join(script.value for script in scripts_of(path, data).values())
    return keys | set(re.findall(r"[@\w][\w@/.-]*", values))


_HOST = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|io|dev|app|ai|co|kr|jp|cn|eu|local|internal)")
_PLAIN_NAME = re.compile(r"@?[^\W\d][\w$]*(?:(?:\.|::|/|->|-)[\w$]+)*")


def _is_text(name: str) -> bool:
    """Whether a name can stand in a string alone: a host, or what is no name of code."""
    return _HOST.fullmatch(name) is not None or _PLAIN_NAME.fullmatch(name) is None or "-" in name
