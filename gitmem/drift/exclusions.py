"""Files whose changes say nothing about a memory unless it names them (drift.md: lock, generated, vendored …)."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from posixpath import basename

from gitmem.model.glob import Glob, parse_glob

LOCK_FILES = frozenset(
    {
        "Cargo.lock",
        "Gemfile.lock",
        "Package.resolved",
        "Pipfile.lock",
        "bun.lock",
        "bun.lockb",
        "composer.lock",
        "flake.lock",
        "go.sum",
        "gradle.lockfile",
        "mix.lock",
        "npm-shrinkwrap.json",
        "package-lock.json",
        "packages.lock.json",
        "pdm.lock",
        "pnpm-lock.yaml",
        "poetry.lock",
        "pubspec.lock",
        "pylock.toml",
        "uv.lock",
        "yarn.lock",
    }
)
_FOLDERS = re.compile(r"(?:^|/)(?:vendor|third_party|node_modules|__snapshots__)/")
_CHANGELOG = re.compile(
    r"^(?:changelog|changes|history|news|release[-_ ]?notes)(?:\.(?:md|rst|txt|adoc))?$", re.IGNORECASE
)
_RULES = re.compile(
    r"(?:^|/)(?:\.[\w-]*rules|\.(?:ai|cursor|windsurf|clinerules)/.*|\.github/(?:instructions|prompts)/.*)$"
)
_MARKED_NAMES = (
    "*.snap",
    "*.min.js",
    "*.min.css",
    "*_pb2.py",
    "*.pb.go",
    "*.generated.*",
    "*.g.dart",
    "*.map",
)


def is_lock_file(path: str) -> bool:
    """Whether the file pins versions and is written by a tool."""
    return basename(path) in LOCK_FILES


def is_rules_file(path: str) -> bool:
    """Whether a file holds rules for agents or gitmem's own memories, where a name may live on that no code has."""
    return _RULES.search(path) is not None


def is_excluded(path: str, generated: frozenset[str] = frozenset()) -> bool:
    """Whether changes of the file are left out of a scope that does not name it.

    Args:
        path: Repository path.
        generated: Globs that ``.gitattributes`` marks ``linguist-generated`` or ``linguist-vendored``.
    """
    name = basename(path)
    return (
        is_lock_file(path)
        or _FOLDERS.search(path) is not None
        or _CHANGELOG.match(name) is not None
        or any(fnmatchcase(name, pattern) for pattern in _MARKED_NAMES)
        or any(_attribute_match(path, pattern) for pattern in generated)
    )


def generated_globs(attributes: bytes, folder: str = "") -> frozenset[str]:
    """Patterns of one ``.gitattributes`` file that mark generated or vendored files, made relative to the root.

    Args:
        attributes: The file's content.
        folder: The folder it lies in; empty at the root.
    """
    found = set()
    for line in attributes.decode("utf-8", "replace").splitlines():
        pattern, *marks = line.split() or [""]
        if pattern and not pattern.startswith("#") and any(_is_mark(mark) for mark in marks):
            found.add(
                f"{folder}/{pattern.lstrip('/')}" if folder and "/" in pattern else _below(folder, pattern)
            )
    return frozenset(found)


def _below(folder: str, name: str) -> str:
    return f"{folder}/**/{name}" if folder else name


def _is_mark(mark: str) -> bool:
    return mark in {
        "linguist-generated",
        "linguist-generated=true",
        "linguist-vendored",
        "linguist-vendored=true",
    }


def _attribute_match(path: str, pattern: str) -> bool:
    if "/" not in pattern:
        return fnmatchcase(basename(path), pattern)
    if not set("*?[") & set(pattern):
        return path == pattern.lstrip("/")
    glob = None if pattern.endswith("/") else _glob(pattern.lstrip("/"))
    return glob is not None and glob.matches(path.encode("utf-8", "surrogateescape"))


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> Glob | None:
    try:
        return parse_glob(pattern)
    except ValueError:
        return None
