"""Yardstick 1 of the drift checker: what may become of one function, and what is said of a memory about it.

Each row is a real repository that holds the project of every language in a folder of its own, no name in two of them:
memories about the functions, validated; then the row's edit of each, judged committed, staged and uncommitted. Two
memories say the same of a function, one with the folder as its scope, one with the file.
"""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest

from gitmem.git.interface import Repository
from gitmem.git.opening import open_repository
from gitmem.model.verdict import Judgement
from gitmem.usecases.checking import check
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.request import Request, Target
from tests.drift.matrix.all_projects import PROJECTS
from tests.drift.matrix.project import Edit, Project, pooled
from tests.support.memories import memory, path_of
from tests.support.repo import Repo, sealed_environment

POOL = {name: pooled(one) for name, one in PROJECTS.items()}
STATES = {"committed": Target(), "staged": Target("staged"), "uncommitted": Target("worktree")}

# Per row the verdicts of the memory with the folder as its scope, and of the one with the file.
KEEP: dict[str, tuple[str, str]] = {
    "no change": ("fresh", "fresh"),
    "blank lines": ("cosmetic", "cosmetic"),
    "reformat": ("cosmetic", "cosmetic"),
    "comment only": ("cosmetic", "cosmetic"),
    "docstring added": ("cosmetic", "cosmetic"),
    "file renamed": ("relocated", "relocated"),
    "function moved": ("relocated", "relocated"),
    "symbol renamed": ("relocated", "relocated"),
    "unrelated change": ("touched", "touched"),
    "lines above": ("touched", "touched"),
    "new caller": ("fresh", "fresh"),
    "change outside the scope": ("fresh", "fresh"),
    "change then revert": ("fresh", "fresh"),
    "history squashed": ("fresh", "fresh"),
}
FLAG = {"logic": "changed", "signature": "changed", "symbol deleted": "gone", "file deleted": "gone"}
SOFT = ("callee near", "callee far", "constant")
# Rows judged in a clone of the last commit too, where only stored marks speak for the baseline, with their verdicts.
WITHOUT_HISTORY = {
    **FLAG,
    "no change": "fresh",
    "reformat": "touched",
    "docstring added": "touched",
    "file renamed": "relocated",
    "function moved": "relocated",
    "symbol renamed": "relocated",
    "callee far": "touched",
}

Judged = Mapping[str, Mapping[str, Judgement]]
"""By state, then by the id of the memory."""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    folder = tmp_path_factory.mktemp("matrix")
    with patch.dict(os.environ, sealed_environment(folder), clear=True):
        yield Workshop(folder)


