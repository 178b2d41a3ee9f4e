"""The documents say what is true: the README's lines are what CI runs, its commands exist, its examples run.

`python -m tests.test_docs` writes the README's table of commands anew.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from gitmem.cli.table import SECTIONS, Nested
from gitmem.store.defaults import default_files
from tests.support.repo import Repo

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
COMMANDS = re.compile(r"(?<=<!-- commands -->\n).*?(?=<!-- /commands -->)", re.DOTALL)


class Step(NamedTuple):
    """One command of a console block and what it prints.

    Args:
        command: Without the prompt; lines after ``> `` belong to it.
        output: Lines; ``…`` stands for anything within a line, alone on a line for any number of lines.
    """

    command: str
    output: list[str]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def steps(block: str) -> list[Step]:
    found: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], []))
        elif (line == ">" or line.startswith("> ")) and not found[-1].output:
            found[-1] = Step(f"{found[-1].command}\n{line[2:]}", [])
        else:
            found[-1].output.append(line)
    return found


def pattern(output: list[str]) -> str:
    lines = [
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*") + r"\n"
        for line in output
    ]
    return "".join(lines)


def command_table() -> str:
    """Every command that is not plumbing, as the README lists it."""
    rows = ["| command | does |", "|---|---|"]
    for section in SECTIONS.values():
        for word, entry in section.items():
            if entry.hidden:
                continue
            rows.append(f"| `gitmem {word}` | {entry.help} |")
            inner = entry.commands if isinstance(entry, Nested) else {}
            rows += [
                f"| `gitmem {word} {name}` | {one.help} |" for name, one in inner.items() if not one.hidden
            ]
    return "\n".join(rows) + "\n"


def words_of(text: str) -> set[tuple[str, ...]]:
    """The command words behind each `gitmem` in code: one, or two where a word has words below it."""
    entries = {word: entry for section in SECTIONS.values() for word, entry in section.items()}
    found: set[tuple[str, ...]] = set()
    for first, second in re.findall(
        r"(?:^\$ |`|bin/)(?:gitmem|git mem) ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", text, re.MULTILINE
    ):
        found.add((first, second) if second and isinstance(entries.get(first), Nested) else (first,))
    return found


def known_words() -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for section in SECTIONS.values():
        for word, entry in section.items():
            found |= {
                (word,),
                *((word, inner) for inner in (entry.commands if isinstance(entry, Nested) else ())),
            }
    return found


def test_ci_runs_the_lines_that_the_readme_shows() -> None:
    start = README.read_text("utf-8").partition("## The tour")[0]
    shown = [line for block in blocks(start, "sh") for line in block.splitlines()]
    assert len(shown) == 2
    run = [line.strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()]
    assert [line for line in shown if line not in run] == []


def test_the_readme_lists_every_command() -> None:
    listed = COMMANDS.search(README.read_text("utf-8"))
    assert listed is not None
    assert listed.group() == command_table(), "run `python -m tests.test_docs`"


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_documents_name_only_commands_that_exist(document: str) -> None:
    assert words_of((ROOT / document).read_text("utf-8")) - known_words() == set()


def test_the_first_files_of_a_project_name_only_commands_that_exist() -> None:
    for path, text in default_files().items():
        assert words_of(text) - known_words() == set(), path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("`gitmem nonsense install`", {("nonsense",)}),
        ("`gitmem hooks install`", {("hooks", "install")}),
        ("$ gitmem help me\n", {("help",)}),
        (".venv/bin/gitmem nothing", {("nothing",)}),
        ("gitmem keeps two things", set()),
        ("`gitmem --version`", set()),
    ],
)
def test_command_words_are_found_in_code_alone(text: str, words: set[tuple[str, ...]]) -> None:
    assert words_of(text) == words


def test_the_readmes_examples_run(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "project")
    programs = tmp_path / "bin"
    programs.mkdir()
    launcher = programs / "gitmem"
    launcher.write_text(f'#!/bin/sh\nexec {sys.executable} -m gitmem "$@"\n')
    launcher.chmod(0o755)
    environment = {
        **repo.environment,
        "PATH": f"{programs}:{repo.environment['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    for block in blocks(README.read_text("utf-8"), "console"):
        for step in steps(block):
            done = subprocess.run(
                ["bash", "-c", f"exec 2>&1; {step.command}"],
                cwd=repo.path, env=environment, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert re.fullmatch(pattern(step.output), done.stdout), f"$ {step.command}\n{done.stdout}"


def test_the_readmes_python_examples_run(repo: Repo) -> None:
    repo.commit("first", {"a.py": "a = 1\n"})
    examples = blocks(README.read_text("utf-8"), "python")
    assert examples
    for example in examples:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", example],
            cwd=repo.path, env={**repo.environment, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), example


@pytest.mark.parametrize(
    ("output", "printed", "fits"),
    [
        (["a"], "a\n", True),
        (["a"], "b\n", False),
        (["a … c"], "a b c\n", True),
        (["a", "…", "z"], "a\nb\nc\nz\n", True),
        (["a", "…", "z"], "a\nz\n", True),
        (["a", "…", "z"], "a\nb\n", False),
        (["(1)"], "(1)\n", True),
        ([], "", True),
        ([], "a\n", False),
    ],
)
def test_the_wildcard_is_neither_too_kind_nor_too_strict(output: list[str], printed: str, fits: bool) -> None:
    assert bool(re.fullmatch(pattern(output), printed)) is fits


def test_console_blocks_are_read_step_by_step() -> None:
    assert steps("$ cat <<E\n> a\n> E\na\n$ true\n$ ls\n> b\n") == [
        Step("cat <<E\na\nE", ["a"]),
        Step("true", []),
        Step("ls\nb", []),
    ]


def rewrite_readme() -> None:
    README.write_text(COMMANDS.sub(lambda _: command_table(), README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    rewrite_readme()
