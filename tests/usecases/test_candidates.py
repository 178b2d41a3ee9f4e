"""Candidates of all runs, and what was decided about them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gitmem.errors import NotFoundError, UsageError
from gitmem.model.candidate import Conflict, Similar, Standing
from gitmem.model.memory import Evidence, Kind, Memory, Origin, Scope, Status, Verification
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import load_candidates, record_candidate, record_decision, record_repetition
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.repo import Repo

CODEX = Teller("codex", "s-1")


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    with RunLedger.open(repo.path) as opened:
        yield opened


def lesson(name: str = "candidate-104", summary: str = "주문은 한 번만 보낸다") -> Memory:
    return Memory(
        id=name,
        file="",
        kind=Kind.PITFALL,
        type="verified_failure_pattern",
        status=Status.CANDIDATE,
        summary=summary,
        scope=Scope(paths=("src/checkout/**",), does_not_apply_to=("none",)),
        evidence=Evidence(tests=("tests/test_api.py::test_once",)),
        verification=Verification(probe="make contract-test"),
        origin=Origin(run="run-1", source_events=("a" * 40,), failure_class="agent_failure"),
        supersedes=("m-001",),
    )


def test_a_candidate_is_read_as_it_was_recorded(ledger: RunLedger) -> None:
    record_candidate(inbox(ledger), lesson(), CODEX, requires_human_review=True, fixed_by="b" * 40)
    (found,) = load_candidates(ledger).candidates
    assert found.memory == lesson().__class__(
        **{name: getattr(lesson(), name) for name in Memory.__slots__ if name != "file"}, file="inbox #1"
    )
    assert (found.requires_human_review, found.fixed_by, found.session) == (True, "b" * 40, "s-1")
    assert found.standing is Standing.OPEN


def test_what_it_is_near_to_and_what_it_contradicts_is_kept(ledger: RunLedger) -> None:
    near, against = (Similar("m-021", 0.86),), (Conflict("m-022", "3 초 against 5 초", 0.91),)
    record_candidate(inbox(ledger), lesson(), CODEX, similar_to=near, conflicts=against)
    (found,) = load_candidates(ledger).candidates
    assert (found.similar_to, found.conflicts) == (near, against)


def test_neighbours_of_another_shape_are_passed_over(ledger: RunLedger) -> None:
    fields = {
        "id": "c-001",
        "summary": "x",
        "similar_to": ["m", {"id": 3}, {"id": "m-1", "similarity": "much"}],
    }
    payload = {"candidate": {**fields, "conflicts": {"existing_memory": "m-2"}}}
    inbox(ledger).append(event_type="memory_candidate", actor="codex", payload=payload)
    (found,) = load_candidates(ledger).candidates
    assert (found.similar_to, found.conflicts) == ((Similar("m-1", 0.0),), ())


def test_an_event_id_is_written_once(ledger: RunLedger) -> None:
    first = record_candidate(inbox(ledger), lesson(), CODEX, event_id="one")
    again = record_candidate(inbox(ledger), lesson("candidate-105"), CODEX, event_id="one")
    assert again.commit == first.commit
    counted = [record_repetition(inbox(ledger), "m-021", CODEX, event_id="two").commit for _ in range(2)]
    assert counted[0] == counted[1]
    assert load_candidates(ledger).repetitions == {"m-021": 1}


@pytest.mark.parametrize(
    ("decision", "standing"),
    [
        ("hold", Standing.OPEN),
        ("refuse", Standing.OPEN),
        ("denied", Standing.DENIED),
        ("withdrawn", Standing.WITHDRAWN),
        ("proposed", Standing.PROPOSED),
        ("kept_existing", Standing.WITHDRAWN),
        ("both_hold", Standing.OPEN),
    ],
)
def test_only_a_closing_decision_moves_a_candidate(
    ledger: RunLedger, decision: str, standing: Standing
) -> None:
    record_candidate(inbox(ledger), lesson(), CODEX)
    record_decision(inbox(ledger), "candidate-104", decision, Teller("human"), reason="looked at it")
    found = load_candidates(ledger).find("candidate-104")
    assert found.standing is standing
    assert [(one.decision, one.by, one.reason) for one in found.decisions] == [
        (decision, "human", "looked at it")
    ]


def test_what_was_read_is_kept_until_a_run_moves(ledger: RunLedger) -> None:
    record_candidate(inbox(ledger), lesson(), CODEX)
    assert load_candidates(ledger) == load_candidates(ledger)
    record_candidate(ledger.run("run-2"), lesson("candidate-105", "다른 것"), CODEX)
    assert [one.id for one in load_candidates(ledger).candidates] == ["candidate-104", "candidate-105"]


def test_said_again_the_newest_words_count_and_decisions_stay(ledger: RunLedger) -> None:
    record_candidate(inbox(ledger), lesson(), CODEX)
    record_decision(inbox(ledger), "candidate-104", "hold", CODEX)
    record_candidate(inbox(ledger), lesson(summary="새로운 말"), CODEX)
    (found,) = load_candidates(ledger).candidates
    assert (found.memory.summary, len(found.decisions)) == ("새로운 말", 1)


def test_a_candidate_without_a_usable_id_is_named_by_its_commit(ledger: RunLedger) -> None:
    fields = {"candidate_id": "No Such Id!", "proposed_memory": "초기화는 한 번"}
    event = inbox(ledger).append(event_type="memory_candidate", actor="codex", payload={"candidate": fields})
    (found,) = load_candidates(ledger).candidates
    assert (found.id, found.memory.summary) == (f"candidate-{event.commit[:10]}", "초기화는 한 번")


def test_a_candidate_that_says_nothing_is_a_problem_and_the_others_load(ledger: RunLedger) -> None:
    inbox(ledger).append(event_type="memory_candidate", actor="codex", payload={"candidate": {"title": "x"}})
    record_candidate(inbox(ledger), lesson(), CODEX)
    loaded = load_candidates(ledger)
    assert [one.id for one in loaded.candidates] == ["candidate-104"]
    assert [str(one.message) for one in loaded.problems] == ["summary is missing"]


def test_a_candidate_is_found_by_the_beginning_of_its_id(ledger: RunLedger) -> None:
    for name in ("candidate-104", "candidate-105"):
        record_candidate(inbox(ledger), lesson(name, name), CODEX)
    loaded = load_candidates(ledger)
    assert loaded.find("candidate-105").id == "candidate-105"
    with pytest.raises(UsageError, match="several candidates"):
        loaded.find("candidate-10")
    with pytest.raises(NotFoundError, match="no candidate"):
        loaded.find("candidate-2")


def test_repetitions_are_counted_for_each_memory(ledger: RunLedger) -> None:
    for _ in range(3):
        record_repetition(inbox(ledger), "m-001", CODEX)
    assert load_candidates(ledger).repetitions == {"m-001": 3}
