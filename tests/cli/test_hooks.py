"""`gitmem drift --staged` as a process in a real pre-commit hook judges what git is about to commit."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.drifting import validated
from tests.support.repo import Repo

CHANGED = "def send(order):\n    return None\n"


def install(repo: Repo, command: str = "") -> Path:
    """A pre-commit hook that keeps what the command says, beside the repository."""
    told = repo.path.parent / "told"
    call = f"{shlex.quote(sys.executable)} -m gitmem {command or 'drift --staged'} --json"
    hook = Path(repo.git("rev-parse", "--path-format=absolute", "--git-path", "hooks")) / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} {call} > {shlex.quote(str(told))}\n")
    hook.chmod(0o755)
    return told


ROOT = Path(__file__).parents[2]


@pytest.fixture
def shop(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    for name, value in repo.environment.items():
        monkeypatch.setenv(name, value)
    validated(repo)
    return repo


@pytest.mark.parametrize("commit", [["-am", "Change"], ["src/shop.py", "-m", "Change"]])
def test_the_index_that_the_commit_makes_is_judged(commit: list[str], shop: Repo) -> None:
    told = install(shop)
    shop.write("src/shop.py", CHANGED)
    shop.git("commit", "-q", *commit)
    assert '"challenged": 1' in told.read_text()


def test_what_a_commit_of_one_path_leaves_out_is_not_judged(shop: Repo) -> None:
    told = install(shop)
    shop.write("src/shop.py", CHANGED)
    shop.git("add", "src/shop.py")
    shop.write("README.md", "# New\n")
    shop.git("commit", "-q", "README.md", "-m", "Change")
    assert '"challenged": 0' in told.read_text()
    assert shop.git("diff", "--cached", "--name-only") == "src/shop.py"


def test_a_linked_work_tree_is_judged_by_its_own(shop: Repo, tmp_path: Path) -> None:
    told = install(shop)
    shop.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked", init=False)
    linked.write("src/shop.py", CHANGED)
    linked.git("commit", "-qam", "Change")
    assert '"challenged": 1' in told.read_text()


def test_a_hook_may_ask_about_another_repository(shop: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.commit("Start", {"a": "one\n"})
    told = install(other, f"-C {shlex.quote(str(shop.path))} drift --staged")
    other.write("a", "two\n")
    other.git("commit", "-qam", "Change")
    assert '"checked": 1' in told.read_text()
    assert '"challenged": 0' in told.read_text()


def test_staged_in_a_bare_repository_is_an_error(shop: Repo, tmp_path: Path) -> None:
    shop.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    for option in ("--staged", "--worktree"):
        done = gitmem("drift", option, at=tmp_path / "bare.git")
        assert (done.code, done.out) == (3, "")
        assert "bare repository has no work tree" in done.err
