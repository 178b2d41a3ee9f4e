"""A cure in the words of whoever reads it: options, fields of a file, arguments of a tool."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import gitmem
from gitmem.cli.remember import remember
from gitmem.mcp_server.tools import BY_NAME, TOOLS
from gitmem.promotion.naming import FIELDS, in_arguments, in_fields

PACKAGE = Path(gitmem.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
SPELLED = {name: name for name in (one.name for one in BY_NAME["remember"].fields)}
REACHED = (
    "promotion/rules",
    "usecases/remember.py",
    "usecases/lessons.py",
    "usecases/source_events.py",
    "usecases/claim.py",
    "usecases/runs/inbox.py",
    "usecases/runs/finding.py",
    "usecases/runs/starting.py",
    "usecases/runs/recording.py",
    "usecases/runs/handing_off.py",
    "usecases/recalling",
    "usecases/gating",
    "store/ledger.py",
    "store/appending.py",
)
"""Where the words come from that a tool answers with."""


def texts(place: str) -> Iterator[str]:
    path = PACKAGE / place
    for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
        yield from _texts(ast.parse(file.read_text("utf-8")))


def _texts(node: ast.AST) -> Iterator[str]:
    """Texts of the code, each whole; docstrings are none."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(one.value) if isinstance(one, ast.Constant) else "X" for one in node.values)
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
        yield node.value
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def outside_of_commands(text: str) -> list[str]:
    told = re.sub(r"`[^`]*`|\bgitmem [^;,:]*|\bgit [^;,:]*", "", text)
    return [] if "\n" in told or "(?" in told else OPTION.findall(told)


@pytest.mark.parametrize("place", REACHED)
def test_no_option_reaches_whoever_calls_a_tool(place: str) -> None:
    spelled = {one.name: one.name for tool in TOOLS for one in tool.fields}
    for text in texts(place):
        assert not outside_of_commands(in_arguments(text, spelled)), text


def test_no_option_reaches_whoever_edits_a_file() -> None:
    for text in texts("promotion/rules"):
        assert not outside_of_commands(in_fields(text)), text


def test_every_option_that_says_something_of_a_lesson_has_its_field() -> None:
    options = {word for one in remember.params for word in one.opts if word.startswith("--")}
    about = {"--run", "--session", "--actor", "--from", "--fixed-by", "--origin", "--project"}
    assert options - about - set(FIELDS) <= {"--json", "--quiet", "--verbose", "--color", "--help"}
    assert set(FIELDS) <= options


@pytest.mark.parametrize(
    ("cure", "as_argument", "in_file"),
    [
        (
            "--from-event ID: gitmem run log shows the events",
            "source_events ID: gitmem run log shows the events",
            "origin.source_events ID: gitmem run log shows the events",
        ),
        (
            "a person looks at it, or --probe CMD and gitmem confirm ID --replay",
            "a person looks at it, or probe CMD and gitmem confirm ID --replay",
            "a person looks at it, or verification.probe CMD and gitmem confirm ID --replay",
        ),
        (
            "gitmem deny ID --reason, or --supersedes m-1",
            "gitmem deny ID --reason, or supersedes m-1",
            "gitmem deny ID --reason, or supersedes m-1",
        ),
        ("`--type x` is how", "`--type x` is how", "`--type x` is how"),
        ("a --path-like word, --no-such", "a --path-like word, --no-such", "a --path-like word, --no-such"),
    ],
)
def test_only_an_option_that_is_told_is_renamed(cure: str, as_argument: str, in_file: str) -> None:
    assert in_arguments(cure, SPELLED) == as_argument
    assert in_fields(cure) == in_file


def test_an_argument_is_called_as_the_call_spells_it() -> None:
    assert in_arguments("--not-for none", {"not_for": "notFor"}) == "notFor none"
