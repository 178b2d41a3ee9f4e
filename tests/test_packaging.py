"""What the package promises about itself."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import pytest

import gitmem

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.mark.parametrize("script", ["gitmem", "git-mem"])
def test_both_commands_start_at_the_same_function(script: str) -> None:
    module, _, name = PROJECT["scripts"][script].partition(":")
    assert callable(getattr(import_module(module), name))
    assert PROJECT["scripts"][script] == "gitmem._main:main"


def test_the_module_runs_as_the_command_does() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", "--version"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"gitmem {gitmem.__version__}\n"


def test_the_installed_distribution_has_the_constant_version() -> None:
    assert metadata.version(PROJECT["name"]) == gitmem.__version__


def test_the_types_are_shipped() -> None:
    assert (ROOT / "gitmem" / "py.typed").exists()


def test_the_license_is_the_one_named() -> None:
    assert PROJECT["license"] == "Apache-2.0"
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_core_stays_small() -> None:
    names = {re.split(r"[<>=~ \[]", requirement)[0] for requirement in PROJECT["dependencies"]}
    assert names == {"click", "pydantic", "pygit2", "PyYAML", "ruamel.yaml", "unidiff"}
