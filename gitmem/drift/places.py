"""Finding the file or folder that a statement means by a path that it writes shortened, relative or as a module."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from difflib import get_close_matches
from posixpath import basename, commonpath, dirname, normpath, splitext

from gitmem.drift.declared import folded
from gitmem.drift.view import TreeView

_MODULE_FORMS = [
    ".py",
    ".pyi",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".go",
    ".rs",
    ".rb",
    ".java",
    ".kt",
    ".swift",
    ".php",
    ".cs",
    "/__init__.py",
    "/index.ts",
    "/index.tsx",
    "/index.js",
    "/index.mjs",
    "/mod.rs",
]
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
SHORTEST_PRODUCT = 4
MAX_LINK = 400
"""Characters; a longer file is no link's target."""
_WILD = re.compile(r"[*?\[{]")
_MADE = re.compile(
    r"(?:^|/)(?:dist|build|node_modules|target|out|coverage|tmp|temp|\.venv|venv|__pycache__|\.next|\.cache|logs?)(?:/|$)|^(?:~|/)"
)


_UPWARDS = re.compile(r"^(?:\.\.?/)+")


class Places:
    """Looks paths up in one tree for one memory.

    Args:
        view: The tree.
        globs: The memory's scope as written.
        files: The files that it matches.
        document: Path of the document that the statement stands in; None when it stands in the memory alone.
    """

    def __init__(
        self, view: TreeView, globs: Sequence[str], files: Sequence[str], document: str | None
    ) -> None:
        self._view = view
        self._paths = view.paths()
        self._files = files
        self.literal = frozenset(glob for glob in globs if not _WILD.search(glob))
        """Paths that the scope names without wildcards."""
        self.folders = tuple(dict.fromkeys(_static_folder(glob, self._paths) for glob in globs))
        """Folders in which the scope's globs begin."""
        folders = [*([dirname(document)] if document else []), *(self.folders or [_common_folder(files)])]
        self._bases = list(
            dict.fromkeys(base for folder in folders for base in (folder, *_ancestors(folder)))
        )

    def find(self, raw: str) -> str | None:
        """The path that is meant, folders with a trailing slash; None when none or several could be."""
        text = raw.strip("/")
        if not text:
            return None
        bare = "/" not in raw and "." in text.lstrip(".")
        if bare and (inside := self._one(path for path in self._files if basename(path) == text)):
            return inside
        for base in ("", *self._bases):
            if found := self._at(_join(base, text)):
                return found
        rest = _UPWARDS.sub(
            "", text
        )  # from a document that is not known, any folder above it may be the root
        if rest != text and (found := self._at(rest)):
            return found
        return self._by_suffix(rest, folder=raw.endswith("/") or "/" in rest)

    def module(self, name: str) -> str | None:
        """The file or folder of an import specifier or a module of Gradle: ``@/i18n/server``, ``~/lib/x``, ``vultron.core.x``, ``:core:ui``."""
        if ":" in name:
            return self._gradle_module(name.strip(":").replace(":", "/"))
        if re.match(r"[@~]/", name):
            return self._in_scope_first(name[2:])
        if "/" not in name and "." in name:
            return self._in_scope_first(name.replace(".", "/"))
        return None

    def _gradle_module(self, path: str) -> str | None:
        """The folder of a project of a Gradle build, which has a build file of its own."""
        built = any(f"{path}/{name}" in self._paths for name in ("build.gradle.kts", "build.gradle"))
        return f"{path}/" if built else None

    def nearest(self, raw: str) -> str | None:
        """A file or folder that a missing path may have meant: the same name elsewhere, or nearly that name there."""
        name = basename(raw.rstrip("/"))
        if name == raw and any(basename(path) == name for path in self._paths):
            return None
        if folder := self._like_folder(raw.strip("/")):
            return folder
        same = [path for path in self._paths if basename(path) == name]
        if same:
            return min(same, key=lambda path: (path not in self._files, path.count("/"), path))
        for base in ("", *self._bases):
            folder = dirname(_join(base, raw.rstrip("/")) or "")
            if folder and self._view.is_folder(folder):
                siblings = {_child(path, folder) for path in self._paths if path.startswith(folder + "/")}
                close = get_close_matches(name, sorted(siblings), 1, 0.75)
                if close:
                    found = f"{folder}/{close[0]}"
                    return found + "/" if self._view.is_folder(found) else found
        return None

    def _like_folder(self, text: str) -> str | None:
        """The only folder with the same first and last part: ``src/tools`` for ``src/app/tools``."""
        first, sep, rest = text.partition("/")
        last = rest.rpartition("/")[2]
        if not sep or "." in last:
            return None
        middle = f"/{last}/"
        found = {
            path[: path.index(middle) + len(middle)]
            for path in self._paths
            if path.startswith(first + "/") and middle in path
        }
        return next(iter(found)) if len(found) == 1 else None

    def is_plausible(self, raw: str) -> bool:
        """Whether a missing path claims to lie in this tree: its first folder exists, and it is not made by a build."""
        first, sep, _ = raw.strip("/").partition("/")
        if not sep or _MADE.search(raw) or "[" in raw:
            return False
        return any(self._view.is_folder(_join(base, first) or "") for base in ("", *self._bases))

    def _at(self, path: str | None) -> str | None:
        if path is None:
            return None
        if path in self._paths:
            return path
        if self._view.is_folder(path):
            return path + "/"
        stem, extension = splitext(path)
        forms = [stem + form for form in _COMPILED.get(extension, ())] or [
            path + form for form in _MODULE_FORMS
        ]
        found = next((form for form in forms if form in self._paths), None)
        return found or self._through_link(path)

    def _through_link(self, path: str) -> str | None:
        """The path behind a symbolic link that one of its folders is; links are followed once."""
        link = next((one for one in _ancestors(path) if one in self._paths), None)
        target = (self._view.read(link) or b"").decode("utf-8", "surrogateescape") if link else ""
        if link is None or not target or len(target) > MAX_LINK or "\n" in target:
            return None
        behind = _join(dirname(link), target + path[len(link) :])
        return (
            self._at(behind) if behind and not any(one in self._paths for one in _ancestors(behind)) else None
        )

    def _in_scope_first(self, text: str) -> str | None:
        forms = tuple("/" + text + form for form in ("", *_MODULE_FORMS))
        inside = self._one(path for path in self._files if ("/" + path).endswith(forms))
        return inside or self.find(text)

    def _by_suffix(self, text: str, *, folder: bool) -> str | None:
        tail, middle = "/" + text, f"/{text}/"
        files = [path for path in self._paths if path.endswith(tail)]
        if files:
            return self._one(files)
        if not folder:
            return None
        folders = {path[: path.index(middle) + len(middle)] for path in self._paths if middle in path}
        if folders:
            return self._one(folders)
        forms = tuple(tail + form for form in _MODULE_FORMS)
        return self._one(path for path in self._paths if path.endswith(forms))

    def _one(self, found: Iterable[str]) -> str | None:
        """The only one; of several the only one in scope."""
        several = list(dict.fromkeys(found))
        if len(several) > 1:
            scope = set(self._files)
            several = [
                path
                for path in several
                if path in scope or (path.endswith("/") and any(f.startswith(path) for f in scope))
            ]
        return several[0] if len(several) == 1 else None


