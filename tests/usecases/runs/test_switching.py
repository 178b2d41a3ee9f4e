"""Going on with another run, or from an event of one."""

from __future__ import annotations

import pytest

from gitmem.errors import NotFoundError, UsageError
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.starting import start_run
from gitmem.usecases.runs.switching import fork_run, switch_run
from tests.support.forging import chain, forge, point
from tests.support.repo import Repo


def test_switching_says_where_to_go_on(ledger: RunLedger, run: Run, repo: Repo) -> None:
    head = repo.commit("first", {"a": "1"})
    run.append(event_type="implementation_completed", actor="codex")
    run.append(event_type="test_failed", actor="codex")
    run.append(event_type="next_step_set", actor="codex", payload={"next_step": "send the key"})
    start_run(ledger, "other", actor="human", run="run-2")
    there = switch_run(ledger, "run-1")
    assert tuple(there.checkpoint) == (2, "implementation", head, None, None)
    assert (there.run.id, there.ref, there.snapshot.next_step) == ("run-1", run.ref(), "send the key")
    current = ledger.current()
    assert current is not None
    assert current.id == "run-1"


def test_the_inbox_is_never_current(ledger: RunLedger, run: Run) -> None:
    inbox(ledger).append(event_type="memory_confirmed", actor="x")
    for word in ("inbox", "inb"):
        with pytest.raises(UsageError, match="never current"):
            switch_run(ledger, word)
    with pytest.raises(UsageError, match="begun by its first event"):
        start_run(ledger, "t", actor="x", run="inbox")
    current = ledger.current()
    assert current is not None
    assert current.id == run.id


def test_a_fork_knows_what_was_known_then_and_the_old_run_stays(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="plan_approved", actor="codex")
    run.append(event_type="approach_adopted", actor="codex", payload={"approach": "a dead end"})
    forked = fork_run(ledger, "run-1", at=2)
    assert (forked.snapshot.phase, forked.snapshot.adopted_approach) == ("implementing", None)
    assert forked.checkpoint[:2] == (2, "plan")
    event = forked.run.append(event_type="finding_noted", actor="codex")
    assert (event.seq, len(run.events())) == (3, 3)
    current = ledger.current()
    assert current is not None
    assert current.id == forked.run.id
    assert ledger.verify(forked.run.id).problems == ()


@pytest.mark.parametrize("at", [0, 2, -5, 99])
def test_an_event_that_does_not_exist_is_refused_with_the_range(ledger: RunLedger, run: Run, at: int) -> None:
    with pytest.raises(NotFoundError, match=f"run-1 has no event #{at}") as caught:
        fork_run(ledger, "run-1", at=at)
    assert "#1 to #1" in caught.value.hint
    assert list(ledger.runs()) == [run.id]


def test_a_number_that_no_event_has_is_refused_with_its_neighbours(ledger: RunLedger, repo: Repo) -> None:
    (first,) = chain(repo, 1)
    point(repo, forge(repo, first, seq=7))
    with pytest.raises(NotFoundError, match="no event #4") as caught:
        fork_run(ledger, "run-1", at=4)
    assert caught.value.hint == "the nearest are #1 and #7"
