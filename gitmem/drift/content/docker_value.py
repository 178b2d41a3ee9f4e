"""A Dockerfile as a list of instructions, ``{"RUN": "pip install ."}`` each; comments and layout are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_DIRECTIVE = re.compile(r"#\s*(syntax|escape|check)\s*=\s*(.*)", re.IGNORECASE)
_HEREDOC = re.compile(r"<<-?\s*([\"']?)(\w+)\1")
_PAIR = re.compile(r"""(?<![\w.-])([\w.-]++)=("(?:\\.|[^"\\])*"|'[^']*'|\S*)""")
_PAIRED = frozenset({"ENV", "ARG"})


def load(text: str) -> list[dict[str, Any]]:
    """The instructions in order; of ``ENV`` and ``ARG`` the values by name. Directives ahead of them count."""
    return [{name: _value(name, rest)} for name, rest in _instructions(text)]


def _value(name: str, rest: str) -> Any:
    pairs = _PAIR.findall(rest) if name in _PAIRED else ()
    return {key: value.strip("\"'") for key, value in pairs} if pairs else rest


def _instructions(text: str) -> Iterator[tuple[str, str]]:
    lines = iter(text.split("\n"))
    ahead = True
    for line in lines:
        bare = line.strip()
        if ahead and (directive := _DIRECTIVE.fullmatch(bare)):
            yield f"# {directive[1].lower()}", directive[2].strip()
        elif bare and not bare.startswith("#"):
            ahead = False
            whole = _continued(bare, lines)
            name, _, rest = whole.partition(" ")
            yield name.upper(), " ".join([" ".join(rest.split()), *_heredocs(rest, lines)])


def _continued(bare: str, lines: Iterator[str]) -> str:
    """The instruction with its further lines; comments and blank lines between them say nothing."""
    while bare.endswith("\\"):
        bare = bare[:-1].rstrip()
        following = next(
            (line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")), ""
        )
        bare = f"{bare} {following}"
    return bare


def _heredocs(rest: str, lines: Iterator[str]) -> Iterator[str]:
    for _, end in _HEREDOC.findall(rest):
        for line in lines:
            yield f"\n{line}"
            if line.strip() == end:
                break
