from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.repo import sealed_environment


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What gitmem starts in this process sees no configuration of the machine either."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
