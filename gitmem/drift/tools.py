"""What the manifests say about a name: a script or target, a dependency, a setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from posixpath import basename, dirname
from typing import Literal, NamedTuple

from gitmem.drift.content.language import LOCKS_OF, is_lock, language_of
from gitmem.drift.content.reading import key_names, key_value
from gitmem.drift.declared import (
    SCRIPT_FILES,
    TARGET_FILES,
    Script,
    called_scripts,
    dependencies_of,
    folded,
    scripts_of,
)
from gitmem.drift.manifests import is_manifest, without_major
from gitmem.drift.once import once
from gitmem.drift.places import Places, is_test
from gitmem.drift.runners import FILES_OF, SCRIPT_ONLY
from gitmem.drift.script_names import labelled
from gitmem.drift.stated import NONE, is_about_value, stated_value, states, tells
from gitmem.drift.view import TreeView
from gitmem.drift.vocabulary import OWN_COMMANDS
from gitmem.drift.words import is_compound
from gitmem.model.watch import Watch, WatchKind

_SETTINGS = frozenset({"json", "toml", "yaml", "ini", "dotenv", "properties", "docker"})
MOST_SETTINGS_FILES = 24
SAME_NAME = 3
"""Settings of one name and untold values: more of them mean none in particular."""
_RUNTIME_TABLES = {
    "package.json": "dependencies",
    "Cargo.toml": "dependencies",
    "composer.json": "require",
    "go.mod": "require",
    "pyproject.toml": "project.dependencies",
}
_PACKAGE_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
VERSIONED = ("dependencies", "devDependencies", "peerDependencies", "workspace.dependencies", "require")


class Missing(NamedTuple):
    name: str | None
    severity: Literal["born_false", "weak"]


_NONE = Script("", "")
_WITH_COMMANDS = SCRIPT_FILES | TARGET_FILES


class Tools:
    """Looks names up in manifests: those in scope first, then the nearest to the scope, then the root's."""

    def __init__(self, view: TreeView, files: Sequence[str], places: Places) -> None:
        self._view, self._files, self._places = view, files, places
        self._read: dict[str, bytes | None] = {}
        self._named: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _manifests(self) -> tuple[str, ...]:
        known = once(self._view, "manifests", lambda: tuple(filter(_is_told, self._view.paths())))
        scope = set(self._files)
        near = [dirname(path) for path in self._files[:50]]
        return tuple(
            sorted(
                known,
                key=lambda path: (path not in scope, -_kinship(dirname(path), near), path.count("/"), path),
            )
        )

    @cached_property
    def _near(self) -> tuple[str, ...]:
        """Manifests in scope, in folders above it, and the root's; other corners of a monorepo say nothing here."""
        scope = set(self._files)
        folders = {dirname(path) for path in self._files}
        above = {""}.union(*map(_with_ancestors, folders))
        return tuple(path for path in self._manifests if path in scope or dirname(path) in above)

    @property
    def governing(self) -> tuple[str, ...]:
        """Manifests of dependencies that rule the scope, the nearest first."""
        return tuple(path for path in self._near if is_manifest(path) and basename(path) not in TARGET_FILES)

    def _data(self, path: str) -> bytes:
        if path not in self._read:
            self._read[path] = self._view.read(path)
        return self._read[path] or b""

    def dependency(self, name: str) -> str | None:
        """The dependency that a product's, module's or class-like name means, as the nearest manifest spells it."""
        if any(self._view.read(path) is None for path in self._near):
            return self._dependency(name)
        return once(self._view, ("dependency", name, self._near), lambda: self._dependency(name))

    def _dependency(self, name: str) -> str | None:
        declared = [dependencies_of(path, self._data(path)) for path in self._near]
        for alike in (_is_called, _is_scoped, _is_module, _is_library):
            for names in declared:
                close = sorted(one for one in names if alike(name, one))
                if close:
                    return name if name in close else without_major(close[0])
        return None

    def stated(self, name: str, version: str) -> Watch | None:
        """The requirement that states this very version of a dependency."""
        keys = tuple(f"{table}.{self.dependency(name)}" for table in VERSIONED)
        for path in self._near:
            for key in keys:
                value = key_value(path, self._data(path), key)
                if value is not None and states(value, version):
                    return Watch(WatchKind.KEY, path=path, name=f"{key}@{version}")
        return None

    def no_dependencies(self) -> Watch | None:
        """The table of runtime dependencies of the nearest manifest, which has none."""
        for path in self._near:
            table = _RUNTIME_TABLES.get(basename(path))
            if table is not None and self._data(path):
                name = f"{table}@{NONE}"
                empty = stated_value(path, self._data(path), name) == NONE
                return Watch(WatchKind.KEY, path=path, name=name) if empty else None
        return None

    def package_manager(self, name: str) -> Watch | None:
        """What makes this one the package manager of the project: a setting, else the lock file that it writes."""
        plain = folded(name)
        for path in self._near if plain in _PACKAGE_MANAGERS else ():
            value = key_value(path, self._data(path), "packageManager")
            if value is not None and states(value, plain):
                return Watch(WatchKind.KEY, path=path, name=f"packageManager@{plain}")
        beside = (
            f"{dirname(path)}/{lock}".lstrip("/") for path in self._near for lock in LOCKS_OF.get(plain, ())
        )
        return next((Watch(WatchKind.PATH, path=one) for one in beside if one in self._view.paths()), None)

    def command(self, runner: str, name: str) -> tuple[list[Watch], Missing | None]:
        """Watches of what a command runs; else, when it plainly should be there, the nearest name."""
        if runner == "hatch" and (environment := self._environment(name)) is not None:
            return [environment], None
        names = FILES_OF.get(runner, ())
        manifests = [path for path in self._manifests if basename(path) in names]
        near = set(self._near)
        ordered = [path for path in manifests if path in near] + [
            path for path in manifests if path not in near
        ]
        for at, path in enumerate(ordered):
            scripts = scripts_of(path, self._data(path))
            if name in scripts and (path in near or at == len(ordered) - 1 or self._is_only(name, ordered)):
                return list(_script_watches(path, name, scripts)), None
        if dependency := self.dependency(name):
            return [Watch(WatchKind.IDENT, name=dependency)], None
        if place := self._places.find(name) if "/" in name or "." in name else None:
            return [Watch(WatchKind.PATH, path=place)], None
        return [], self._missing(runner, name, ordered)

    def labelled(self, text: str) -> tuple[Watch, ...]:
        """Scripts and targets that a label or an unmarked command of a text names and a file of the scope has."""
        files = [path for path in self._files if basename(path) in _WITH_COMMANDS]
        found: list[Watch] = []
        for name in labelled(text) if files else ():
            for path in files[:MOST_SETTINGS_FILES]:
                scripts = scripts_of(path, self._data(path))
                is_variable = basename(path) in TARGET_FILES and not scripts.get(
                    name, _NONE
                ).value.startswith("{")
                if name in scripts and not is_variable:
                    found += _script_watches(path, name, scripts)
        return tuple(found)

    def _environment(self, name: str) -> Watch | None:
        """What ``hatch run test:lint`` runs: the script of that environment, else the environment."""
        environment, _, script = name.partition(":")
        for path in self._near if script else ():
            for key in (f"tool.hatch.envs.{environment}.scripts.{script}", f"tool.hatch.envs.{environment}"):
                if key_value(path, self._data(path), key) is not None:
                    return Watch(WatchKind.KEY, path=path, name=key)
        return None

    def _is_only(self, name: str, manifests: Sequence[str]) -> bool:
        return sum(name in scripts_of(path, self._data(path)) for path in manifests) == 1

    def _missing(self, runner: str, name: str, manifests: Sequence[str]) -> Missing | None:
        if not manifests or (name in OWN_COMMANDS and runner not in {"make", "just"}):
            return None
        anywhere = any(name in scripts_of(path, self._data(path)) for path in manifests)
        if anywhere:
            return None
        known = sorted(
            {one for path in self._near if path in manifests for one in scripts_of(path, self._data(path))}
        )
        close = get_close_matches(name, known, 1, 0.7)
        nearest = close[0] if close else None
        if runner in SCRIPT_ONLY:
            return Missing(nearest, "born_false")
        return Missing(nearest, "weak") if nearest else None

    def named(self, name: str, text: str = "") -> list[Watch]:
        """Scripts, targets and settings of that name in the manifests and settings files of the scope.

        Of several those whose value the text tells; when it tells none, each of a few.
        """
        found = list(dict.fromkeys(self._settings(name)))
        if len(found) > 1:
            told = [watch for watch in found if tells(text, self._value(watch))]
            found = told or found
        return found if len(found) <= SAME_NAME else []

    def settings_about(self, name: str, text: str) -> list[Watch]:
        """Settings of a name that code may have, too, as far as the text is about their values."""
        if self.dependency(name):
            return []
        return [watch for watch in self.named(name, text) if is_about_value(text, self._value(watch))]

    def _value(self, watch: Watch) -> str:
        path = watch.path or ""
        return key_value(path, self._data(path), watch.name or "") or ""

    def key(self, path: str, name: str) -> Watch | None:
        """The setting of that name in one file."""
        matches = self._called(path, name)
        return Watch(WatchKind.KEY, path=path, name=matches[0]) if len(matches) == 1 else None

    def _called(self, path: str, name: str) -> list[str]:
        """Keys of a file that are called so, whatever is around them; ``-`` and ``_`` are one where nothing is exact."""
        keys = self._keys(path)
        exact = [key for key in keys if _is_key(key, name)]
        return exact or [key for key in keys if _is_key(_spelled_alike(key), _spelled_alike(name))]

    def _settings(self, name: str) -> Iterator[Watch]:
        manifests = set(self._manifests)
        files = [path for path in self._files if path in manifests or _is_settings(path)]
        for path in files[:MOST_SETTINGS_FILES]:
            script = scripts_of(path, self._data(path)).get(name)
            if script is not None:
                yield Watch(WatchKind.KEY, path=path, name=script.key)
            else:
                yield from (Watch(WatchKind.KEY, path=path, name=key) for key in self._called(path, name))

    def _keys(self, path: str) -> tuple[str, ...]:
        if not (_is_settings(path) or basename(path) in TARGET_FILES):
            return ()
        if path not in self._named:
            data = self._data(path)
            self._named[path] = tuple(key_names(path, data)) if data else ()
        return self._named[path]


