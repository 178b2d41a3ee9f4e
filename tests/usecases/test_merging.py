"""Branches that confirm, propose, challenge, retire or edit, merged with plain git.

What only adds files never conflicts with anything. Two branches that change the same words stay a conflict that a person
can read: no marker ends up inside a value that then loads.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from gitmem.store.memories import parse_memory
from gitmem.usecases.knowledge import load_knowledge
from gitmem.usecases.marking import challenge
from gitmem.usecases.retire import RetireRequest, retire
from gitmem.usecases.runs.inbox import inbox
from tests.support.candidates import ADA, lesson, proposed, told
from tests.support.drifting import ABOUT_SEND, CODE, checked, confirmed
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

NOW = datetime.fromisoformat("2026-07-18T10:00:00+09:00")
BODY = "body: |\n  First line.\n  Second line.\n\n  # a heading\n  Last line.\n"
LESSONS = ("`log` prints every order", "Deploy from main alone", "창고는 밤에 닫힌다")
PAIRS = 50


class Step(NamedTuple):
    """What one person does on a branch.

    Args:
        does: Does it in the work tree.
        adds: Whether it only adds files.
    """

    does: Callable[[Repo, int], None]
    adds: bool = False


def confirms(name: str) -> Step:
    def does(repo: Repo, number: int) -> None:
        assert confirmed(
            repo.path, name, at=f"2026-07-{16 + number % 3}T10:00:{number % 60:02d}+09:00"
        ).confirmed

    return Step(does, adds=True)


def proposes(name: str) -> Step:
    def does(repo: Repo, number: int) -> None:
        assert proposed(repo, name, way="worktree", now=NOW.replace(second=number % 60)).where

    return Step(does, adds=True)


def challenges(name: str) -> Step:
    def does(repo: Repo, number: int) -> None:
        with open_repository(repo.path) as opened:
            challenge(opened, [name], f"doubt {number}", NOW.replace(minute=number % 60))

    return Step(does)


def retires(name: str, by: str | None = None) -> Step:
    def does(repo: Repo, number: int) -> None:
        with RunLedger.open(repo.path) as ledger:
            retire(ledger, inbox(ledger), ADA, RetireRequest(name, f"reason {number}", NOW, by))

    return Step(does)


def edits(name: str, old: str, new: str) -> Step:
    def does(repo: Repo, number: int) -> None:
        text = repo.read(path_of(name))
        assert old in text
        repo.write(path_of(name), text.replace(old, new.format(number)))

    return Step(does)


STEPS: tuple[Step, ...] = (
    confirms("m-001"),
    confirms("m-001"),
    confirms("m-002"),
    proposes("candidate-1"),
    proposes("candidate-1"),
    proposes("candidate-2"),
    proposes("candidate-3"),
    challenges("m-001"),
    challenges("m-001"),
    challenges("m-003"),
    retires("m-001"),
    retires("m-002", by="m-003"),
    edits("m-001", "ships", "sends {}"),
    edits("m-001", "ships", "posts {}"),
    edits("m-002", "Second line", "Another line {}"),
    edits("m-002", "Second line", "One more line {}"),
    edits("m-003", "Last line", "The end {}"),
)


class Branches(NamedTuple):
    """A repository with a branch for each step of `STEPS`, all from one commit."""

    repo: Repo
    names: Mapping[int, str]


@pytest.fixture(scope="module")
def branches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Branches]:
    repo = Repo(tmp_path_factory.mktemp("merging") / "repo")
    with pytest.MonkeyPatch.context() as patched:
        for name, value in repo.environment.items():
            patched.setenv(name, value)
        files = {path_of(f"m-00{number}"): memory(f"m-00{number}", ABOUT_SEND) + BODY for number in (1, 2, 3)}
        repo.commit("Start", {**CODE, **files})
        told(repo, *(lesson(f"candidate-{at}", words, title=None) for at, words in enumerate(LESSONS, 1)))
        yield Branches(repo, {number: _branch(repo, number, step) for number, step in enumerate(STEPS)})


def _branch(repo: Repo, number: int, step: Step) -> str:
    name = f"branch-{number}"
    repo.git("switch", "-qc", name, "main")
    step.does(repo, number)
    repo.commit(f"Step {number}")
    added = {row[0] for row in repo.git("diff", "--name-status", "--no-renames", "main..HEAD").splitlines()}
    assert added == ({"A"} if step.adds else {"M"})
    repo.git("switch", "-q", "main")
    return name


def _pairs() -> list[tuple[int, int]]:
    every = [(one, other) for one in range(len(STEPS)) for other in range(one)]
    return random.Random(5).sample(every, PAIRS)


@pytest.mark.parametrize(("one", "other"), _pairs())
def test_a_pair_merges_or_stays_a_conflict_that_can_be_read(branches: Branches, one: int, other: int) -> None:
    repo = branches.repo
    repo.git("checkout", "-q", "--detach", branches.names[one])
    repo.git("merge", "-q", "-m", "Merge", branches.names[other], check=False)
    conflicts = repo.git("diff", "--name-only", "--diff-filter=U").splitlines()
    try:
        if STEPS[one].adds or STEPS[other].adds:
            assert conflicts == []
        for file in conflicts:
            _is_readable(repo, file)
        if not conflicts:
            _all_loads(repo)
    finally:
        repo.git("reset", "-q", "--hard")
        repo.git("checkout", "-q", "main")


def _is_readable(repo: Repo, file: str) -> None:
    """Both sides stand in it, it does not load, and each side on its own does."""
    parsed = parse_memory(file, (repo.path / file).read_bytes())
    assert parsed.memory is None
    assert any(problem.line for problem in parsed.problems)
    for side in (":2", ":3"):
        text = repo.git("show", f"{side}:{file}").encode()
        assert parse_memory(file, text + b"\n").memory is not None


def _all_loads(repo: Repo) -> None:
    with open_repository(repo.path) as opened:
        knowledge = load_knowledge(opened)
    assert [one for one in knowledge.problems if one.severity == "error"] == []
    files = {one.memory.file for one in knowledge.memories}
    in_tree = repo.git("ls-files", ".ai/memory").splitlines()
    assert files >= set(in_tree)


def test_the_pairs_hold_both_kinds(branches: Branches) -> None:
    kinds = {STEPS[one].adds or STEPS[other].adds for one, other in _pairs()}
    assert kinds == {True, False}
    assert len(set(_pairs())) == PAIRS


def test_two_who_confirm_the_same_memory_both_count(branches: Branches) -> None:
    repo = branches.repo
    repo.git("checkout", "-q", "--detach", branches.names[0])
    repo.git("merge", "-q", "-m", "Merge", branches.names[1])
    assert len(list((repo.path / ".ai/validations/m-001").iterdir())) == 2
    assert {str(one.verdict) for one in checked(repo.path).judgements if one.id == "m-001"} == {"fresh"}
    repo.git("checkout", "-q", "main")


def test_two_who_propose_the_same_candidate_propose_one_memory(branches: Branches) -> None:
    repo = branches.repo
    repo.git("checkout", "-q", "--detach", branches.names[3])
    repo.git("merge", "-q", "-m", "Merge", branches.names[4])
    assert len(repo.git("diff", "--name-only", "main..HEAD", "--", ".ai/memory").splitlines()) == 1
    repo.git("checkout", "-q", "main")


def test_two_edits_of_the_same_words_are_a_conflict(branches: Branches, tmp_path: Path) -> None:
    repo = branches.repo
    for one, other in ((12, 13), (14, 15), (7, 8), (7, 10)):
        repo.git("checkout", "-q", "--detach", branches.names[one])
        repo.git("merge", "-q", "-m", "Merge", branches.names[other], check=False)
        (file,) = repo.git("diff", "--name-only", "--diff-filter=U").splitlines()
        assert "<<<<<<<" in repo.read(file)
        assert ">>>>>>>" in repo.read(file)
        _is_readable(repo, file)
        repo.git("reset", "-q", "--hard")
    repo.git("checkout", "-q", "main")
