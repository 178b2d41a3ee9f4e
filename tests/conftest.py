from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.repo import Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty sealed repository on branch main, nothing committed."""
    return Repo(tmp_path / "repo")
