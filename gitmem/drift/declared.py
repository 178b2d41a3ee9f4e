"""Names that a manifest declares, told apart: scripts and targets with their values, and dependencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from posixpath import basename
from typing import NamedTuple

from gitmem.drift.content.reading import key_names, key_value
from gitmem.drift.manifests import declared_names

_SCRIPTS = re.compile(
    r"^(?:scripts|(?:feature\.[^.]+\.|target\.[^.]+\.|tool\.pixi\.(?:feature\.[^.]+\.)?)?tasks|project\.scripts|project\.gui-scripts|tool\.poetry\.scripts|tool\.pdm\.scripts|tool\.rye\.scripts"
    r"|tool\.poe\.tasks|tool\.taskipy\.tasks|tool\.hatch\.envs\.[^.]+\.scripts)\.(?P<name>\"[^\"]+\"|[^.]+)(?P<field>\.(?:run|cmd|shell|cmds))?$"
)
_DEPENDENCY_TABLES = re.compile(
    r"(?:^|\.)(?:dependencies|devDependencies|peerDependencies|optionalDependencies|dev-dependencies|build-dependencies"
    r"|require|require-dev|packages|dev-packages)\.(?P<name>\"[^\"]+\"|[^.]+)$"
)
_RUNS = re.compile(
    r"(?:\b(?:npm|yarn|pnpm|bun)\s+(?:run\s+)?|\b(?:run-s|run-p|npm-run-all|npm-run-all2|concurrently)\b)(?P<rest>[^&|;]*)"
)
TARGET_FILES = frozenset(
    {"Makefile", "GNUmakefile", "makefile", "justfile", "Justfile", "Taskfile.yml", "Taskfile.yaml"}
)
SCRIPT_FILES = frozenset(
    {
        "package.json",
        "composer.json",
        "deno.json",
        "deno.jsonc",
        "pyproject.toml",
        "Pipfile",
        "pixi.toml",
        "mise.toml",
        ".mise.toml",
    }
)


class Script(NamedTuple):
    """A script or target: its key in the manifest, and what it runs."""

    key: str
    value: str


def scripts_of(path: str, data: bytes) -> Mapping[str, Script]:
    """Scripts and targets by name; empty for files that hold none."""
    name = basename(path)
    if name in TARGET_FILES and not name.startswith("Taskfile"):
        return {key: Script(key, key_value(path, data, key) or "") for key in key_names(path, data)}
    if name not in SCRIPT_FILES | TARGET_FILES:
        return {}
    found: dict[str, Script] = {}
    for key in key_names(path, data):
        match = _SCRIPTS.match(key)
        if match:
            script = Script(key, key_value(path, data, key) or "")
            if match["field"] == ".run":  # what a task of mise runs, without its description
                found[match["name"].strip('"')] = script
            else:
                found.setdefault(match["name"].strip('"'), script)
    return found


@lru_cache(maxsize=64)
def dependencies_of(path: str, data: bytes) -> frozenset[str]:
    """Names of dependencies alone, as the manifest spells them."""
    if basename(path) in TARGET_FILES:
        return frozenset()
    named = declared_names(path, data)
    scripts = scripts_of(path, data)
    if not scripts:
        return named
    tables = (_DEPENDENCY_TABLES.search(key) for key in key_names(path, data))
    return (named - scripts.keys()) | {match["name"].strip('"') for match in tables if match}


def called_scripts(value: str, names: Iterable[str]) -> tuple[str, ...]:
    """Scripts that a script's value runs through a script runner (``run-s lint:*``, ``yarn build && yarn test``)."""
    known = list(names)
    called: dict[str, None] = {}
    for match in _RUNS.finditer(value):
        for word in re.findall(r"[\w@:*./-]+", match["rest"]):
            if word.startswith("-"):
                continue
            pattern = re.compile(re.escape(word).replace(r"\*\*", ".*").replace(r"\*", "[^:]*") + "$")
            called.update(dict.fromkeys(name for name in known if pattern.match(name)))
            if match.group().startswith(("npm ", "yarn ", "pnpm ", "bun ")):
                break
    return tuple(called)


@lru_cache(maxsize=16_384)
def folded(name: str) -> str:
    """A name without case, separators and a platform's suffix, for comparing ``NextAuth.js`` with ``next-auth``."""
    plain = re.sub(r"\.(?:js|io|ai|net)$", "", name.lower())
    return re.sub(r"[^0-9a-z\u0080-\uffff]", "", plain.rpartition("/")[2] if name.startswith("@") else plain)
