"""Refs read from the files that hold them: what git lists, or git is asked."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.git.several_refs import ListedRefs, list_refs
from tests.support.repo import Repo

RUNS, ARCHIVE = "refs/ai/runs/", "refs/ai/archive/"
ZERO = "0" * 40


def make(repo: Repo) -> tuple[str, str]:
    old, new = repo.commit("One", {"a": "1"}), repo.commit("Two", {"a": "2"})
    for name in (
        f"{RUNS}run-1/w1",
        f"{RUNS}run-1/w2",
        f"{RUNS}run-10/w1",
        f"{ARCHIVE}w1",
        f"{ARCHIVE}w1.artifacts",
    ):
        repo.git("update-ref", name, old)
    repo.git("update-ref", "refs/ai/other/x", old)
    return old, new


def listed(repo: Repo, *prefixes: str) -> ListedRefs:
    with open_repository(repo.path) as repository:
        return list_refs(repository, *prefixes)


def as_git_lists(repo: Repo, *prefixes: str) -> dict[str, str]:
    rows = repo.git("for-each-ref", "--format=%(refname) %(objectname)", *prefixes).splitlines()
    return dict(row.split(" ") for row in rows)


def pack(repo: Repo) -> None:
    repo.git("pack-refs", "--all")


def pack_and_move(repo: Repo) -> None:
    pack(repo)
    repo.git("update-ref", f"{RUNS}run-1/w1", repo.head())
    repo.git("update-ref", "-d", f"{RUNS}run-1/w2")


def to_a_missing_object(repo: Repo) -> None:
    (repo.path / f".git/{RUNS}run-1/w1").write_text("1" * 40 + "\n")


def beside_locks(repo: Repo) -> None:
    (repo.path / f".git/{RUNS}run-1/w3.lock").write_text("")
    (repo.path / f".git/{RUNS}run-1/.hidden").write_text("")
    (repo.path / f".git/{RUNS}empty").mkdir()


@pytest.mark.parametrize("change", [lambda _: None, pack, pack_and_move, to_a_missing_object, beside_locks])
@pytest.mark.parametrize("prefixes", [(RUNS, ARCHIVE), (f"{RUNS}run-1/", ARCHIVE), (f"{RUNS}none/",)])
def test_plain_refs_are_what_git_lists_and_no_process_is_asked(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, change: Callable[[Repo], None], prefixes: tuple[str, ...]
) -> None:
    make(repo)
    change(repo)
    truth = as_git_lists(repo, *prefixes)
    with open_repository(repo.path) as repository:
        monkeypatch.setenv("PATH", "")
        found = list_refs(repository, *prefixes)
    assert found == ListedRefs(truth, {})
    assert list(found.refs) == list(truth)


@pytest.mark.parametrize(
    "held", ["", "damaged\n", ZERO + "\n", "ref: refs/heads/main\n", "1" * 39 + "\n", "1" * 40]
)
def test_what_is_no_plain_ref_is_judged_by_git(repo: Repo, held: str) -> None:
    make(repo)
    (repo.path / f".git/{RUNS}run-1/w1").write_text(held)
    found = listed(repo, RUNS)
    judged = {**found.refs, **found.damaged}
    assert f"{RUNS}run-1/w1" in judged
    assert f"{RUNS}run-1/w2" in found.refs
    if held != "1" * 40:
        assert f"{RUNS}run-1/w1" in found.damaged


def test_reftables_are_listed_by_git(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    old, _ = make(repo)
    (repo.path / ".git/reftable").mkdir()  # as if it were one: the files say nothing then
    assert listed(repo, ARCHIVE).refs == {f"{ARCHIVE}w1": old, f"{ARCHIVE}w1.artifacts": old}


def test_refs_that_are_packed_meanwhile_are_never_lost(repo: Repo) -> None:
    make(repo)
    truth = as_git_lists(repo, RUNS)
    with open_repository(repo.path) as repository:
        for _ in range(20):
            packing = subprocess.Popen(["git", "pack-refs", "--all"], cwd=repo.path, env=repo.environment)
            while packing.poll() is None:
                assert dict(list_refs(repository, RUNS).refs) == truth
            repo.git("update-ref", "-d", f"{RUNS}run-1/w1")
            repo.git("update-ref", f"{RUNS}run-1/w1", truth[f"{RUNS}run-1/w1"])
