"""What history says of a task does not depend on what was asked before, and damage is told apart from faults."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.store.term_index import TermIndex
from gitmem.usecases.recalling import indexing_commits
from gitmem.usecases.recalling.commits import commit_index, guessed_by
from tests.support.memories import memory, path_of
from tests.support.repo import Repo
from tests.usecases.test_recall import answer, cache, ids

WORDS = {"wfrobnicat": 1.0, "wwidget": 1.0}


def told(repo: Repo, head: str) -> tuple[set[str], dict[str, float]]:
    """Commits that are indexed for a commit, and what they say."""
    with open_repository(repo.path) as repository:
        index = commit_index(repository, head)
        assert index is not None
        found = set(index.keys), guessed_by(index, WORDS)
        index.close()
    return found


def anew(repo: Repo, head: str) -> tuple[set[str], dict[str, float]]:
    kept = cache(repo)
    shutil.move(kept, kept.with_name("aside"))
    found = told(repo, head)
    shutil.rmtree(kept)
    shutil.move(kept.with_name("aside"), kept)
    return found


@pytest.mark.parametrize("most", [indexing_commits.MOST_COMMITS, 6])
def test_after_any_jumps_the_index_of_commits_is_that_of_a_clone_that_keeps_nothing(
    tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing_commits, "MOST_COMMITS", most)
    repo = Repo(tmp_path / "repo")
    commits = [repo.commit(f"Frobnicate the widget {one}", {f"a/{one % 4}.py": f"{one}"}) for one in range(9)]
    repo.git("checkout", "-q", "-b", "side", commits[3])
    commits += [repo.commit(f"Frobnicate aside {one}", {f"b/{one}.py": f"{one}"}) for one in range(4)]
    repo.git("merge", "-q", "-m", "Merge", "main")
    commits.append(repo.git("rev-parse", "HEAD").strip())
    jumps = random.Random(6)
    for head in (commits[0], *(jumps.choice(commits) for _ in range(10))):
        assert told(repo, head) == anew(repo, head), head


def test_a_history_that_more_than_doubled_counts_at_once(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    hidden = memory("hidden", "Mind the limits", scope="{paths: [a/**]}")
    repo.commit("Start", {path_of("hidden"): hidden, "a/x.py": "1"})
    asked = "frobnicate the widget with limits"
    (before,) = answer(repo, asked).items
    assert before.score.similarity.place == 0
    for number in range(3):
        repo.commit(f"Frobnicate the widget {number}", {"a/x.py": f"new {number}"})
    (item,) = answer(repo, asked).items
    assert item.score.similarity.place > 0
    answer(repo, asked, as_of="HEAD~3")
    assert answer(repo, asked).items == (item,)


def test_a_fault_in_asking_history_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("Start", {path_of(): memory()})

    def broken(*_: object) -> None:
        raise KeyError("fault")

    monkeypatch.setattr(TermIndex, "keys_of", broken)
    with pytest.raises(KeyError, match="fault"):
        answer(repo, "start the gateway")


@pytest.mark.parametrize("query", ["translate the manual", "zzz the", "hello to all"])
def test_words_of_every_sentence_are_no_likeness_to_a_commit(tmp_path: Path, query: str) -> None:
    repo = Repo(tmp_path / "repo")
    hidden = memory("hidden", "Mind limits", scope="{paths: [a/**]}")
    repo.commit("Add the first of all to the store", {path_of("hidden"): hidden, "a/x.py": "1"})
    for number in range(3):
        repo.commit(f"Send the mails to all {number}", {"a/x.py": f"new {number}"})
    assert ids(answer(repo, query)) == []
