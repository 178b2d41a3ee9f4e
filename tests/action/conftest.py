"""A shop with one memory, its server, and a change to what the memory rests on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.forge import Forge, serving
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

BEFORE = "LIMIT = 3\n\n\ndef submit(order):\n    if order.sent:\n        return None\n    return order.send(LIMIT)\n"
AFTER = BEFORE.replace("        return None\n", "        raise ValueError(order)\n")
SUBMIT = memory(
    "submit-once", '"`submit` returns None when the order was sent."', scope="{paths: [src/pay.py]}"
)
LIMITS = memory(
    "limit-three",
    '"`LIMIT` is the number of tries that the shop makes before it gives up."',
    scope="{paths: [src/pay.py], does_not_apply_to: [none]}",
    evidence="{documents: [docs/limits.md]}",
    origin="human",
)


@dataclass
class Shop:
    """A server with a main branch and a change beside it.

    Args:
        server: The bare repository.
        work: The clone that they were made in.
        base: Tip of main.
        head: Tip of the change.
    """

    server: Repo
    work: Repo
    base: str
    head: str


@pytest.fixture
def forge() -> Iterator[Forge]:
    with serving(Forge()) as one:
        yield one


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop, made once; each test gets a copy."""
    folder = tmp_path_factory.mktemp("shop")
    server = Repo(folder / "server.git", bare=True)
    work = Repo(folder / "work")
    work.commit(
        "Start",
        {"src/pay.py": BEFORE, "docs/limits.md": "Three tries.\n", path_of("submit-once"): SUBMIT},
    )
    assert gitmem("confirm", "submit-once", at=work.path).code == 0
    work.commit("Confirm")
    work.git("remote", "add", "origin", "../server.git")
    work.git("push", "-q", "origin", "main")
    work.git("checkout", "-q", "-b", "feature")
    work.commit("Raise instead", {"src/pay.py": AFTER})
    work.git("push", "-q", "origin", "feature")
    shutil.rmtree(server.path / "hooks")
    shutil.rmtree(work.path / ".git" / "hooks")
    return folder


@pytest.fixture
def shop(made: Path, tmp_path: Path) -> Shop:
    for name in ("server.git", "work"):
        shutil.copytree(made / name, tmp_path / name)
    work = Repo(tmp_path / "work", init=False)
    base, head = work.git("rev-parse", "main", "feature").split()
    return Shop(Repo(tmp_path / "server.git", init=False), work, base, head)
