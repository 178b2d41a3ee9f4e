"""`--json` gives one document for what has no repository behind it too."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem import __version__
from tests.support.cli import gitmem, gitmem_process


@pytest.mark.parametrize("arguments", [["--version", "--json"], ["--json", "--version"], ["-V", "--json"]])
def test_the_version_as_data(arguments: list[str], tmp_path: Path) -> None:
    assert gitmem_process(*arguments, at=tmp_path).document == {"version": __version__}


def test_the_version_as_text(tmp_path: Path) -> None:
    assert gitmem("--version", "-q", at=tmp_path).out == f"gitmem {__version__}\n"


def test_help_as_data(tmp_path: Path) -> None:
    document = gitmem("help", "--json", at=tmp_path).document
    assert {"command": "lint", "help": document["commands"][0]["help"]}.keys() == document["commands"][
        0
    ].keys()
    assert "drift" in {one["command"] for one in document["commands"]}
    one = gitmem("help", "lint", "--json", at=tmp_path).document
    assert (one["command"], "--tidy" in one["text"]) == ("gitmem lint", True)
    assert "commands" not in one


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_as_data(shell: str, tmp_path: Path) -> None:
    script = gitmem("completion", shell, at=tmp_path).out
    document = gitmem("completion", shell, "--json", at=tmp_path).document
    assert document == {"shell": shell, "script": script.removesuffix("\n")}
