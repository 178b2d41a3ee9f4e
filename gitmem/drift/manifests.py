"""Manifests: files that declare dependencies, scripts and targets.

A name that a manifest declares is judged by manifests alone (drift.md, "The steps" 7): a forgotten mention in a CI
file does not keep a removed dependency alive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from posixpath import basename

from gitmem.drift.content.reading import key_names, key_value

MANIFESTS = frozenset(
    {
        "package.json",
        "pyproject.toml",
        "Cargo.toml",
        "go.mod",
        "Gemfile",
        "composer.json",
        "Package.swift",
        "Makefile",
        "GNUmakefile",
        "justfile",
        "Pipfile",
        "setup.cfg",
        "build.gradle",
        "build.gradle.kts",
        "pom.xml",
    }
)
_TABLES = re.compile(
    r"(?:^|\.)(?:dependencies|devDependencies|peerDependencies|optionalDependencies|dev-dependencies|build-dependencies"
    r"|scripts|gui-scripts|require|require-dev|packages|dev-packages)\.(?P<name>\"[^\"]+\"|[^.]+)$"
)
_LISTS = re.compile(
    r"^(?:project\.dependencies|project\.optional-dependencies\..+|dependency-groups\..+|tool\.uv\.dev-dependencies|build-system\.requires)$"
)
_SETUP_TABLES = frozenset({"options.extras_require", "options.entry_points"})
_REQUIREMENT = re.compile(r"^\s*\"?([A-Za-z0-9][A-Za-z0-9._-]*)")
_PLAIN = {
    "go.mod": re.compile(r"^[^\S\n]*(?:require\s+)?([\w-]++\.[\w.-]++/\S+)\s+v", re.MULTILINE),
    "Gemfile": re.compile(r"^[^\S\n]*gem\s+['\"]([^'\"]+)", re.MULTILINE),
    "Package.swift": re.compile(r"\.package\([^)]{0,600}?(?:name:\s*\"([^\"]+)\"|/([\w.-]+?)(?:\.git)?\")"),
    "build.gradle": re.compile(r"['\"][\w.-]+:([\w.-]+):"),
    "build.gradle.kts": re.compile(r"['\"][\w.-]+:([\w.-]+):"),
    "pom.xml": re.compile(r"<artifactId>\s*([^<\s]+)"),
    "justfile": re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:\n]*)?:(?!=)", re.MULTILINE),
}


@lru_cache(maxsize=65_536)
def is_manifest(path: str) -> bool:
    """Whether the file declares dependencies, scripts or targets."""
    name = basename(path)
    return name in MANIFESTS or _is_requirements(name)


@lru_cache(maxsize=64)
def declared_names(path: str, data: bytes) -> frozenset[str]:
    """Names of dependencies, scripts and targets that a manifest declares; empty for other files."""
    name = basename(path)
    if _is_requirements(name):
        return frozenset(_requirements(data.decode("utf-8", "replace").splitlines()))
    if name in _PLAIN:
        found = _PLAIN[name].findall(data.decode("utf-8", "replace"))
        names = [one for item in found for one in ((item,) if isinstance(item, str) else item) if one]
        return frozenset([*names, *(map(without_major, names) if name == "go.mod" else ())])
    if name == "setup.cfg":
        return frozenset(_of_setup(path, data))
    if name in {"Makefile", "GNUmakefile"}:
        return frozenset(key_names(path, data))
    return frozenset(_structured(path, data)) if name in MANIFESTS else frozenset()


def without_major(module: str) -> str:
    """A Go module's path without the major version that ends it: another one is the same library."""
    return re.sub(r"(?<=[\w-])/v\d+$", "", module) if "." in module.partition("/")[0] else module


def _structured(path: str, data: bytes) -> Iterable[str]:
    for key in key_names(path, data):
        table = _TABLES.search(key)
        if table:
            yield table["name"].strip('"')
        elif _LISTS.match(key):
            yield from _requirements(re.findall(r'"((?:[^"\\]|\\.)*)"', key_value(path, data, key) or ""))


def _of_setup(path: str, data: bytes) -> Iterable[str]:
    for key in key_names(path, data):
        table, _, field = key.rpartition(".")
        if field in {"install_requires", "setup_requires"} or table.strip('"') in _SETUP_TABLES:
            text = json.loads(key_value(path, data, key) or '""')
            yield from _requirements(text.splitlines() if isinstance(text, str) else ())


def _requirements(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        found = _REQUIREMENT.match(line)
        if found and not line.lstrip().startswith("#"):
            yield found[1]


def _is_requirements(name: str) -> bool:
    return name.startswith("requirements") and name.endswith((".txt", ".in"))
