"""What was made from a repository is kept for an equal key, and nothing else."""

from __future__ import annotations

from gitmem.git.discovery import discover
from gitmem.git.keeping import Keeping
from gitmem.git.timed import timed_repository
from tests.support.repo import Repo


def test_an_equal_key_gives_what_was_made_and_another_key_makes_anew() -> None:
    keeping, made = Keeping(), iter(range(9))
    assert keeping.last("number") is None
    assert [keeping.kept("number", key, lambda: next(made)) for key in ("a", "a", "b", "a")] == [0, 0, 1, 2]
    assert keeping.kept("other", "a", lambda: next(made)) == 3
    assert keeping.last("number") == 2


def test_what_does_not_last_is_made_each_time() -> None:
    keeping, made = Keeping(), iter(range(9))
    told = [keeping.kept("number", 1, lambda: next(made), lasts=lambda one: one > 1) for _ in range(5)]
    assert told == [0, 1, 2, 2, 2]


def test_repositories_of_one_server_share_what_they_keep(repo: Repo) -> None:
    repo.commit("Start", {"a": "1"})
    held: dict[str, tuple[object, object]] = {}
    with (
        timed_repository(discover(repo.path), held) as one,
        timed_repository(discover(repo.path), held) as two,
    ):
        assert one.kept("number", 1, lambda: 7) == two.kept("number", 1, lambda: 8) == 7
    with timed_repository(discover(repo.path)) as alone:
        assert alone.kept("number", 1, lambda: 8) == 8


def test_a_call_sees_one_moment_and_the_next_one_another(repo: Repo) -> None:
    first = repo.commit("Start", {"a": "1"})
    with timed_repository(discover(repo.path)) as repository:
        assert repository.head() == first
        second = repo.commit("More", {"a": "2"})
        assert repository.head() == second  # outside of a call it is asked each time
        repository.until(None)
        assert (repository.head(), repository.status().all) == (second, frozenset())
        third = repo.commit("Third", {"a": "3"})
        repo.write("new", "1")
        assert (repository.head(), repository.status().all) == (second, frozenset())
        repository.until(None)
        assert (repository.head(), repository.status().all) == (third, frozenset({"new"}))
        assert repository.resolve(third) == third
