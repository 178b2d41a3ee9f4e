"""Vectors from end to end: the offline model, and endpoints that fail, over real repositories."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from gitmem.embedding.offline import OfflineModel
from gitmem.embedding.provider import Failure
from gitmem.embedding.settings import Settings
from gitmem.git.opening import open_repository
from gitmem.report.recall import recall_lines
from gitmem.store.ledger import RunLedger
from gitmem.usecases.embedding import filling
from gitmem.usecases.embedding.asking import Comparing
from gitmem.usecases.embedding.background import BackgroundFilling
from gitmem.usecases.embedding.filling import Filled, fill
from gitmem.usecases.embedding.providing import Configured, configured
from gitmem.usecases.map import find_in_map, load_map
from gitmem.usecases.recall import Asked, Recalled, recall
from tests.support.cli import gitmem
from tests.support.endpoints import Bad, Reply, bad_server, of_words, vectors
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

NOW = datetime(2026, 7, 20, 12, tzinfo=UTC)
SUMMARIES = {
    "throttle": "Throttling of clients begins above a hundred calls",
    "twice": "중복 제출은 멱등 키로 막는다",
    "dates": "Reports write dates in the time zone of the reader",
    "limits": "The rate of exchange is limited to four digits",
    "icons": "Icons are drawn on a grid of 24 pixels",
}
FILES = {
    path_of(name): memory(name, summary, scope="{paths: [src/pay/**]}") for name, summary in SUMMARIES.items()
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("Start", {**FILES, "src/pay/a.py": "x = 1\n", "src/pages/b.py": "x = 1\n"})
    return made


def filled(repo: Repo, *, renew: bool = False) -> Filled:
    with open_repository(repo.path):
        return fill(RunLedger.open(repo.path), renew=renew)


def answer(repo: Repo, query: str) -> Recalled:
    with open_repository(repo.path) as repository:
        return recall(repository, Asked(query), NOW)


def ids(recalled: Recalled) -> list[str]:
    return [item.card.id for item in recalled.items]


def shown_elements(repo: Repo) -> set[str]:
    with open_repository(repo.path) as repository:
        return {one.element.name for one in load_map(repository, today=NOW.date()).map.cells}


def served(repo: Repo, server: Bad) -> None:
    repo.git("config", "gitmem.embed.url", server.url)
    repo.git("config", "gitmem.embed.model", "m")


# the offline model
def recalled_in_hook(repo: Repo, query: str) -> Recalled:
    with open_repository(repo.path) as repository:
        return recall(repository, Asked(query), NOW, may_load=False)


@pytest.fixture
def offline(repo: Repo) -> Repo:
    repo.git("config", "gitmem.embed.model", "offline")
    told = filled(repo)
    assert (told.problem, told.missing) == ("", 0)
    assert told.added == told.wanted == 2 * len(SUMMARIES) + len(shown_elements(repo))
    return repo


def test_the_offline_model_finds_other_words_and_another_language(offline: Repo) -> None:
    told = answer(offline, "prevent submitting the same form twice")
    assert "twice" in ids(told)
    assert (told.vectors, told.problems) == (True, ())
    assert {item.card.id: item.score.similarity.semantic for item in told.items}["twice"] == 1
    assert ids(answer(offline, "요청이 너무 많은 클라이언트"))[0] == "throttle"
    assert len(ids(answer(offline, "giraffes eat acacia"))) < len(SUMMARIES)  # noise is no answer
    offline.git("config", "--unset", "gitmem.embed.model")
    told = answer(offline, "prevent submitting the same form twice")
    assert "twice" not in ids(told)
    assert not told.vectors


def test_a_hook_loads_no_model_and_uses_one_that_is_there(
    offline: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert recalled_in_hook(offline, "submitted twice").vectors
    monkeypatch.setattr(OfflineModel, "is_ready", False)
    told = recalled_in_hook(offline, "throttling")
    assert (ids(told)[0], told.vectors, told.problems) == ("throttle", False, ())


def test_vectors_are_made_once_and_again_for_what_is_new(offline: Repo) -> None:
    assert filled(offline).added == 0
    offline.commit("Another", {path_of("more"): memory("more", "Passwords are never logged")})
    told = filled(offline)
    assert (told.added, told.wanted) == (2, 14)
    assert filled(offline, renew=True).added == 14


def test_how_alike_two_lessons_are_is_told_on_the_common_scale(offline: Repo) -> None:
    with open_repository(offline.path) as repository:
        told = Comparing(repository).cosines("멱등 키는 중복 제출을 방지한다", SUMMARIES.values())
    assert told[SUMMARIES["twice"]] > 0.8
    assert max(cosine for text, cosine in told.items() if text != SUMMARIES["twice"]) < 0.3


# where vectors take part
def test_a_lesson_in_other_words_is_told_as_near_and_a_contradiction_waits(repo: Repo) -> None:
    with bad_server(of_words) as server:
        served(repo, server)
        near = gitmem("remember", "Rate limits shield us from greedy crawlers", "--json", at=repo.path)
        assert [one["id"] for one in near.document["similar_to"]] == ["throttle"]
        against = gitmem("remember", "Rate limits are not for fewer than 250 calls", "--json", at=repo.path)
        assert against.document["conflict"]["existing_memory"] == "throttle"
        gated = gitmem("gate", against.document["candidate"], "--json", at=repo.path)
        assert "throttle" in gated.out
        assert near.err + against.err == ""


def test_elements_are_found_by_what_their_memories_mean(repo: Repo) -> None:
    elements = "version: 1\nelements:\n  Payments: [src/pay/**]\n  Pages: [src/pages/**]\n"
    repo.commit("Elements", {".ai/elements.yaml": elements})
    with bad_server(of_words) as server:
        served(repo, server)
        assert filled(repo).problem == ""
        with open_repository(repo.path) as repository:
            found = find_in_map(repository, "duplicate orders", today=date(2026, 7, 20))
    assert [(one.element.name, one.reasons[0].field) for one in found.matches] == [("Payments", "semantic")]


def test_texts_leave_without_their_secrets(repo: Repo) -> None:
    with bad_server(of_words) as server:
        served(repo, server)
        filled(repo)
        secret = "ghp_" + "a1B2" * 9
        answer(repo, f"why does {secret} not work")
        assert server.asked[-1].body["input"] != [""]
        assert secret not in json.dumps([one.body for one in server.asked])


# where they cannot
def test_without_a_setting_nobody_is_asked(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.usecases.embedding.asking.configured", None)
    told = answer(repo, "throttling")
    assert (told.vectors, told.problems) == (False, ())
    assert filled(repo) == Filled()


@pytest.mark.parametrize("section", ['[gitmem "embed"]\n', '[GitMem "embed"]\n'])
def test_a_file_of_the_repository_can_set_nothing(repo: Repo, section: str) -> None:
    with bad_server(of_words) as server:
        repo.commit("Share settings", {".gitconfig": f"{section}\turl = {server.url}\n\tmodel = m\n"})
        repo.git("config", "include.path", "../.gitconfig")
        told = filled(repo)
        assert told.settings is None
        assert ".gitconfig is a file of the repository" in told.problem
        (problem,) = answer(repo, "throttling").problems
        assert ".gitconfig is a file of the repository" in problem
        (repo.path / ".git/own").symlink_to(repo.path / ".gitconfig")
        repo.git("config", "include.path", "own")
        assert filled(repo).settings is None
        assert server.asked == []


def test_the_users_own_files_count_the_nearest_last(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    own = repo.path.parent / "gitconfig"
    own.write_text('[gitmem "embed"]\n\tmodel = offline\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    with open_repository(repo.path) as repository:
        assert configured(repository).provider is not None
    repo.git("config", "gitmem.embed.model", "bge-m3")
    with open_repository(repo.path) as repository:
        assert "gitmem.embed.url is not set" in configured(repository).problem


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (None, "did not answer in time"),
        (Reply(body=b"<html>"), "a page of HTML"),
        (Reply(302, headers=(("Location", "http://10.0.0.1/"),)), "redirect to another server"),
        (vectors([1.0, 0.0]), "have 43: gitmem embed --renew"),
    ],
)
def test_a_failing_provider_is_said_once_and_words_go_on(repo: Repo, reply: Reply | None, says: str) -> None:
    repo.git("config", "gitmem.embed.timeout", "250")
    probes, texts = of_words, of_words
    with bad_server(probes, texts, reply) as server:
        served(repo, server)
        assert filled(repo).missing == 0
        first = answer(repo, "throttling of clients")
        assert (ids(first)[0], first.vectors) == ("throttle", False)
        assert says in first.problems[0]
        again = answer(repo, "throttling of clients")
        assert (ids(again), again.vectors, again.problems) == (ids(first), False, ())
        assert len(server.asked) == 3
        (*_, said) = recall_lines(again, explain=True)
        assert "without vectors: the provider failed and is left alone for" in said
        assert says in said


def test_half_a_batch_keeps_nothing_and_the_next_try_goes_on(repo: Repo) -> None:
    with bad_server(of_words, vectors([1.0, 0.0]), of_words) as server:
        served(repo, server)
        told = filled(repo)
        assert "answers 1 vectors for 12 texts" in told.problem
        assert (told.added, told.missing) == (0, 12)
        assert filled(repo).added == 12


def test_before_any_vector_is_made_it_is_said_once_how(repo: Repo) -> None:
    with bad_server(of_words) as server:
        served(repo, server)
        assert "gitmem embed makes them" in answer(repo, "throttling").problems[0]
        assert answer(repo, "throttling").problems == ()
        assert server.asked == []


def test_a_damaged_cache_costs_the_vectors_and_no_answer(repo: Repo) -> None:
    with bad_server(of_words) as server:
        served(repo, server)
        filled(repo)
        assert answer(repo, "rate limit").vectors
        (file,) = (repo.path / ".git/gitmem/cache").glob("vectors-*.sqlite")
        file.write_bytes(b"\0" * file.stat().st_size)
        assert not answer(repo, "throttling").vectors
        assert filled(repo).added == 12
        assert answer(repo, "rate limit").vectors


class Failing:
    """A model that fails from some request on."""

    identity, is_remote, is_ready, patience, batch = "failing", False, True, 1.0, 5

    def __init__(self, good: int) -> None:
        self.good, self.asked = good, 0

    def embed(self, texts: Sequence[str], kind: str, *, within: float) -> list[array[float]] | Failure:
        self.asked += 1
        if self.asked > self.good:
            return Failure("failing fails")
        return [array("f", [1.0, 0.0]) for _ in texts]


@pytest.mark.parametrize("good", [0, 1, 2])
def test_a_renewal_that_fails_keeps_what_was_here_and_asks_no_more(
    repo: Repo, good: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = Failing(100)
    monkeypatch.setattr(filling, "configured", lambda _: Configured(provider, Settings("", "failing")))
    assert filled(repo).added == 12
    (file,) = (repo.path / ".git/gitmem/cache").glob("vectors-*.sqlite")
    before = held(file)
    provider.asked, provider.good = 0, good
    told = filled(repo, renew=True)
    assert (told.added, told.missing) == (0, 0)
    assert told.problem == "failing fails; the vectors that were here are kept"
    assert held(file) == before
    assert provider.asked == good + 1
    provider.good = 100
    assert (filled(repo, renew=True).added, filled(repo).added) == (12, 0)


def held(file: Path) -> list[object]:
    with closing(sqlite3.connect(file)) as connection:
        notes = "SELECT name, value FROM notes WHERE name != 'failed'"
        return [*connection.execute("SELECT * FROM vectors ORDER BY key"), *connection.execute(notes)]


# the command and the background
def test_the_command_says_what_it_did_and_fails_with_the_provider(repo: Repo) -> None:
    none = gitmem("embed", at=repo.path)
    assert (none.code, "git config gitmem.embed.model offline" in none.out) == (3, True)
    with bad_server(of_words) as server:
        served(repo, server)
        done = gitmem("embed", "--json", at=repo.path)
        assert (done.code, done.err) == (0, "")
        url = f"{server.url}/embeddings"
        wanted = {"model": "m", "url": url, "wanted": 12, "added": 12, "missing": 0, "problem": ""}
        assert done.document == wanted
        assert "12 of 12 are here" in gitmem("embed", at=repo.path).out
    gone = gitmem("embed", "--renew", at=repo.path)
    assert gone.code == 4
    assert "the vectors that were here are kept" in gone.err
    assert "12 of 12 are here" in gone.out
    assert "cannot be asked" in gone.err


def test_the_background_fills_what_is_missing_and_ends(repo: Repo) -> None:
    with bad_server(of_words) as server:
        served(repo, server)
        filling = BackgroundFilling(lambda: RunLedger.open(repo.path))
        filling.start()
        filling.start()
        server.answered.get(timeout=30)
        server.answered.get(timeout=30)
        filling.stop(timeout=30)
        told = filled(repo)
        assert (told.added, told.missing) == (0, 0)
        gone = BackgroundFilling(lambda: RunLedger.open(repo.path / "nowhere"))
        gone.start()
        gone.stop(timeout=30)


@pytest.mark.parametrize("is_committed", [True, False])
def test_the_elements_that_the_map_shows_are_filled_in_wherever_they_come_from(
    tmp_path: Path, *, is_committed: bool
) -> None:
    repo = Repo(tmp_path / "new")
    repo.commit("Start", {"src/a.py": "x = 1\n"})
    repo.git("checkout", "-q", "-b", "work")
    text = "version: 1\nelements:\n  Throttling: {paths: [src/**], description: limits the rate of calls}\n"
    if is_committed:
        repo.commit("Name elements", {".ai/elements.yaml": text})
    else:
        repo.write(".ai/elements.yaml", text)
    repo.git("config", "gitmem.embed.model", "offline")
    assert (filled(repo).wanted, filled(repo).missing) == (1, 0)
    assert "gitmem embed" not in gitmem("map", "--find", "too many requests", at=repo.path).err


def test_where_nothing_is_known_that_is_said(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "new")
    repo.git("config", "gitmem.embed.model", "offline")
    said = "Nothing is known here yet: there is no memory, candidate or element to make a vector of.\n"
    assert gitmem("embed", at=repo.path) == (0, said, "")
