"""The index finds what a search of git finds, in the judged tree and in that of a baseline."""

from __future__ import annotations

import random

import pytest

from gitmem.git.opening import open_repository
from gitmem.usecases import word_index
from gitmem.usecases.contents import Contents
from gitmem.usecases.past import PastView
from gitmem.usecases.views import CommitView
from gitmem.usecases.word_index import has_word
from tests.support.repo import Repo

WORDS = ("total", "_total", "next-auth", "a::b", "@acme/ui", "함수", "tot", "x.y", "->", "API_KEY", "")
PIECES = (
    "total", "_total", " total_", "next-auth", "next-authx", "a::b", "a::bc", "@acme/ui", "함수", "함수x",
    "tot", "x.y", "ax.y", "p->q", "API_KEY", "\n", " ", "'", "(",
)  # fmt: skip


def _fill(repo: Repo, seed: int) -> None:
    draw = random.Random(seed)
    for number in range(12):
        if draw.random() < 0.7:
            # Apart from each other: of words that touch git tells one or both, as they were asked for.
            text = " ".join(draw.choice(PIECES) for _ in range(draw.randint(0, 12)))
            repo.write(f"{draw.choice(('a', 'b/c', 'made'))}/f{number}.txt", text)
    repo.write(".gitattributes", "made/** -diff\nmade/f3.txt diff\n*.lock binary\n")
    repo.write("made/.gitattributes", "f5.txt diff\n")
    repo.write("b.dat", "total \0 next-auth")
    repo.write("x.lock", "total next-auth\n")
    repo.write("go.txt", f"total {seed}\n")
    if not (repo.path / "link").is_symlink():
        (repo.path / "link").symlink_to("total")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", f"c{seed}")


@pytest.mark.parametrize("seed", range(6))
def test_the_index_answers_as_a_search_does(repo: Repo, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(repo, seed)
    then = repo.git("rev-parse", "HEAD").strip()
    repo.git("rm", "-q", "-r", "--ignore-unmatch", "a")
    _fill(repo, seed + 100)
    now = repo.git("rev-parse", "HEAD").strip()
    repository = open_repository(repo.path)
    monkeypatch.setattr(word_index, "DIRECT", 1_000)
    searching = Contents(repository)
    expected = [CommitView(repository, one, searching).files_with(WORDS) for one in (now, then)]
    monkeypatch.setattr(word_index, "DIRECT", 0)
    contents = Contents(repository)
    view = CommitView(repository, now, contents)
    past = PastView(repository, then, contents, view, repository.diff_all([then], now)[then])
    assert view.files_with(WORDS) == expected[0]
    assert past.files_with(WORDS) == expected[1]


def test_a_tree_that_is_too_large_is_searched() -> None:
    index = Contents(open_repository()).words
    assert not any(index.pays(1, word_index.MOST_FILES + 1) for _ in range(20))
    assert [index.pays(1, 10) for _ in range(4)] == [False, False, True, True]
    assert Contents(open_repository()).words.pays(500, 10), "many words at once cost as much as many searches"


@pytest.mark.parametrize(
    ("word", "data", "found"),
    [
        ("a-b", b"a-b", True),
        ("a-b", b"xa-b a-b_ (a-b)", True),
        ("a-b", b"xa-b a-b_ a-b1", False),
        ("함수", "함수입니다".encode(), True),
        ("a", b"", False),
    ],
)
def test_a_word_is_whole(word: str, data: bytes, *, found: bool) -> None:
    assert has_word(word, data) is found
    assert not has_word(word, None)
