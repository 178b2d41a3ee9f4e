"""Bytes that are no UTF-8, in arguments and in names of files, are like any others to recall and brief."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

ODD = os.fsdecode(b"\xff")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("Strip a header", {path_of(): memory(), f"src/{ODD}/a.py": "x = 1\n"})
    return made


@pytest.mark.parametrize(
    "asked",
    [
        ["--path", f"src/{ODD}/a.py"],
        ["gateway", "--path", f"src/{ODD}"],
        ["gateway", "--element", ODD],
        [f"gateway {ODD}"],
        ["gateway header"],
    ],
)
def test_recall_answers(repo: Repo, asked: list[str]) -> None:
    for _ in range(2):
        done = gitmem("recall", *asked, at=repo.path)
        assert (done.code, done.err) == (0, "")
        assert "The gateway strips X- headers" in done.out


@pytest.mark.parametrize("asked", [["--domain", ODD], ["--as-of", ODD], ["--session", ODD], ["--run", ODD]])
def test_a_name_that_nothing_has_is_told_as_bytes(repo: Repo, asked: list[str]) -> None:
    done = gitmem("recall", "gateway", *asked, at=repo.path)
    assert done.code < 70
    assert "udcff" not in done.out + done.err


def test_a_file_with_such_a_name_silences_no_brief(repo: Repo) -> None:
    repo.write(f"src/{ODD}.py", "x = 1\n")
    for asked in (["brief", "--task", "gateway headers"], ["brief"], ["brief", "--path", f"src/{ODD}.py"]):
        done = gitmem(*asked, at=repo.path)
        assert (done.code, done.err) == (0, "")
        assert "The gateway strips X- headers" in done.out
