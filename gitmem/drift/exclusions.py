"""Files whose changes say nothing about a memory unless it names them (drift.md: lock, generated, vendored …)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
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


_WILD = frozenset("*?[{")
_ALL = frozenset({"*", "**"})


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
    return (
        _FOLDERS.search(path) is not None
        or _has_excluded_name(basename(path))
        or any(_attribute_match(path, pattern) for pattern in generated)
    )


def is_outside(path: str, globs: Iterable[str], generated: frozenset[str] = frozenset()) -> bool:
    """Whether changes of the file are left out of a scope, which may name it.

    A glob names it that is its path or a folder above it, that begins inside what is left out (``vendor/lib/**``,
    ``src/made/*.py``), or whose last part is the name that is left out (``**/uv.lock``, ``**/*.snap``).

    Args:
        path: Repository path, matched by the scope.
        globs: The scope's globs as written.
        generated: As in `is_excluded`.
    """
    return is_excluded(path, generated) and not any(_names(glob, path, generated) for glob in globs)


def _names(glob: str, path: str, generated: frozenset[str]) -> bool:
    last = basename(glob.rstrip("/"))
    if glob == path or (_has_excluded_name(last) and fnmatchcase(basename(path), last)):
        return True
    marked = [pattern for pattern in generated if _attribute_match(path, pattern)]
    if any(last == basename(pattern) and last not in _ALL for pattern in marked):
        return True
    lead = f"{_lead(glob)}/"
    if lead == "/" or not f"{path}/".startswith(lead):
        return False
    whole = [_lead(pattern) for pattern in marked if basename(pattern) in _ALL]
    return _FOLDERS.search(lead) is not None or any(root and lead.startswith(f"{root}/") for root in whole)


def _lead(glob: str) -> str:
    """The folders before the first wildcard of a glob; all of it when it has none."""
    parts = glob.strip("/").split("/")
    wild = next((at for at, part in enumerate(parts) if _WILD & set(part)), len(parts))
    return "/".join(parts[:wild])


def _has_excluded_name(name: str) -> bool:
    return (
        name in LOCK_FILES
        or _CHANGELOG.match(name) is not None
        or any(fnmatchcase(name, pattern) for pattern in _MARKED_NAMES)
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


def binary_by_attributes(paths: Iterable[str], attributes: Mapping[str, bytes]) -> frozenset[str]:
    """Those of some paths that ``.gitattributes`` files call binary, so that git searches no text in them.

    Args:
        paths: Repository paths.
        attributes: Content of each ``.gitattributes`` by its path; the last line that fits counts, deeper files first.
    """
    rows = [
        (_placed(path, pattern), is_binary)
        for path in sorted(attributes, key=lambda one: one.count("/"))
        for pattern, is_binary in _diff_marks(attributes[path])
    ]
    if not any(is_binary for _, is_binary in rows):
        return frozenset()
    return frozenset(
        path
        for path in paths
        if next((binary for pattern, binary in reversed(rows) if _attribute_match(path, pattern)), False)
    )


def _diff_marks(attributes: bytes) -> Iterator[tuple[str, bool]]:
    """Each pattern that says whether its files are compared as text, and whether they are not."""
    for line in attributes.decode("utf-8", "replace").splitlines():
        pattern, *marks = line.split() or [""]
        said = [one for one in marks if one.partition("=")[0].lstrip("-!") in {"diff", "binary"}]
        if pattern and not pattern.startswith(("#", "[")) and said:
            yield pattern, said[-1] in {"-diff", "binary"}


def _placed(attributes: str, pattern: str) -> str:
    """A pattern of a ``.gitattributes`` file made relative to the root."""
    folder = attributes.rpartition("/")[0]
    inside = "/" in pattern.strip("/") or pattern.startswith("/")
    return f"{folder}/{pattern.lstrip('/')}".lstrip("/") if folder and inside else _below(folder, pattern)


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
