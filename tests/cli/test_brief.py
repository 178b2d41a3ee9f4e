"""`gitmem brief`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo


def begin(repo: Repo) -> str:
    repo.commit("first")
    return gitmem("run", "start", "결제", "--goal", "한 번만", at=repo.path).out.strip()


NONE_HERE = "No run is current, and no open run is here; `gitmem run start TASK` begins one.\n"


def test_where_nothing_is_known_nothing_is_told_and_why_beside_it(repo: Repo) -> None:
    assert gitmem("brief", at=repo.path) == (0, "", NONE_HERE)
    assert gitmem("brief", "-q", at=repo.path) == (0, "", "")
    assert gitmem("brief", "--json", at=repo.path).document == {
        "text": "",
        "bytes": 0,
        "run": None,
        "memories": [],
        "left_out": [],
    }


def test_a_run_that_says_nothing_but_its_branch_is_nothing_to_tell(repo: Repo) -> None:
    repo.commit("first")
    run = gitmem("run", "start", "main", at=repo.path).out.strip()
    assert gitmem("brief", at=repo.path) == (0, "", f"Nothing is known of {run} (main) yet.\n")
    gitmem("run", "next", "read the parser", at=repo.path)
    assert "read the parser" in gitmem("brief", at=repo.path).out


def test_in_a_fresh_clone_the_way_to_the_run_is_said(repo: Repo, tmp_path: Path) -> None:
    run = begin(repo)
    there = tmp_path / "there"
    repo.git("clone", "-q", ".", str(there))
    assert "`gitmem sync` fetches runs, `gitmem run start TASK` begins one." in gitmem("brief", at=there).err
    assert gitmem("sync", at=there).code == 0
    assert gitmem("brief", at=there).out == (
        f"No run is current: 1 open run is here, {run} (결제); `gitmem run switch {run}` goes on with it.\n"
    )
    assert gitmem("run", "switch", run, at=there).code == 0
    assert gitmem("brief", at=there).out.startswith("# gitmem brief\n")


def test_the_document_has_what_the_text_has(repo: Repo) -> None:
    run = begin(repo)
    text = gitmem("brief", at=repo.path).out
    document = gitmem("brief", "--json", "--task", "결제", "--path", "a.py", at=repo.path).document
    assert "## Current Goal\n\n한 번만\n" in text
    assert document == {
        "text": text,
        "bytes": len(text.encode()),
        "run": run,
        "memories": [],
        "left_out": [],
    }


def test_with_a_session_one_event_tells_what_was_delivered(repo: Repo) -> None:
    repo.commit("memory", {path_of(): memory(), "src/a.py": "A = 1\n"})
    gitmem("run", "start", "headers", at=repo.path)
    asked = ("brief", "--task", "gateway headers")
    before = repo.git("rev-parse", "AI_RUN")
    assert gitmem(*asked, "--json", at=repo.path).document["memories"] == ["m-001"]
    assert repo.git("rev-parse", "AI_RUN") == before
    assert "(id: `m-001`)" in gitmem(*asked, "--session", "s-1", "--actor", "codex", at=repo.path).out
    (event,) = gitmem("run", "log", "--json", at=repo.path).document["events"][1:]
    assert (event["type"], event["session"], event["actor"]) == ("memory_delivered", "s-1", "codex")
    assert event["payload"] == {"ids": ["m-001"], "query": "gateway headers"}


def test_the_budget_holds(repo: Repo) -> None:
    begin(repo)
    assert gitmem("brief", "--budget", "10", at=repo.path) == (0, "Left out: 4, see `gitmem brief`\n", "")
    assert gitmem("brief", "--budget", "1", at=repo.path) == (
        0,
        "",
        "nothing of 4 parts fits into the budget of 1: gitmem brief\n",
    )
    assert gitmem("brief", "--budget", "0", at=repo.path).code == 2


def test_a_damaged_ledger_is_one_sentence_and_exits_as_what_cannot_be_read(repo: Repo) -> None:
    begin(repo)
    tip = repo.git("rev-parse", "AI_RUN")
    (repo.path / ".git" / "objects" / tip[:2] / tip[2:]).unlink()
    for cached in (repo.path / ".git" / "gitmem" / "cache").glob("run-*"):
        cached.unlink()
    done = gitmem("brief", at=repo.path)
    assert (done.code, done.out) == (3, "")
    assert done.err.count("\n") == 1


def test_it_writes_nothing_and_needs_neither_pygit2_nor_a_yaml_parser(repo: Repo) -> None:
    begin(repo)
    gitmem("init", at=repo.path)
    repo.commit("policies")
    gitmem("brief", at=repo.path)
    before = repo.git("for-each-ref")
    script = "import sys; from gitmem._main import main; code = main(); sys.exit(code or {'pygit2', 'yaml', 'ruamel', 'pydantic'} & set(sys.modules) or 0)"
    done = subprocess.run(
        [sys.executable, "-c", script, "brief"],
        cwd=repo.path,
        env={
            **repo.environment,
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },  # the very gitmem that kept it
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"## Current Goal" in done.stdout
    assert repo.git("for-each-ref") == before
