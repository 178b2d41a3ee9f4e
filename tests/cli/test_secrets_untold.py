"""A memory that holds secrets: no command tells one, whatever the format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.leaking import FILE, HERE, leaking, told_of
from tests.support.repo import Repo

FACES = (
    "list", "list --json", "show m-001", "show m-001 --json --history", f"gate {FILE}", f"gate {FILE} --json", "confirm m-001",
    "confirm m-001 --json", "review", "review --json", "map --json", "map --html out.html", "recall pay_order", "brief", "lint",
    "drift --explain", *(f"drift --format {name}" for name in ("text", "json", "markdown", "github", "gitlab", "sarif")),
    *(f"drift --range HEAD~1..HEAD --format {name}" for name in ("text", "json", "markdown", "github", "gitlab", "sarif")),
)  # fmt: skip


@pytest.fixture(scope="module")
def leaky(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return leaking(tmp_path_factory.mktemp("leaky") / "repo")


@pytest.mark.parametrize("words", FACES)
def test_no_face_tells_a_secret(leaky: Repo, tmp_path: Path, words: str) -> None:
    arguments = words.replace("out.html", str(tmp_path / "out.html")).split()
    done = gitmem(*arguments, at=leaky.path, environment=HERE)
    page = tmp_path / "out.html"
    told = done.out + done.err + (page.read_text() if page.exists() else "")
    assert told_of(told) == []
    assert "could not be read" not in told
