from __future__ import annotations

import compileall
from pathlib import Path

import pytest

from tests.support.repo import Repo


def pytest_configure(config: pytest.Config) -> None:
    """Compile the package before any test: what is kept names its folders by their time, which a first import changes."""
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(__file__).parent.parent / "gitmem", quiet=2)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty sealed repository on branch main, nothing committed."""
    return Repo(tmp_path / "repo")