class Workshop:
    """Captures all projects once, and judges each row once in all three states."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.captured = functools.cache(self._captured)
        self.judged = functools.cache(self._judged)

    def _captured(self) -> Repo:
        repo = Repo(self._folder / "captured")
        files = {
            path: text for one in POOL.values() for path, text in {**one.files, **_memories(one)}.items()
        }
        repo.commit("Shop", {"README.md": "# Shop\n", **files})
        with open_repository(repo.path) as repository:
            names = tuple(f"m-{name}-{scope}" for name in POOL for scope in ("folder", "file"))
            done = confirm(
                repository, ConfirmRequest(names, "Ada", datetime.fromisoformat("2026-07-14T10:00:00+09:00"))
            )
        watched = sorted({str(mark.watch) for one in done.confirmed for mark in one.captured.marks})
        expected = sorted(f"symbol {one.path}" for one in POOL.values())
        assert sorted(one.partition("#")[0] for one in watched) == expected, watched
        repo.commit("Validate")
        return repo

    def _judged(self, row: str) -> Judged:
        path = self._folder / row.replace(" ", "-")
        shutil.copytree(self.captured().path, path, symlinks=True)
        repo = Repo(path, init=False)
        edit = _before(repo, row)
        _apply(repo, edit)
        with open_repository(path) as repository:
            found = {"uncommitted": _check(repository, "uncommitted")}
            repo.git("add", "-A")
            found["staged"] = _check(repository, "staged")
            repo.commit(row)
            found["committed"] = _check(repository, "committed")
            if row in WITHOUT_HISTORY:
                found["shallow"] = self._shallow(repo, path.with_name(f"{path.name}-shallow"))
        return found

    @staticmethod
    def _shallow(repo: Repo, path: Path) -> dict[str, Judgement]:
        repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(path))
        with open_repository(path) as repository:
            return _check(repository, "committed")

    def of(self, language: str, row: str, state: str) -> tuple[Judgement, Judgement]:
        """What is said of the memory with the folder as its scope, and of the one with the file."""
        found = self.judged(row)[state]
        return found[f"m-{language}-folder"], found[f"m-{language}-file"]


def _memories(project: Project) -> dict[str, str]:
    scopes = {"folder": f"{project.folder}/**", "file": project.path}
    return {
        path_of(f"m-{project.name}-{name}"): memory(
            f"m-{project.name}-{name}", f'"{project.summary}"', scope=f'{{paths: ["{scope}"]}}'
        )
        for name, scope in scopes.items()
    }


def _edits(row: str) -> Edit:
    return {path: text for one in POOL.values() for path, text in one.edit(row).items()}


def _before(repo: Repo, row: str) -> Edit:
    """Take the steps before the last one, which is given back."""
    if row == "change then revert":
        _apply(repo, _edits("logic"))
        repo.commit("Logic")
        return {one.path: one.files[one.path] for one in POOL.values()}
    if row == "history squashed":
        repo.git("checkout", "-q", "--orphan", "squashed")
        repo.git("commit", "-q", "-m", "All of it")
        baseline = repo.git("rev-parse", "main~1")
        repo.git("branch", "-q", "-M", "squashed", "main")
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")
        assert not repo.git("cat-file", "-t", baseline, check=False)
    return _edits(row)


def _apply(repo: Repo, edit: Edit) -> None:
    for path, text in edit.items():
        if text is None:
            (repo.path / path).unlink()
        else:
            repo.write(path, text)


def _check(repository: Repository, state: str) -> dict[str, Judgement]:
    report = check(repository, Request(target=STATES[state]))
    return {one.id: one for one in report.judgements}


def _cases(rows: Iterable[str]) -> list[object]:
    return [
        pytest.param(language, state, row, id=f"{language}-{state}-{row.replace(' ', '-')}")
        for row in rows
        for language in PROJECTS
        for state in STATES
    ]


@pytest.mark.parametrize(("language", "state", "row"), _cases(KEEP))
def test_keep(workshop: Workshop, language: str, state: str, row: str) -> None:
    found = workshop.of(language, row, state)
    expected = [(verdict, "active") for verdict in KEEP[row]]
    assert [(one.verdict, one.status) for one in found] == expected, [one.findings for one in found]


@pytest.mark.parametrize(
    ("language", "state", "row"), _cases(("file renamed", "function moved", "symbol renamed"))
)
def test_what_moved_is_followed(workshop: Workshop, language: str, state: str, row: str) -> None:
    project = POOL[language]
    place = {
        "file renamed": project.new_path,
        "function moved": project.other[0],
        "symbol renamed": project.path,
    }
    for one in workshop.of(language, row, state):
        moved = [found for found in one.findings if found.watch and found.verdict == "relocated"]
        assert [found.new_path for found in moved] == [place[row]]
        assert all(place[row] in (found.moved or "") for found in moved)
        assert [note for note in one.notes if note.startswith("scope patch")] == [
            f"scope patch: {old} → {new}" if old else f"scope patch: also {new}" for old, new in one.patch
        ]


@pytest.mark.parametrize(("language", "state", "row"), _cases(FLAG))
def test_flag(workshop: Workshop, language: str, state: str, row: str) -> None:
    for one in workshop.of(language, row, state):
        assert (one.verdict, one.status) == (FLAG[row], "challenged"), one.findings
        assert one.warning.startswith("VERIFY")
        assert POOL[language].function in one.warning


@pytest.mark.parametrize(("language", "state", "row"), _cases(SOFT))
def test_softer_note(workshop: Workshop, language: str, state: str, row: str) -> None:
    project = POOL[language]
    names = {"callee near": project.near, "callee far": project.far, "constant": (project.constant,)}[row]
    for one in workshop.of(language, row, state):
        assert (one.verdict, one.status) == ("touched", "active"), one.findings
        told = [found.reason for found in one.findings if found.watch and found.verdict == "touched"]
        assert any(name in reason for name in names for reason in told), one.findings


@pytest.mark.parametrize("row", WITHOUT_HISTORY)
@pytest.mark.parametrize("language", PROJECTS)
def test_a_clone_without_the_baseline(workshop: Workshop, language: str, row: str) -> None:
    status = "challenged" if row in FLAG else "active"
    for one in workshop.of(language, row, "shallow"):
        assert (one.verdict, one.status) == (WITHOUT_HISTORY[row], status), one.findings
