"""One run, as of now and as of each event."""

from __future__ import annotations

import pytest

from gitmem.errors import NotFoundError
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.showing import show_run
from tests.support.forging import chain, forge, point
from tests.support.repo import Repo
from tests.usecases.runs.test_listing import damage


def test_the_state_as_of_each_event(run: Run) -> None:
    for event_type in ("plan_approved", "implementation_completed", "review_passed"):
        run.append(event_type=event_type, actor="codex")
    phases = [show_run(run, at=seq).snapshot.phase for seq in (1, 2, 3, 4)]
    assert phases == ["created", "implementing", "reviewing", "testing"]
    now, as_of = show_run(run), show_run(run, at=4)
    assert now.snapshot == as_of.snapshot
    assert (now.events, now.at, as_of.at) == (4, None, 4)


@pytest.mark.parametrize("at", [0, -1, 3, 10**9])
def test_an_event_that_does_not_exist_is_refused_with_the_range(run: Run, at: int) -> None:
    run.append(event_type="plan_approved", actor="codex")
    with pytest.raises(NotFoundError, match=f"run-1 has no event #{at}") as caught:
        show_run(run, at=at)
    assert "#1 to #2" in caught.value.hint


def test_two_runs_with_one_id_are_told(ledger: RunLedger, repo: Repo) -> None:
    for writer in ("w1", "w2"):
        commit = forge(repo, seq=1, writer=writer, type="task_created", payload={"task": writer})
        point(repo, commit, writer=writer)
    (problem,) = show_run(ledger.run("run-1")).problems
    assert problem.startswith("2 runs were begun under the id run-1")
    assert "w1" in problem
    assert "w2" in problem


def test_every_clone_may_begin_the_inbox(ledger: RunLedger, repo: Repo) -> None:
    for writer in ("w1", "w2"):
        point(repo, forge(repo, seq=1, writer=writer, run="inbox"), writer=writer, run="inbox")
    shown = show_run(inbox(ledger))
    assert (shown.problems, shown.events) == ((), 2)


def test_a_damaged_commit_in_the_middle_is_named_and_the_rest_is_shown(ledger: RunLedger, repo: Repo) -> None:
    commits = chain(repo, 4)
    point(repo, commits[-1])
    damage(repo, commits[1])
    shown = show_run(ledger.run("run-1"))
    assert shown.events == 2
    assert [commits[1] in problem for problem in shown.problems] == [True]


def test_a_run_that_is_not_here(ledger: RunLedger) -> None:
    with pytest.raises(NotFoundError, match="no such run here: run-9"):
        show_run(ledger.run("run-9"))
