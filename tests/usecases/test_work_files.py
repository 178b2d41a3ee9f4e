"""No command writes through a symbolic link, and what is written stands there whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.errors import NotServedError
from gitmem.git.opening import open_repository
from gitmem.usecases.checking import check
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.marking import challenge, mark_challenged
from gitmem.usecases.work_files import replace_file
from tests.support.drifting import SHOP, validated
from tests.support.memories import path_of
from tests.support.repo import Repo

NOW = datetime(2026, 7, 20, tzinfo=UTC)
FILE = path_of()


def mark(repo: Repo) -> object:
    with open_repository(repo.path) as opened:
        return mark_challenged(opened, check(opened), NOW)


def doubt(repo: Repo) -> object:
    with open_repository(repo.path) as opened:
        return challenge(opened, ["m-001"], "I doubt it", NOW)


def apply(repo: Repo) -> object:
    with open_repository(repo.path) as opened:
        return confirm(opened, ConfirmRequest(["m-001"], "Ada", NOW, apply=True))


def drifted(repo: Repo) -> None:
    validated(repo)
    repo.commit("Change", {"src/shop.py": SHOP.replace("    ship(order)\n", "")})


def relocated(repo: Repo) -> None:
    validated(repo, scope="{paths: [src/shop.py], does_not_apply_to: [none]}")
    repo.move("src/shop.py", "lib/shop.py")
    repo.commit("Move")


COMMANDS = [
    pytest.param(drifted, mark, id="drift --mark"),
    pytest.param(drifted, doubt, id="challenge"),
    pytest.param(relocated, apply, id="confirm --apply"),
]


def put_aside(repo: Repo, part: str, outside: Path) -> Path:
    """Move a part of the path out of the repository and leave a link to it; give the memory's file there."""
    (repo.path / part).rename(outside)
    (repo.path / part).symlink_to(outside)
    return outside / Path(FILE).relative_to(part) if part != FILE else outside


@pytest.mark.parametrize("part", [".ai", ".ai/memory", FILE])
@pytest.mark.parametrize(("history", "command"), COMMANDS)
def test_nothing_is_written_through_a_symbolic_link(
    history: Callable[[Repo], None],
    command: Callable[[Repo], object],
    part: str,
    repo: Repo,
    tmp_path: Path,
) -> None:
    history(repo)
    # Else the confirmation would be refused because git takes what lies behind the link for removed.
    repo.git("update-index", "--skip-worktree", *repo.git("ls-files", ".ai").splitlines())
    file = put_aside(repo, part, tmp_path / "outside")
    before = file.read_bytes()
    with pytest.raises(NotServedError, match=f"{part} is a symbolic link"):
        command(repo)
    assert file.read_bytes() == before
    assert not list((tmp_path / "outside").rglob("*20260720*"))


@pytest.mark.parametrize(("history", "command"), COMMANDS)
def test_the_mode_of_the_file_stays(
    history: Callable[[Repo], None], command: Callable[[Repo], object], repo: Repo
) -> None:
    history(repo)
    place = repo.path / FILE
    place.chmod(0o640)
    before = place.read_bytes()
    command(repo)
    assert place.read_bytes() != before
    assert place.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in place.parent.iterdir()] == [place.name]


def test_what_cannot_be_written_stays_as_it_was(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("Start", {"a/b": "old"})

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(NotServedError, match="a/b cannot be written: No space left"):
        replace_file(repo.path, "a/b", b"new")
    assert [one.name for one in (repo.path / "a").iterdir()] == ["b"]
    assert repo.read("a/b") == "old"
