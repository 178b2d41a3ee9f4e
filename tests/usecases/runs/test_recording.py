"""Appending what somebody told."""

from __future__ import annotations

import os

import pytest

from gitmem.errors import InvalidDataError, NotServedError, UsageError
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.inbox import find_run_to_write, inbox
from gitmem.usecases.runs.recording import Teller, clear_risk, nearest_type, record
from gitmem.usecases.runs.showing import show_run
from gitmem.wire.append import LOCK
from tests.support.forging import chain, point
from tests.support.repo import Repo
from tests.usecases.runs.test_listing import damage

HUMAN = Teller("human")


def test_the_same_id_again_appends_nothing(run: Run) -> None:
    first, again = (record(run, "finding_noted", {"finding": "x"}, HUMAN, id="mine-1") for _ in range(2))
    assert (first.event, len(run.events())) == (again.event, 2)


def test_an_id_that_another_event_has_is_refused_and_the_fact_is_not_lost_in_silence(run: Run) -> None:
    record(run, "finding_noted", {"finding": "x"}, HUMAN, id="mine-1", artifacts={"a.txt": b"one"})
    others: tuple[tuple[str, dict[str, str], dict[str, bytes]], ...] = (
        ("finding_noted", {"finding": "y"}, {"a.txt": b"one"}),
        ("risk_noted", {"finding": "x"}, {"a.txt": b"one"}),
        ("finding_noted", {"finding": "x"}, {"a.txt": b"two"}),
        ("finding_noted", {"finding": "x"}, {}),
    )
    for event_type, payload, artifacts in others:
        with pytest.raises(UsageError, match="#2 finding_noted has the id mine-1 already"):
            record(run, event_type, payload, HUMAN, id="mine-1", artifacts=artifacts)
    assert len(run.events()) == 2


@pytest.mark.parametrize(
    ("payload", "artifact"),
    [({"finding": "x" * 40_000}, b"x"), ({"finding": "password: hunter2x9"}, b"x" * (2 << 20))],
)
def test_the_same_again_is_known_when_it_is_large_or_was_masked(
    run: Run, payload: dict[str, str], artifact: bytes
) -> None:
    for _ in range(2):
        record(run, "finding_noted", payload, HUMAN, id="mine-1", artifacts={"a.bin": artifact})
    assert len(run.events()) == 2


@pytest.mark.parametrize(
    ("event_type", "near"),
    [("test failed", "test_failed"), ("Test-Failed", "test_failed"), ("note!", ""), ("", ""), ("x\n", "")],
)
def test_a_type_with_spaces_is_refused_with_the_nearest(run: Run, event_type: str, near: str) -> None:
    with pytest.raises(UsageError, match="not an event type") as caught:
        record(run, event_type, {}, HUMAN)
    assert near in caught.value.hint
    assert len(run.events()) == 1


@pytest.mark.parametrize(
    ("event_type", "near"), [("test_faild", "test_failed"), ("test_failed", None), ("deployed_to_moon", None)]
)
def test_an_unknown_type_is_kept_and_the_nearest_known(run: Run, event_type: str, near: str | None) -> None:
    assert record(run, event_type, {"x": 1}, HUMAN).event.payload == {"x": 1}
    assert nearest_type(event_type) == near


def test_a_field_of_the_wrong_kind_is_refused_and_nothing_written(run: Run) -> None:
    with pytest.raises(UsageError, match="failing must be a list of texts"):
        record(run, "test_failed", {"failing": 7}, HUMAN)
    assert len(run.events()) == 1


def test_an_ended_run_still_takes_events_and_says_that_it_has_ended(run: Run) -> None:
    assert record(run, "completed", {}, HUMAN).ended == ""
    assert record(run, "finding_noted", {"finding": "late"}, HUMAN).ended == "completed"
    assert record(run, "run_resumed", {}, HUMAN).ended == ""


def test_a_risk_is_cleared_by_the_beginning_of_its_text(run: Run) -> None:
    for risk in ("deploys are not covered", "deploys are slow", "other"):
        record(run, "risk_noted", {"risk": risk}, HUMAN)
    with pytest.raises(UsageError, match="several risks begin with 'deploys'"):
        clear_risk(run, "deploys", HUMAN)
    with pytest.raises(UsageError, match="no open risk begins with 'nothing'") as caught:
        clear_risk(run, "nothing", HUMAN)
    assert "other" in caught.value.hint
    clear_risk(run, "deploys are s", HUMAN)
    assert run.snapshot().remaining_risks == ("deploys are not covered", "other")


def test_the_inbox_is_there_at_first_need_and_not_before(ledger: RunLedger) -> None:
    found = find_run_to_write(ledger, "inbox")
    assert not ledger.runs()
    record(found, "memory_confirmed", {"memory": "m-1", "how": "repeated"}, HUMAN)
    assert list(ledger.runs()) == ["inbox"]
    assert show_run(inbox(ledger)).events == 1


def test_a_damaged_tip_is_named_and_other_runs_go_on(ledger: RunLedger, run: Run, repo: Repo) -> None:
    run.append(event_type="plan_approved", actor="x")
    tip = next(iter(run.tips().values()))
    damage(repo, tip)
    with RunLedger.open(repo.path) as fresh:
        with pytest.raises((InvalidDataError, NotServedError), match=tip):
            record(fresh.run("run-1"), "finding_noted", {"finding": "x"}, HUMAN)
        assert record(fresh.run("run-2"), "finding_noted", {"finding": "x"}, HUMAN).event.seq == 1


def test_a_damaged_commit_in_the_middle_does_not_stop_the_run(ledger: RunLedger, repo: Repo) -> None:
    commits = chain(repo, 3)
    point(repo, commits[-1])
    damage(repo, commits[1])
    assert record(ledger.run("run-1"), "finding_noted", {"finding": "x"}, HUMAN).event.seq == 4


def test_where_nothing_can_be_written_the_reason_is_told(ledger: RunLedger, run: Run, repo: Repo) -> None:
    lock = repo.path / ".git" / LOCK
    lock.unlink()
    lock.mkdir()
    with pytest.raises(NotServedError, match="cannot write"):
        record(run, "finding_noted", {"finding": "x"}, HUMAN)
    assert len(run.events()) == 1


def test_a_lock_that_a_killed_git_left_is_recovered(run: Run, repo: Repo) -> None:
    lock = repo.write(f".git/{run.ref()}.lock", "")
    os.utime(lock, (1, 1))
    assert record(run, "finding_noted", {"finding": "x"}, HUMAN).event.seq == 2
    assert not lock.exists()
