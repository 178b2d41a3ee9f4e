"""Following a run: what comes is given once and in order, until the run ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.following import follow, has_ended
from tests.support.forging import chain, forge, point
from tests.support.repo import Repo


def one_by_one(*steps: Callable[[], object]) -> Callable[[], None]:
    """Instead of waiting, do the next step."""
    left: Iterator[Callable[[], object]] = iter(steps)
    return lambda: (next(left)(), None)[1]


def test_new_events_come_once_and_the_end_ends_it(ledger: RunLedger, run: Run) -> None:
    def note() -> None:
        run.append(event_type="finding_noted", actor="codex")

    def note_twice() -> None:
        note()
        note()

    wait = one_by_one(
        note, lambda: None, note_twice, lambda: run.append(event_type="completed", actor="codex")
    )
    given = [[event.seq for event in events] for events in follow(ledger, run.load(), wait)]
    assert given == [[2], [3, 4], [5]]


def test_a_run_that_has_ended_is_not_waited_for(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="completed", actor="codex")
    assert list(follow(ledger, run.load(), one_by_one())) == []


def test_a_run_that_goes_on_after_its_end_is_followed(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="completed", actor="codex")
    run.append(event_type="run_resumed", actor="codex")
    wait = one_by_one(lambda: run.append(event_type="abandoned", actor="codex"))
    assert [event.type for events in follow(ledger, run.load(), wait) for event in events] == ["abandoned"]
    assert has_ended(run.events())


def test_events_of_another_writer_come_too(ledger: RunLedger, repo: Repo) -> None:
    first = chain(repo, 2)
    point(repo, first[-1])

    def arrive() -> None:
        point(repo, forge(repo, first[0], seq=2, writer="w2"), writer="w2")

    def end() -> None:
        point(repo, forge(repo, first[-1], seq=3, type="completed"))

    run = ledger.run("run-1")
    given = [
        event.writer for events in follow(ledger, run.load(), one_by_one(arrive, end)) for event in events
    ]
    assert given == ["w2", "w1"]


def test_refs_that_are_gone_end_it(ledger: RunLedger, run: Run, repo: Repo) -> None:
    loaded = run.load()
    assert list(follow(ledger, loaded, one_by_one(lambda: repo.git("update-ref", "-d", run.ref())))) == []
