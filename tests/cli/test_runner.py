from __future__ import annotations

from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

HOSTILE = "'::error file=x::pwned'"


def test_on_a_github_runner_no_text_of_a_repository_is_read_as_a_command(repo: Repo) -> None:
    body = "|\n  line one\n  ::error::two\n  ##[error]three"
    repo.commit("Start", {path_of(): memory(summary=HOSTILE, body=body), "src/a.py": "x = 1\n"})
    said = gitmem("show", "m-001", at=repo.path, environment={"GITHUB_ACTIONS": "true"}).out.splitlines()
    assert said[0].startswith("::stop-commands::")
    assert said[-1] == f"::{said[0].removeprefix('::stop-commands::')}::"
    assert len(said[0]) > len("::stop-commands::") + 16


def test_elsewhere_nothing_is_put_around_the_answer(repo: Repo) -> None:
    repo.commit("Start", {path_of(): memory(), "src/a.py": "x = 1\n"})
    assert "stop-commands" not in gitmem("show", "m-001", at=repo.path).out


def test_json_stays_one_document_on_a_runner(repo: Repo) -> None:
    repo.commit("Start", {path_of(): memory(), "src/a.py": "x = 1\n"})
    done = gitmem("show", "m-001", "--json", at=repo.path, environment={"GITHUB_ACTIONS": "true"})
    assert done.document["memories"][0]["id"] == "m-001"
