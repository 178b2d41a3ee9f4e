from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitmem.git.opening import Backend, open_repository
from gitmem.git.program import ProgramRepository
from tests.support.repo import sealed_environment

Open = Callable[[Path], ProgramRepository]


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code under test sees no configuration of this machine either."""
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.fixture(params=["program", "library"])
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


@pytest.fixture
def opened(backend: Backend) -> Iterator[Open]:
    """Opens repositories with the back end under test and closes them at the end."""
    open_ones: list[ProgramRepository] = []

    def _open(path: Path) -> ProgramRepository:
        open_ones.append(open_repository(path, prefer=backend))
        return open_ones[-1]

    yield _open
    for one in open_ones:
        one.close()
