"""The folders of a repository with the code in them: what is left out of its architecture, and where code branches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from gitmem.drift.exclusions import is_excluded

_CODE = frozenset(
    [
        "c",
        "cc",
        "clj",
        "cljs",
        "cpp",
        "cs",
        "cu",
        "cxx",
        "dart",
        "erl",
        "ex",
        "exs",
        "fs",
        "go",
        "graphql",
        "groovy",
        "h",
        "hh",
        "hpp",
        "hs",
        "java",
        "jl",
        "js",
        "jsx",
        "kt",
        "kts",
        "lua",
        "m",
        "mjs",
        "cjs",
        "ml",
        "mm",
        "mts",
        "cts",
        "php",
        "pl",
        "pm",
        "prisma",
        "proto",
        "ps1",
        "py",
        "pyi",
        "pyx",
        "r",
        "rb",
        "rs",
        "scala",
        "sc",
        "sh",
        "sol",
        "sql",
        "svelte",
        "swift",
        "tf",
        "ts",
        "tsx",
        "vb",
        "vue",
        "zig",
        "astro",
    ]
)
_NOT_ARCHITECTURE = frozenset(
    [
        "__fixtures__",
        "__generated__",
        "__mocks__",
        "__snapshots__",
        "__tests__",
        "__test__",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "changelogs",
        "cookbook",
        "demo",
        "demos",
        "dist",
        "doc",
        "docs",
        "documentation",
        "e2e",
        "example",
        "examples",
        "fixture",
        "fixtures",
        "gen",
        "generated",
        "node_modules",
        "obj",
        "out",
        "playground",
        "playgrounds",
        "sample",
        "samples",
        "snippets",
        "spec",
        "specs",
        "target",
        "test",
        "test-fixtures",
        "testdata",
        "testfixtures",
        "testing",
        "tests",
        "test-e2e",
        "third-party",
        "third_party",
        "tutorial",
        "tutorials",
        "vendor",
        "vendored",
        "integration-tests",
        "e2e-tests",
        "unit-tests",
        "notebooks",
        "testlib",
        "testutil",
        "testutils",
        "testhelper",
        "testhelpers",
        "test-utils",
        "test_utils",
        "test-support",
        "guides",
        "perf",
        "_vendor",
        "tests-d",
    ]
)
_TEST_NAME = re.compile(
    r"(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*(?:_test|_spec|[.-](?:test|tests|spec|stories|cy|bench))\.[^/]+"
    r"|[^/]*[a-z](?:Test|Tests|Spec|IT)\.(?:java|kt|cs|swift|scala|php))$"
)
_ASIDE = re.compile(
    r"[._-](?:unit|integration|functional|e2e)?[._-]?(?:tests?|specs?|e2e|examples?|demos?|samples?)$|benchmarks?$",
    re.IGNORECASE,
)
_SETTINGS = re.compile(r"(?:^|[.-])config\.[cm]?[jt]s$|\.d\.ts$|\.conf\.[cm]?js$")
_BUILD_FILES = frozenset(
    {
        "setup.py",
        "noxfile.py",
        "tasks.py",
        "Package.swift",
        "build.rs",
        "gulpfile.js",
        "karma.conf.js",
        "manage.py",
    }
    | {"build.gradle.kts", "settings.gradle.kts", "webpack.mix.js", "fabfile.py"}
)

HOLDERS = frozenset(
    [
        "app",
        "apps",
        "cmd",
        "components",
        "crates",
        "extensions",
        "internal",
        "lib",
        "libs",
        "modules",
        "packages",
        "pkg",
        "pkgs",
        "plugins",
        "projects",
        "services",
        "source",
        "sources",
        "src",
    ]
)
"""Folders that hold parts side by side and are none themselves."""


def is_left_out(folder: str) -> bool:
    """Whether a folder holds tests, documents, examples, vendored or generated files, or tools' settings (``.x``)."""
    return any(_is_left_out_name(name) for name in folder.split("/") if name)


def _is_left_out_name(name: str) -> bool:
    return name.startswith(".") or name.lower() in _NOT_ARCHITECTURE or _ASIDE.search(name) is not None


def is_code(path: str) -> bool:
    """Whether a file is source code that belongs to the architecture: no test, no settings of a tool, no build file."""
    name = path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return (
        bool(stem and dot)
        and suffix.lower() in _CODE
        and name not in _BUILD_FILES
        and not _TEST_NAME.search(name)
        and not _SETTINGS.search(name)
    )


def architecture_files(paths: Collection[str], generated: frozenset[str] = frozenset()) -> list[str]:
    """The source files that an architecture is drawn from, sorted.

    Args:
        paths: Every path of the tree.
        generated: Globs that ``.gitattributes`` marks (`gitmem.drift.exclusions.generated_globs`).
    """
    left_out: dict[str, bool] = {}
    kept = []
    for path in paths:
        folder = path.rpartition("/")[0]
        if folder not in left_out:
            left_out[folder] = is_left_out(folder)
        if not left_out[folder] and is_code(path) and not is_excluded(path, generated):
            kept.append(path)
    return sorted(kept)


class Folders:
    """Folders that hold code, with how much of it; the root is the empty text.

    Args:
        files: Source files, as `architecture_files` gives them.
    """

    def __init__(self, files: Collection[str]) -> None:
        self.files = files
        self._below: dict[str, int] = {}
        self._loose: dict[str, list[str]] = {}
        self._children: dict[str, set[str]] = {}
        for path in files:
            self._loose.setdefault(path.rpartition("/")[0], []).append(path)
        for folder, loose in self._loose.items():
            for above in with_parents(folder):
                self._below[above] = self._below.get(above, 0) + len(loose)
                if above:
                    self._children.setdefault(above.rpartition("/")[0], set()).add(above)

    def count(self, folder: str) -> int:
        """Source files at any depth."""
        return self._below.get(folder, 0)

    def loose(self, folder: str) -> list[str]:
        """Source files right in the folder."""
        return self._loose.get(folder, [])

    def children(self, folder: str) -> list[str]:
        """Folders right below that hold code."""
        return sorted(self._children.get(folder, ()))

    def seat(self, folder: str) -> str:
        """Where the code of a folder branches: down through folders that hold nearly all of it (``src/main/java/com``)."""
        while True:
            most = max(self.children(folder), key=self.count, default="")
            if not most or self.count(most) < NEARLY_ALL * self.count(folder):
                return folder
            folder = most


NEARLY_ALL = 0.8


def with_parents(folder: str) -> Iterator[str]:
    """The folder, every folder above it, and the root."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""
