"""Commands in a text: which script, target or tool a line such as ``cd web && yarn lint`` runs.

Only the shape of the line is read; nothing is run and no shell syntax beyond ``&&``, ``||``, ``;`` and ``|`` is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a line.

    Args:
        runner: The program that looks the name up (``yarn``, ``make``, ``uv`` …); empty when the tool is called itself.
        name: The script, target or tool; empty when a runner is called alone.
        start: Where the name stands in the text.
        arguments: Further words with their places; paths may be among them.
    """

    runner: str
    name: str
    start: int
    arguments: tuple[tuple[str, int], ...] = ()


_PREFIXES: dict[str, tuple[str, ...]] = {
    "make": (),
    "gmake": (),
    "just": (),
    "task": (),
    "yarn": ("run", "exec"),
    "npm": ("run", "run-script"),
    "pnpm": ("run", "exec"),
    "bun": ("run",),
    "deno": ("task",),
    "npx": (),
    "bunx": (),
    "pnpx": (),
    "uv": ("run",),
    "uvx": (),
    "poetry": ("run",),
    "pdm": ("run",),
    "hatch": ("run",),
    "rye": ("run",),
    "pipenv": ("run",),
    "pipx": ("run",),
    "nox": (),
    "tox": (),
    "cargo": (),
    "go": (),
    "composer": ("run", "run-script"),
    "turbo": ("run",),
    "nx": ("run",),
    "lerna": ("run",),
    "bundle": ("exec",),
    "mise": ("run",),
    "pixi": ("run",),
    "poe": (),
}
_NEED_PREFIX = frozenset(
    {"uv", "poetry", "pdm", "hatch", "rye", "pipenv", "pipx", "deno", "bundle", "lerna", "mise", "pixi"}
)
"""Runners whose bare sub-commands are their own (``uv sync``), so that only ``uv run x`` names something of the project."""
_VALUE_OPTIONS = frozenset(
    [
        "-C",
        "--filter",
        "-F",
        "--prefix",
        "--cwd",
        "--directory",
        "--project",
        "--with",
        "--group",
        "--extra",
        "--package",
        "-f",
        "--file",
        "-s",
        "-e",
        "--session",
    ]
)
_NAMING_OPTIONS = {"nox": ("-s", "--session"), "tox": ("-e",)}
_LEADING = frozenset({"$", "%", ">", "&", "|", "sudo", "time", "env"})
_PROSE_COMMAND = re.compile(
    r"(?<![\w/-])(?:npm run|pnpm run|yarn run|bun run|uv run|poetry run|pdm run|hatch run(?:[ ]+\+[\w=.,-]+)*|deno task)[ ]+[a-z][\w:.-]*[\w]"
)
_WORD = re.compile(r"'[^']*'|\"[^\"]*\"|\S+")
_PIECE = re.compile(r"(?:(?!&&|\|\||;|\||\n)(?:'[^'\n]*'|\"[^\"\n]*\"|.))+")
_TOOL_LINE = re.compile(r"[a-z][\w.-]*(?:\s+(?:-[^\s]*|[\w./@:=,*\[\]\"'<>{}$-]+))+")


def commands_in(text: str, *, fenced: bool, prose: bool = False) -> list[Command]:
    """The commands of one code span, of a fence's lines, or – with `prose` – those that stand open in a sentence."""
    if prose:
        found = (
            _command(match.group(), match.start(), bare=False) for match in _PROSE_COMMAND.finditer(text)
        )
        return [command for command in found if command]
    pieces = list(_PIECE.finditer(text))
    commands = [_command(piece.group(), piece.start(), bare=not fenced) for piece in pieces]
    return [command for command in commands if command]


def prose_commands(text: str) -> list[tuple[tuple[int, int], str]]:
    """The commands that stand open in a sentence, whole, with where they stand."""
    return [(match.span(), match.group()) for match in _PROSE_COMMAND.finditer(text)]


def _words(text: str, offset: int) -> Iterator[tuple[str, int]]:
    for match in _WORD.finditer(text):
        yield match.group().strip("'\""), offset + match.start()


def _command(text: str, offset: int, *, bare: bool) -> Command | None:
    words = list(_words(text, offset))
    while words and (words[0][0] in _LEADING or re.fullmatch(r"[A-Z_]+=\S*", words[0][0])):
        words.pop(0)
    if not words:
        return None
    program = words[0][0]
    if program in _PREFIXES and (len(words) > 1 or not bare):
        return _run_by(program, words[1:])
    if re.fullmatch(r"python[\d.]*|node|bash|sh|tsx|ts-node", program) and len(words) > 1:
        return Command(program, "", words[0][1], tuple(words[1:]))
    if (
        bare
        and len(words) > 1
        and _TOOL_LINE.fullmatch(" ".join(word for word, _ in words))
        and _is_call(words)
    ):
        return Command("", program, words[0][1], tuple(words[1:]))
    return None


def _is_call(words: list[tuple[str, int]]) -> bool:
    """Whether a line without a known runner is a call: an option, a path or a glob among its words."""
    return any(word.startswith("-") or "/" in word for word, _ in words[1:])


def _run_by(program: str, words: list[tuple[str, int]]) -> Command | None:
    prefixes, names, saw_prefix = _PREFIXES[program], _NAMING_OPTIONS.get(program, ()), False
    at = 0
    while at < len(words):
        word, start = words[at]
        if word in names and at + 1 < len(words):
            name, start = words[at + 1]
            return Command(program, name, start, tuple(words[at + 2 :]))
        if word.startswith("-") or (program == "hatch" and word.startswith("+")):
            at += 2 if word in _VALUE_OPTIONS else 1
        elif program == "yarn" and word == "workspace":
            at += 2
        elif program == "yarn" and word == "workspaces":
            return None
        elif word in prefixes and not saw_prefix:
            saw_prefix = True
            at += 1
        elif program in _NEED_PREFIX and not saw_prefix:
            return None
        else:
            return Command(program, word, start, tuple(words[at + 1 :]))
    return None
