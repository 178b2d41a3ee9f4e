"""Programs that run scripts and targets by name: the files that they look in, and the commands of their own."""

from __future__ import annotations

from collections.abc import Mapping

_NODE = ("package.json",)
_PYTHON = ("pyproject.toml", "Pipfile")
FILES_OF: Mapping[str, tuple[str, ...]] = {
    "make": ("Makefile", "GNUmakefile", "makefile"),
    "gmake": ("Makefile", "GNUmakefile", "makefile"),
    "just": ("justfile", "Justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "composer": ("composer.json",),
    "deno": ("deno.json", "deno.jsonc"),
    "pixi": ("pixi.toml", "pyproject.toml"),
    "mise": ("mise.toml", ".mise.toml"),
    **dict.fromkeys(("yarn", "npm", "pnpm", "bun", "npx", "bunx", "pnpx", "turbo", "nx", "lerna"), _NODE),
    **dict.fromkeys(("uv", "uvx", "poetry", "pdm", "hatch", "rye", "pipenv", "pipx", "poe"), _PYTHON),
}
SCRIPT_ONLY = frozenset({"make", "gmake", "just", "npm", "turbo", "composer", "deno"})
"""Runners that look a name up among scripts alone, so that a missing one is plainly false."""