def called_alike(wanted: str, scope: Iterable[str], literal: Container[str] | None) -> list[str]:
    """Files and folders of a scope that are called as a product is: ``lerna.json`` and ``lerna/`` for ``Lerna``.

    Args:
        wanted: The product's name, folded.
        scope: Files that the scope matches.
        literal: Files that alone count, folders not, when the product is a plain word; None when any counts.
    """
    if len(wanted) < SHORTEST_PRODUCT:
        return []
    files, folders = set(), set()
    for path in scope:
        *above, name = path.split("/")
        if folded(name.rpartition(".")[0]) == wanted and (literal is None or path in literal):
            files.add(path)
        for depth, part in enumerate(above[1:] if literal is None else (), 2):
            if folded(part) == wanted:
                folders.add("/".join(above[:depth]) + "/")
    return sorted(files) + sorted(folders)


_GLOB = re.compile(r"`(?P<folder>[\w.@+-]+(?:/[\w.@+-]+)*)/(?P<rest>[^\s`/]*\*[^\s`]*)`")


def cited_folders(text: str, view: TreeView, scope: Sequence[str]) -> list[str]:
    """Folders of globs that the words cite, ``src/snapshots/*.snap``; not those that the whole scope lies in."""
    found = dict.fromkeys(f"{match['folder']}/" for match in _GLOB.finditer(text))
    return [
        folder
        for folder in found
        if view.is_folder(folder.rstrip("/")) and not all(path.startswith(folder) for path in scope)
    ]


def is_test(path: str) -> bool:
    """Whether a file is a test by the custom of its place or name."""
    return bool(
        re.search(
            r"(?:^|/)(?:tests?|__tests__|specs?|e2e|fixtures|testdata)/|[._]test\.|(?:^|/)test_|[._]spec\.|Tests?\.\w+$",
            path,
        )
    )


def _join(base: str, text: str) -> str | None:
    path = normpath(f"{base}/{text}" if base else text)
    return None if path.startswith("..") or path == "." else path


def _ancestors(folder: str) -> Iterable[str]:
    while folder := dirname(folder):
        yield folder


def _static_folder(glob: str, paths: Iterable[str]) -> str:
    if glob in paths:
        return dirname(glob)
    wild = _WILD.search(glob)
    head = glob[: wild.start()] if wild else glob.rstrip("/") + "/"
    return head.rpartition("/")[0]


def _common_folder(files: Sequence[str]) -> str:
    return commonpath(list(map(dirname, files))) if files else ""


def _child(path: str, folder: str) -> str:
    return path[len(folder) + 1 :].partition("/")[0]
