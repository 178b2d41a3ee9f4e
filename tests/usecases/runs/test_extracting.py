"""Candidates recorded at the end of a run: once, compared with what is known."""

from __future__ import annotations

import json

import pytest

from gitmem.errors import InvalidDataError
from gitmem.model.event import Event
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.candidates import load_candidates
from gitmem.usecases.runs.ending import EndedRun, end_run
from gitmem.usecases.runs.recording import Teller
from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

CODEX = Teller("codex")
TEST = "tests/test_pay.py::test_retry"
RULE = "retries stay in the gateway client"


def tell(run: Run, event_type: str, actor: str = "codex", **payload: object) -> Event:
    return run.append(event_type=event_type, actor=actor, payload=payload)


def fix(run: Run, repo: Repo, finding: str = "the gateway drops the key on every retry") -> str:
    tell(run, "test_failed", command="pytest", failing=[TEST], failure_class="agent_failure")
    tell(run, "finding_noted", finding=finding)
    commit = repo.commit("Send the key with every attempt", {"src/pay/gateway.py": "x = 1\n"})
    tell(run, "commit_recorded", "git", commit=commit, subject="Send the key with every attempt")
    tell(run, "test_passed", "test-runner", command="pytest", tests=[TEST])
    return commit


def stored(ended: EndedRun) -> list[str]:
    return [one.candidate or "" for one in ended.remembered if one.stored]


def test_a_run_ends_with_the_candidates_that_its_events_tell(ledger: RunLedger, run: Run, repo: Repo) -> None:
    commit = fix(run, repo)
    (found,) = stored(end_run(ledger, run, CODEX))
    (candidate,) = load_candidates(ledger).candidates
    assert (candidate.id, candidate.run, candidate.fixed_by) == (found, "run-1", commit)
    assert (candidate.requires_human_review, candidate.actor) == (True, "codex")
    assert candidate.memory.scope.paths == ("src/pay/gateway.py",)
    assert [one.type for one in run.events()][-3:] == ["memory_candidate", "completed", "handoff_written"]
    assert repo.git("status", "--porcelain") == ""
    assert ledger.verify("run-1").problems == ()


def test_ending_again_or_in_a_fork_records_nothing_twice(ledger: RunLedger, run: Run, repo: Repo) -> None:
    fix(run, repo)
    tell(run, "decision_recorded", decision=RULE, reason="the server has none")
    assert len(stored(end_run(ledger, run, CODEX))) == 2
    tell(run, "run_resumed")
    assert end_run(ledger, run, CODEX).remembered == ()
    forked = ledger.fork(run, at=6)
    assert end_run(ledger, forked, CODEX).remembered == ()
    assert len(load_candidates(ledger).candidates) == 2


def test_a_resumed_run_adds_what_is_new(ledger: RunLedger, run: Run, repo: Repo) -> None:
    fix(run, repo)
    end_run(ledger, run, CODEX)
    tell(run, "run_resumed")
    tell(run, "decision_recorded", decision=RULE, reason="the server has none")
    assert len(stored(end_run(ledger, run, CODEX))) == 1


def test_what_is_approved_is_counted_once(ledger: RunLedger, run: Run, repo: Repo) -> None:
    repo.commit("Approve", {path_of(): memory(summary=RULE)})
    tell(run, "decision_recorded", decision=RULE, reason="the server has none")
    (one,) = end_run(ledger, run, CODEX).remembered
    assert (one.confirmed, one.stored) == ("m-001", None)
    for _ in range(2):
        tell(run, "run_resumed")
        end_run(ledger, run, CODEX)
    assert load_candidates(ledger).repetitions == {"m-001": 1}


def test_what_cannot_be_read_keeps_no_run_from_ending(
    ledger: RunLedger, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise InvalidDataError("damaged")

    monkeypatch.setattr("gitmem.usecases.runs.ending.extract_candidates", broken)
    ended = end_run(ledger, run, CODEX)
    assert (ended.no_candidates, run.snapshot().phase) == ("damaged", "completed")


def test_a_merge_tells_all_that_it_brought(ledger: RunLedger, run: Run, repo: Repo) -> None:
    start = repo.commit("Start", {"a.py": "x = 1\n"})
    tell(run, "branch_merged", "git", commit=start)
    repo.commit("One", {"src/gateway_client.py": "x = 1\n"})
    tip = repo.commit(
        "Two", {f"src/many/f{n}.py": "x = 1\n" for n in range(1)} | {f"m{n}/f.py": "x\n" for n in range(9)}
    )
    tell(run, "branch_merged", "git", commit=tip)
    tell(run, "branch_merged", "git", commit="f" * 40)
    tell(run, "decision_recorded", decision=RULE, reason="the server has none")
    end_run(ledger, run, CODEX)
    (candidate,) = load_candidates(ledger).candidates
    assert candidate.memory.scope.paths == ("src/gateway_client.py",)


def test_on_the_command_line(run: Run, repo: Repo) -> None:
    fix(run, repo, "게이트웨이가 재시도할 때 키를 버린다")
    done = gitmem("run", "end", "--json", at=repo.path).document
    (one,) = done["memory_candidates"]
    assert one["summary"].endswith("test_retry 테스트가 실패했다: 게이트웨이가 재시도할 때 키를 버린다")
    assert (one["type"], one["failure_class"]) == ("verified_fix_pattern", "agent_failure")
    assert one["evidence"][0] == f"test:{TEST}"
    gitmem("run", "resume", at=repo.path)
    again = gitmem("run", "end", at=repo.path)
    assert again.out == "run-1 completed\n"
    taken = gitmem("remember", "--from", "-", "--json", at=repo.path, stdin=json.dumps(done)).document
    assert [(held["candidate"], held["deduplicated"]) for held in taken["remembered"]] == [(one["id"], True)]


def test_lines_for_people_tell_type_and_words(run: Run, repo: Repo) -> None:
    fix(run, repo)
    done = gitmem("run", "end", at=repo.path)
    assert (
        "  verified_fix_pattern  Send the key with every attempt – before that test_retry failed" in done.out
    )


def test_words_with_hidden_characters_are_not_proposed(run: Run, repo: Repo) -> None:
    fix(run, repo, "the gateway \x1b[2J drops the key on every retry")
    assert gitmem("run", "end", at=repo.path).out == "run-1 completed\n"


def test_without_a_commit_nothing_is_cited_that_is_not_there(ledger: RunLedger, run: Run) -> None:
    tell(run, "decision_recorded", decision="src/a.py alone speaks to the server", reason="it was agreed")
    tell(run, "branch_merged", "git", commit="f" * 40)
    assert len(stored(end_run(ledger, run, CODEX))) == 1
    (candidate,) = load_candidates(ledger).candidates
    assert (candidate.memory.scope.paths, candidate.memory.evidence.commits) == ((), ())


def test_two_that_end_forks_of_one_run_record_the_same_ids(ledger: RunLedger, run: Run, repo: Repo) -> None:
    fix(run, repo)
    forks = [ledger.fork(run, at=5) for _ in range(2)]
    assert [len(stored(end_run(ledger, one, CODEX))) for one in forks] == [1, 0]
    (candidate,) = load_candidates(ledger).candidates
    assert (candidate.run, candidate.memory.origin.run) == (forks[0].id, "run-1")
