"""The handoff of a real run: written in one event, readable with plain git, labelled stale when HEAD moves on."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from gitmem.errors import NotFoundError
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.handing_off import show_handoff, write_handoff
from tests.support.repo import Repo


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    repo.commit("first", {"a.py": "a = 1\n"})
    with RunLedger.open(repo.path) as opened:
        yield opened


@pytest.fixture
def run(ledger: RunLedger) -> Run:
    made = ledger.run("run-1")
    made.append(event_type="task_created", actor="human", payload={"task": "결제", "goal": "한 번만"})
    ledger.set_current(made)
    return made


def fail(run: Run, *, log: bytes = b"one\ntwo\n", test: str = "t1") -> None:
    run.append(
        event_type="test_failed",
        actor="test-runner",
        payload={"command": "make test", "exit_code": 2, "failing": [test], "artifact": "test.log"},
        artifacts={"test.log": log},
    )


def test_one_event_carries_the_documents(repo: Repo, ledger: RunLedger, run: Run) -> None:
    fail(run)
    event = write_handoff(ledger, run, actor="claude-code", session="s1")

    assert (event.type, event.seq, event.session, event.payload) == (
        "handoff_written",
        3,
        "s1",
        {"branch": "main"},
    )
    text = repo.git("show", "AI_RUN:handoff.md")
    assert f"run `run-1` · task `결제` · commit `{repo.head()[:12]}` · branch `main` · {event.at}" in text
    assert "STALE" not in text
    assert repo.git("show", "AI_RUN:decisions.md").startswith("# Decisions")
    failure = json.loads(repo.git("show", "AI_RUN:latest-failure.json"))
    assert (failure["seq"], failure["log_tail"], failure["failing"]) == (2, "one\ntwo\n", ["t1"])
    assert repo.git("show", f"{event.commit}:artifacts/test.log") == "one\ntwo"


def test_a_failure_that_no_longer_stands_is_null(repo: Repo, ledger: RunLedger, run: Run) -> None:
    fail(run)
    write_handoff(ledger, run, actor="human")
    run.append(event_type="test_passed", actor="test-runner")
    write_handoff(ledger, run, actor="human")
    assert repo.git("show", "AI_RUN:latest-failure.json") == "null"


def test_a_new_failure_takes_the_place_of_the_old_one(repo: Repo, ledger: RunLedger, run: Run) -> None:
    fail(run)
    write_handoff(ledger, run, actor="human")
    fail(run, test="t2", log=b"three\n")
    write_handoff(ledger, run, actor="human")
    failure = json.loads(repo.git("show", "AI_RUN:latest-failure.json"))
    assert (failure["failing"], failure["log_tail"]) == (["t2"], "three\n")


def test_a_failure_file_saved_with_its_event_is_kept(repo: Repo, ledger: RunLedger, run: Run) -> None:
    saved = b'{"command":"make test","failing":["t1"],"log_tail":"the very tail","type":"test_failed","version":1}\n'
    run.append(
        event_type="test_failed",
        actor="test-runner",
        payload={"command": "make test", "failing": ["t1"]},
        files={"latest-failure.json": saved},
    )
    write_handoff(ledger, run, actor="human")
    assert json.loads(repo.git("show", "AI_RUN:latest-failure.json"))["log_tail"] == "the very tail"


def test_nothing_failed_ever_makes_no_failure_file(repo: Repo, ledger: RunLedger, run: Run) -> None:
    event = write_handoff(ledger, run, actor="human")
    assert repo.git("ls-tree", "--name-only", event.commit).split() == ["decisions.md", "handoff.md"]


def test_the_label_counts_the_commits_since(repo: Repo, ledger: RunLedger, run: Run) -> None:
    write_handoff(ledger, run, actor="human")
    assert "STALE" not in show_handoff(ledger, run).text
    repo.commit("second")
    run.append(event_type="commit_recorded", actor="git", payload={"commit": repo.commit("third")})
    shown = show_handoff(ledger, run)
    assert shown.stamp.stale.startswith("HEAD moved on by 2 commits to")
    assert "\n> STALE: HEAD moved on by 2 commits" in shown.text
    run.append(event_type="next_step_set", actor="human", payload={"next_step": "go on"})
    assert "STALE" not in show_handoff(ledger, run).text


def test_another_line_of_history_is_said(repo: Repo, ledger: RunLedger, run: Run) -> None:
    repo.commit("second")
    write_handoff(ledger, run, actor="human")
    repo.git("checkout", "-q", "-b", "other", "HEAD~1")
    repo.commit("elsewhere")
    assert "does not follow" in show_handoff(ledger, run).stamp.stale


def test_a_commit_that_is_not_here_is_said(ledger: RunLedger) -> None:
    run = ledger.run("run-2")
    run.append(event_type="task_created", actor="human", code="c" * 40)
    assert "is not in this clone" in show_handoff(ledger, run).stamp.stale


def test_uncommitted_work_is_told_until_it_is_recorded(repo: Repo, ledger: RunLedger, run: Run) -> None:
    first = repo.head()
    repo.write("a.py", "a = 2\n")
    run.append(event_type="test_passed", actor="test-runner", payload={"command": "make"})
    run.append(event_type="next_step_set", actor="human", payload={"next_step": "go on"})
    told = f"Not committed: changes after commit `{first[:12]}`, seen at #2"
    assert f"\n{told}\n" in show_handoff(ledger, run).text
    repo.git("stash", "-q")
    assert f"\n{told}; the work tree here has none\n" in show_handoff(ledger, run).text
    write_handoff(ledger, run, actor="human")
    assert "Not committed" not in repo.git("show", "AI_RUN:handoff.md")
    assert f"- test (#2, on uncommitted changes after `{first[:12]}`)" in show_handoff(ledger, run).text
    second = repo.commit("second", {"a.py": "a = 2\n"})
    run.append(event_type="commit_recorded", actor="git", payload={"commit": second})
    text = show_handoff(ledger, run).text
    assert (
        f"(#2, on uncommitted changes after `{first[:12]}`; commit `{second[:12]}` was recorded next)" in text
    )


def test_decisions_are_in_the_file_that_was_written_after_them(
    repo: Repo, ledger: RunLedger, run: Run
) -> None:
    def decide(number: int) -> None:
        run.append(event_type="decision_recorded", actor="human", payload={"decision": f"d{number}"})

    for number in range(9):
        decide(number)
    assert "- … 1 earlier: `gitmem run show run-1`\n" in show_handoff(ledger, run).text
    write_handoff(ledger, run, actor="human")
    saved = "- … 1 earlier: `git show AI_RUN:decisions.md`\n"
    assert saved in repo.git("show", "AI_RUN:handoff.md") + "\n"
    assert saved in show_handoff(ledger, run).text
    decide(9)
    assert "- … 2 earlier: `gitmem run show run-1`\n" in show_handoff(ledger, run).text


def test_a_rewritten_commit_is_followed(repo: Repo, ledger: RunLedger, run: Run) -> None:
    write_handoff(ledger, run, actor="human")
    old = repo.head()
    repo.git("commit", "-q", "--amend", "-m", "better words")
    run.append(event_type="commits_rewritten", actor="git", payload={"pairs": [[old, repo.head()]]})
    assert show_handoff(ledger, run).stamp.stale == ""


def test_a_run_that_is_not_current_is_seen_through_its_ref(ledger: RunLedger, run: Run) -> None:
    fail(run)
    other = ledger.run("run-2")
    other.append(event_type="task_created", actor="human")
    ledger.set_current(other)
    assert f"git show {run.ref()}:artifacts/test.log" in show_handoff(ledger, run).text


def test_detached_and_unborn_have_no_branch(repo: Repo, ledger: RunLedger, run: Run) -> None:
    repo.git("checkout", "-q", "--detach")
    assert write_handoff(ledger, run, actor="human").payload == {}
    assert "branch" not in show_handoff(ledger, run).text


def test_a_run_without_events_has_none(ledger: RunLedger) -> None:
    with pytest.raises(NotFoundError, match="no such run here: run-9"):
        write_handoff(ledger, ledger.run("run-9"), actor="human")


def test_secrets_are_masked_in_the_documents(repo: Repo, ledger: RunLedger, run: Run) -> None:
    run.append(event_type="finding_noted", actor="human", payload={"finding": "fine"})
    write_handoff(ledger, run, actor="human")
    token = "ghp_" + "a1B2" * 9
    run.append(event_type="finding_noted", actor="human", payload={"finding": f"found {token}"})
    write_handoff(ledger, run, actor="human")
    assert token not in repo.git("show", "AI_RUN:handoff.md")
