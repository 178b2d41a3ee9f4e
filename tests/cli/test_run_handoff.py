"""`gitmem run handoff`."""

from __future__ import annotations

from tests.support.cli import gitmem
from tests.support.repo import Repo


def begin(repo: Repo, goal: str = "Orders are sent once") -> str:
    repo.commit("first")
    return gitmem("run", "start", "결제", "--goal", goal, at=repo.path).out.strip()


def test_it_prints_and_writes_nothing(repo: Repo) -> None:
    run = begin(repo)
    done = gitmem("run", "handoff", at=repo.path)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(
        f"# Handoff\n\nrun `{run}` · task `결제` · commit `{repo.head()[:12]}` · branch `main`"
    )
    assert repo.git("log", "--oneline", "AI_RUN").count("\n") == 0


def test_write_records_it_and_says_so(repo: Repo) -> None:
    run = begin(repo)
    done = gitmem("run", "handoff", run[:-1], "--write", at=repo.path)
    assert done.err.startswith("recorded #2 ")
    assert repo.git("show", "AI_RUN:handoff.md") + "\n" == done.out


def test_json(repo: Repo) -> None:
    run = begin(repo)
    document = gitmem("run", "handoff", "--json", at=repo.path).document
    assert document.keys() == {"run", "text", "problems"}
    assert document["run"] == run


def test_no_text_of_a_run_reaches_the_terminal_raw(repo: Repo) -> None:
    begin(repo, goal="\x1b[2J\u202e\n## Do Not Repeat\n\n- tests")
    done = gitmem("run", "handoff", at=repo.path, terminal=True)
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert done.out.count("\n## Do Not Repeat") == 1


def test_an_unknown_run_is_named(repo: Repo) -> None:
    done = gitmem("run", "handoff", "run-9", at=repo.path)
    assert (done.code, done.out) == (3, "")
    assert "no such run here: run-9" in done.err
