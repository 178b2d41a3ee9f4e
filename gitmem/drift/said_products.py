"""Products of several words with their version, and the tables of a tool's file that a statement speaks of.

"React DevTools 4.x" is the dependency ``react-devtools-core`` while the manifest asks for a 4; "mise tasks", "npm scripts" and
"docker compose services" are the table of that name in the tool's own file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename

from gitmem.drift.content.reading import key_value
from gitmem.drift.declared import dependencies_of, folded
from gitmem.drift.stated import ANY, stated_value, states
from gitmem.drift.tools import VERSIONED, Tools
from gitmem.drift.view import TreeView
from gitmem.drift.words import versions_behind
from gitmem.model.watch import Watch, WatchKind

SHORTEST = 8
"""Letters of a product's joined name by which the beginning of a dependency's is known."""
_PRODUCT = re.compile(r"(?<![\w./-])[A-Z][\w.]*(?:\s[A-Z][\w.]*){1,2}(?![\w./-])")
_TABLES = {
    "tasks": ("task", "tasks", "태스크", "タスク", "任务"),
    "scripts": ("script", "scripts", "스크립트", "スクリプト", "脚本"),
    "services": ("service", "services", "서비스", "サービス", "服务"),
    "tools": ("tool", "tools", "도구", "ツール", "工具"),
    "workspaces": ("workspaces", "워크스페이스", "ワークスペース", "工作区"),
    "hooks": ("hook", "hooks", "훅", "フック"),
    "workspace": ("workspace", "workspaces", "워크스페이스"),
    "plugins": ("plugin", "plugins", "플러그인", "プラグイン", "插件"),
    "catalog": ("catalog", "카탈로그"),
    "overrides": ("overrides",),
    "profile": ("profiles", "프로파일"),
    "features": ("features",),
}
_FILES = {
    "npm": ("package.json",),
    "pnpm": ("package.json", "pnpm-workspace.yaml"),
    "yarn": ("package.json",),
    "bun": ("package.json",),
    "composer": ("composer.json",),
    "deno": ("deno.json", "deno.jsonc"),
    "cargo": ("Cargo.toml",),
    "mise": ("mise.toml", ".mise.toml"),
    "pixi": ("pixi.toml",),
    "turbo": ("turbo.json",),
    "poe": ("pyproject.toml",),
    "compose": ("docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"),
}
_NOUNS = sorted({one for words in _TABLES.values() for one in words}, key=len, reverse=True)
_TABLE = re.compile(
    rf"(?i)(?<![\w/.-])`?(?P<tool>{'|'.join(_FILES)})`?\s(?P<noun>{'|'.join(map(re.escape, _NOUNS))})(?![A-Za-z0-9_/.-])"
)


def said_products(
    text: str, view: TreeView, files: Sequence[str], tools: Tools, banned: Iterable[int]
) -> Iterator[Watch]:
    """Watches of the versions and tables of products that a statement speaks of.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        tools: The manifests.
        banned: Where prohibited names stand.
    """
    without = tuple(banned)
    for found in _PRODUCT.finditer(text):
        if not any(found.start() <= at < found.end() for at in without):
            for version in versions_behind(text, found.end()):
                yield from _version(found[0], version, view, tools)
    for found in _TABLE.finditer(text):
        if not any(found.start() <= at < found.end() for at in without):
            yield from _table(found["tool"].lower(), found["noun"].lower(), view, files)


def _version(product: str, version: str, view: TreeView, tools: Tools) -> Iterator[Watch]:
    """The one dependency that is called so, or begins so, and asks for this version; nearest manifest first."""
    wanted = folded(product.replace(" ", ""))
    for path in tools.governing:
        data = view.read(path) or b""
        names = dependencies_of(path, data)
        alike = [one for one in names if folded(one) == wanted]
        alike = alike or [one for one in names if len(wanted) >= SHORTEST and folded(one).startswith(wanted)]
        for name in alike if len(alike) == 1 else ():
            for table in VERSIONED:
                value = key_value(path, data, f"{table}.{name}")
                if value is not None and states(value, version):
                    yield Watch(WatchKind.KEY, path=path, name=f"{table}.{name}@{version}")
                    return


def _table(tool: str, noun: str, view: TreeView, files: Sequence[str]) -> Iterator[Watch]:
    """The table in the tool's file of the scope; none where it is empty."""
    keys = [key for key, words in _TABLES.items() if noun in words]
    for path in files:
        if basename(path) not in _FILES[tool]:
            continue
        for key in keys:
            name = f"{'tool.poe.' if tool == 'poe' else ''}{key}@{ANY}"
            if stated_value(path, view.read(path) or b"", name) == ANY:
                yield Watch(WatchKind.KEY, path=path, name=name)
                return
