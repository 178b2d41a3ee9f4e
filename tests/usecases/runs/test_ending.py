"""Ending a run."""

from __future__ import annotations

import pytest

from gitmem.errors import NotServedError, UsageError
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.ending import end_run
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.repo import Repo

CODEX = Teller("codex")


def types(run: Run) -> list[str]:
    return [event.type for event in run.events()][1:]


@pytest.mark.parametrize("outcome", ["completed", "abandoned"])
def test_a_run_ends_and_stays_readable_as_the_current_one(ledger: RunLedger, run: Run, outcome: str) -> None:
    ended = end_run(ledger, run, CODEX, outcome=outcome)
    assert run.snapshot().phase == ended.outcome == outcome
    assert [(event.type, event.payload.get("outcome")) for event in ended.events] == [
        (outcome, outcome),
        ("handoff_written", outcome),
    ]
    handoff = run.file("handoff.md")
    assert handoff is not None
    assert outcome.encode() in handoff
    current = ledger.current()
    assert current is not None
    assert current.id == run.id


def test_what_was_used_stands_in_the_end_of_the_open_session(ledger: RunLedger, run: Run) -> None:
    for session in ("s-1", "s-2"):
        run.append(event_type="session_started", actor="codex", payload={"session": session})
    run.append(event_type="session_ended", actor="codex", payload={"session": "s-2"})
    end_run(ledger, run, CODEX, used=["m-021", "m-022", "m-021"])
    assert types(run)[-3:] == ["session_ended", "completed", "handoff_written"]
    (first, _) = run.snapshot().sessions
    assert (first.session, first.used_memories) == ("s-1", ("m-021", "m-022"))
    assert first.ended_seq is not None


def test_the_tellers_session_comes_first(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="session_started", actor="codex", payload={"session": "s-1"})
    end_run(ledger, run, Teller("codex", "s-9"), used=["m-021"])
    assert run.snapshot().sessions[-1].session == "s-9"
    assert run.snapshot().sessions[0].ended_seq is None


def test_what_was_used_is_kept_without_any_session(ledger: RunLedger, run: Run) -> None:
    end_run(ledger, run, CODEX, used=["m-021"])
    assert run.events()[1].payload == {"used_memories": ["m-021"]}


def test_a_run_ends_once_and_can_be_opened_again(ledger: RunLedger, run: Run) -> None:
    end_run(ledger, run, CODEX)
    with pytest.raises(NotServedError, match="has ended already: completed"):
        end_run(ledger, run, CODEX)
    run.append(event_type="run_resumed", actor="codex")
    end_run(ledger, run, CODEX, outcome="abandoned")
    assert types(run) == ["completed", "handoff_written", "run_resumed", "abandoned", "handoff_written"]


@pytest.mark.parametrize("used", ["../x", "", "M 1", "x" * 200])
def test_no_memory_id_no_event(ledger: RunLedger, run: Run, used: str) -> None:
    with pytest.raises(UsageError, match="not a memory id"):
        end_run(ledger, run, CODEX, used=["m-021", used])
    assert types(run) == []


def test_the_inbox_never_ends(ledger: RunLedger) -> None:
    inbox(ledger).append(event_type="memory_confirmed", actor="x")
    with pytest.raises(UsageError, match="never ends"):
        end_run(ledger, inbox(ledger), CODEX)


def test_a_long_run_is_packed_at_its_end_and_goes_on(
    ledger: RunLedger, run: Run, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.usecases.runs.ending.WORTH_PACKING", 10)
    for number in range(8):
        run.append(event_type="artifact_saved", actor="x", artifacts={f"{number}.log": b"%d" % number})
    end_run(ledger, run, CODEX)
    assert "packs: 1" in repo.git("count-objects", "-v")
    assert run.append(event_type="run_resumed", actor="x").seq == 12
    assert ledger.verify(run.id).problems == ()
