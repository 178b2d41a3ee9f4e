"""What a command line of a statement says of the project's packages beside the script that it runs.

| in the text | watch |
|---|---|
| ``cargo run -p app_cli``, ``pnpm --filter @acme/web dev``, ``yarn workspace web build`` | the name in that package's manifest |
| ``pnpm install --frozen-lockfile``, ``yarn lint``, ``npm ci``, ``uv sync`` | what makes that tool the package manager: a setting, or its lock file |

``npm install some-package`` is what a user of it types, whatever the project itself is managed with.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from posixpath import basename, dirname

from gitmem.drift.content.reading import key_value
from gitmem.drift.declared import folded
from gitmem.drift.tools import Tools
from gitmem.drift.view import TreeView
from gitmem.drift.words import TokenKind, code_tokens
from gitmem.model.watch import Watch, WatchKind

MOST_MANIFESTS = 200
"""Manifests that are read for a package whose folder is not called like it."""
_NAME = r"[\"']?(?P<name>@?[A-Za-z][\w.-]{0,60}(?:/[\w.-]{1,60})?)"
_LINES = tuple(
    (
        re.compile(rf"(?<![\w./-])(?:{program})\s(?:[^\n`;|&]{{0,80}}?\s)?(?:{option})[ =]{_NAME}"),
        manifest,
        key,
    )
    for program, option, manifest, key in (
        ("cargo", "-p|--package", "Cargo.toml", "package.name"),
        ("pnpm|turbo|bun", "--filter|-F", "package.json", "name"),
        ("yarn", "workspace", "package.json", "name"),
        ("npm", "-w|--workspace", "package.json", "name"),
        ("uv", "--package", "pyproject.toml", "project.name"),
    )
)
_INSTALL = re.compile(
    r"(?<![\w./-])(?P<tool>npm|pnpm|yarn|bun|uv|poetry|pdm|pipenv|bundle|composer)\s(?:install|ci|sync|i)(?![\w-])"
)
_SCRIPTS_OF_OWN = frozenset({"yarn", "pnpm", "bun"})
"""Runners of scripts that are the package manager, too; npm runs them in any project."""
_ANYBODYS = frozenset(
    [
        *(
            "install",
            "i",
            "ci",
            "add",
            "remove",
            "rm",
            "up",
            "update",
            "upgrade",
            "exec",
            "x",
            "dlx",
            "create",
            "init",
        ),
        *(
            "publish",
            "pack",
            "view",
            "login",
            "logout",
            "whoami",
            "config",
            "version",
            "link",
            "unlink",
            "info",
        ),
        *("audit", "outdated", "why", "help", "self", "cache", "set"),
    ]
)
"""Commands of a package manager that say nothing of the project, or do so only without a package behind them."""
_BARE = re.compile(r"(?:\s+--?(?!g\b|global\b)[\w=.-]+)*+\s*+(?:$|[`\n;&|)\"'。.,#]|(?=[^\x00-\x7f]))")
"""What may follow a command that installs what the project itself asks for."""


def said_packages(
    text: str, view: TreeView, files: Sequence[str], tools: Tools, banned: Iterable[int]
) -> Iterator[Watch]:
    """Watches of the packages and the package manager of a statement's commands.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        tools: Looks up what makes a tool the package manager.
        banned: Where prohibited names stand.
    """
    for pattern, manifest, key in _LINES:
        for found in pattern.finditer(text):
            name = found["name"].rstrip(".")
            if (path := _manifest(name, manifest, key, view, files)) is not None:
                yield Watch(WatchKind.KEY, path=path, name=key)
    for manager in dict.fromkeys(_managers(text, frozenset(banned))):
        if (watch := tools.package_manager(manager)) is not None:
            yield watch


def _managers(text: str, banned: Container[int]) -> Iterator[str]:
    """The tools whose commands tell what the project is managed with."""
    for found in _INSTALL.finditer(text):
        if _BARE.match(text, found.end()) is not None:
            yield "bundler" if found["tool"] == "bundle" else found["tool"]
    for token in code_tokens(text):
        is_script = token.kind is TokenKind.COMMAND and token.runner in _SCRIPTS_OF_OWN
        if is_script and token.text not in _ANYBODYS and token.start not in banned:
            yield token.runner


def _manifest(name: str, manifest: str, key: str, view: TreeView, files: Sequence[str]) -> str | None:
    """The manifest of the package of that name: one whose folder is called alike before the others, the scope's first."""
    last, scope = folded(name.rpartition("/")[2]), frozenset(files)
    known = [path for path in view.paths() if basename(path) == manifest]
    alike = [path for path in known if path in scope or _is_alike(basename(dirname(path)), last)]
    others = known if len(known) <= MOST_MANIFESTS else []
    for path in dict.fromkeys([*sorted(alike, key=lambda one: (one not in scope, one)), *others]):
        value = key_value(path, view.read(path) or b"", key)
        if value is not None and value.strip('"') == name:
            return path
    return None


def _is_alike(folder: str, last: str) -> bool:
    plain = folded(folder)
    return bool(plain) and (plain in last or last in plain)