def _is_told(path: str) -> bool:
    return is_manifest(path) or basename(path) in _WITH_COMMANDS


def _with_ancestors(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = dirname(folder)


def _is_settings(path: str) -> bool:
    return language_of(path) in _SETTINGS and not is_lock(path) and not is_test(path)


def _spelled_alike(name: str) -> str:
    """``MAX_SIZE``, ``max-size`` and ``max_size`` are one name in another file's custom; ``BullMQ`` is none of them."""
    last = name.rpartition(".")[2]
    return name.replace("-", "_").lower() if last.isupper() else name.replace("-", "_")


def _script_watches(path: str, name: str, scripts: Mapping[str, Script]) -> Iterator[Watch]:
    """The script's own key and, one level deep, those of the scripts that it calls."""
    yield Watch(WatchKind.KEY, path=path, name=scripts[name].key)
    for called in called_scripts(scripts[name].value, scripts):
        if called != name:
            yield Watch(WatchKind.KEY, path=path, name=scripts[called].key)


def _is_called(name: str, declared: str) -> bool:
    wanted = folded(name)
    alike = folded(declared) == wanted and len(wanted) > 2
    return name == declared or (alike and (not declared.startswith("@") or name.startswith("@")))


def _is_scoped(name: str, declared: str) -> bool:
    """``NextJS`` for ``@acme/nextjs``: only where no dependency is called so by its whole name.

    A plain word means no package of somebody's: ``Node`` is not ``@sentry/node``.
    """
    wanted = folded(name)
    return folded(declared) == wanted and len(wanted) > 2 and (is_compound(name) or not name.isalpha())


def _is_module(name: str, declared: str) -> bool:
    """``go-github`` and ``google/go-github`` for ``github.com/google/go-github/v82``; no plain word."""
    path = without_major(declared)
    plain = name.isalpha() and not is_compound(name)
    return not plain and not declared.startswith("@") and path.endswith(f"/{name}")


def _is_library(name: str, declared: str) -> bool:
    """``libgit2`` for ``git2``: the library and what binds it."""
    one, other = folded(name), folded(declared)
    return (
        one != other
        and len(min(one, other, key=len)) > 2
        and one.removeprefix("lib") == other.removeprefix("lib")
    )


def _is_key(key: str, name: str) -> bool:
    """Whether a dotted key ends with all of a name; quotes around parts say nothing."""
    plain = key.replace('"', "")
    return plain == name or plain.endswith(f".{name}")


def _kinship(folder: str, near: Sequence[str]) -> int:
    """How deep the folder lies above one of the near ones; the root is 0, a stranger -1."""
    if not folder:
        return 0
    return folder.count("/") + 1 if any(f"{one}/".startswith(folder + "/") for one in near) else -1
