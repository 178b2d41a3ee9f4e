from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.support.drifting import CODE, validated
from tests.support.repo import Repo, sealed_environment

ELEMENTS = "version: 1\nelements:\n  Shop:\n    paths: [src/**]\n"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once, copied for each test: a shop with an element and a validated memory about `send`."""
    repo = Repo(tmp_path_factory.mktemp("made") / "shop")
    validated(repo, files={**CODE, ".ai/elements.yaml": ELEMENTS}, title="Send ships first")
    return repo.path


@pytest.fixture
def shop(made: Path, tmp_path: Path) -> Repo:
    shutil.copytree(made, tmp_path / "shop")
    return Repo(tmp_path / "shop", init=False)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server in this process sees nothing of this machine's configuration."""
    for name in list(os.environ):
        if name not in {"PATH", "PYTEST_CURRENT_TEST"}:
            monkeypatch.delenv(name)
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
