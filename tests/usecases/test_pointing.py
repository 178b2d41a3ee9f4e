"""Findings point at the line that changed, not at the top of the file."""

from __future__ import annotations

import pytest

from gitmem.model.verdict import Finding, Verdict
from gitmem.usecases.pointing import line_of, pointed
from tests.support.tree_view import TreeOfText

PYTHON = "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    a = 2\n    return a\n"


def _line(watch: str | None, path: str, old: str | None, new: str, new_path: str | None = None) -> int | None:
    found = Finding(Verdict.CHANGED, "changed", watch=watch, path=path, new_path=new_path)
    then = TreeOfText({path: old}) if old is not None else None
    return line_of(found, TreeOfText({new_path or path: new}), then)


def test_a_changed_definition_is_pointed_at_where_it_changed() -> None:
    new = PYTHON.replace("a = 2", "a = 3").replace("return 1", "return 0")
    assert _line("symbol src/a.py#two", "src/a.py", PYTHON, new) == 9


def test_a_definition_that_only_lost_lines_is_pointed_at_where_it_begins() -> None:
    assert _line("symbol src/a.py#two", "src/a.py", PYTHON, PYTHON.replace("    a = 2\n", "")) == 8


def test_without_the_old_state_a_definition_is_pointed_at_where_it_begins() -> None:
    assert _line("symbol src/a.py#two", "src/a.py", None, PYTHON) == 8


def test_a_moved_and_changed_definition_is_pointed_at_in_its_new_file() -> None:
    new = "# moved\n" + PYTHON.replace("a = 2", "a = 3")
    assert _line("symbol a.py#two", "a.py", PYTHON, new, new_path="b.py") == 10


@pytest.mark.parametrize(
    ("path", "name", "text", "line"),
    [
        (
            "package.json",
            "scripts.lint",
            '{\n  "name": "a",\n  "scripts": {\n    "lint": "eslint ."\n  }\n}\n',
            4,
        ),
        (
            "pyproject.toml",
            "project.requires-python",
            '[project]\nname = "a"\nrequires-python = ">=3.11"\n',
            3,
        ),
        ("Makefile", "test", "all: test\n\ntest: build\n\tgo test ./...\n", 3),
        ("ci.yml", "jobs.test.steps", "jobs:\n  test:\n    steps:\n      - run: make\n", 3),
    ],
)
def test_a_key_is_pointed_at_where_it_is_written(path: str, name: str, text: str, line: int) -> None:
    assert _line(f"key {path}#{name}", path, "", text) == line


def test_a_file_is_pointed_at_its_first_new_line_and_at_the_top_where_lines_only_left() -> None:
    assert _line("file a.txt", "a.txt", "a\nb\nc\n", "a\nB\nc\n") == 2
    assert _line("file a.txt", "a.txt", "a\nb\nc\n", "a\nc\n") == 1


def test_what_is_gone_or_no_text_has_no_line() -> None:
    gone = Finding(Verdict.GONE, "gone", watch="symbol a.py#one", path="a.py")
    assert line_of(gone, TreeOfText({"a.py": PYTHON}), None) is None
    assert _line("path a.bin", "a.bin", None, "a\0b") is None


def test_only_what_challenges_is_pointed_at() -> None:
    soft = Finding(Verdict.TOUCHED, "touched", path="a.py")
    assert pointed([soft], TreeOfText({"a.py": PYTHON}), None) == (soft,)
