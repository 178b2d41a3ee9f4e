"""The cached fold: continued when it may be, thrown away when not, and never believed over the events."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import NotFoundError
from gitmem.store import run_reading
from gitmem.store.ledger import RunLedger
from gitmem.store.run_cache import load_folded, save_folded
from tests.support.forging import chain, forge, point
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import ledger


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def book(repo: Repo) -> RunLedger:
    return ledger(repo.path)


@pytest.fixture
def whole_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs that were read from their roots on."""
    read: list[str] = []
    original = run_reading.read_run

    def counted(repository: object, run: str, *rest: object) -> object:
        read.append(run)
        return original(repository, run, *rest)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(run_reading, "read_run", counted)
    return read


def test_a_second_process_continues_from_what_the_first_one_kept(
    book: RunLedger, repo: Repo, whole_reads: list[str]
) -> None:
    book.run("run-1").append(event_type="plan_approved", actor="a")
    book.run("run-1").snapshot()
    book.run("run-1").append(event_type="implementation_completed", actor="a")
    whole_reads.clear()

    with ledger(repo.path) as other:
        run = other.run("run-1")
        assert run.snapshot() == run.load().snapshot
        assert run.folded().count == 2
    assert whole_reads == []


def test_an_event_that_sorts_before_the_last_one_is_folded_anew(
    book: RunLedger, repo: Repo, whole_reads: list[str]
) -> None:
    point(repo, chain(repo, 4)[-1])
    book.run("run-1").snapshot()
    point(repo, forge(repo, seq=2, writer="a0", type="plan_approved"), "a0")
    whole_reads.clear()

    state = book.run("run-1").snapshot()

    assert whole_reads == ["run-1"]
    assert state == book.run("run-1").load().snapshot
    assert state.last_successful_seq == 2


def test_a_new_parent_deep_in_what_is_known_is_not_walked_again(
    book: RunLedger, repo: Repo, whole_reads: list[str]
) -> None:
    old = chain(repo, 6)
    point(repo, old[-1])
    book.run("run-1").snapshot()
    point(repo, forge(repo, old[2], seq=7, writer="w2"), "w2")
    whole_reads.clear()

    folded = book.run("run-1").folded()

    assert whole_reads == []
    assert (folded.count, folded.writers) == (7, ("w1", "w2"))
    assert folded.snapshot == book.run("run-1").load().snapshot


def test_a_rewritten_ref_is_folded_anew(book: RunLedger, repo: Repo, whole_reads: list[str]) -> None:
    first = chain(repo, 4)
    point(repo, first[-1])
    book.run("run-1").snapshot()
    point(repo, forge(repo, first[0], seq=5, id="instead"))
    whole_reads.clear()

    assert [one.finding for one in book.run("run-1").snapshot().findings] == ["w1 1", "w1 5"]
    assert whole_reads == ["run-1"]


def test_a_doubled_id_beyond_the_cache_is_still_found(book: RunLedger, repo: Repo) -> None:
    first = chain(repo, 3)
    point(repo, first[-1])
    book.run("run-1").snapshot()
    point(repo, forge(repo, first[-1], seq=4, id="w1-1"))

    assert book.run("run-1").folded().count == 3


def test_a_run_with_problems_is_not_cached(book: RunLedger, repo: Repo) -> None:
    point(repo, forge(repo, forge(repo, body="broken"), seq=2))
    book.run("run-1").snapshot()

    assert load_folded(book.repository.layout, "run-1") is None


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_cache_is_as_good_as_none(book: RunLedger, repo: Repo, damage: bytes | None) -> None:
    point(repo, chain(repo, 2)[-1])
    book.run("run-1").snapshot()
    file = repo.path / ".git" / "gitmem" / "cache" / "run-run-1.marshal"
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2] if damage is None else damage)

    with ledger(repo.path) as other:
        assert other.run("run-1").folded().count == 2


def test_a_cache_that_says_something_else_is_found_by_verify(book: RunLedger, repo: Repo) -> None:
    point(repo, chain(repo, 2)[-1])
    folded = book.run("run-1").folded()
    import dataclasses

    save_folded(book.repository.layout, "run-1", dataclasses.replace(folded, count=3))

    assert [problem.kind for problem in book.verify("run-1").problems] == ["stale_cache"]


def test_asking_for_a_run_that_is_not_here_leaves_no_file(book: RunLedger, repo: Repo) -> None:
    with pytest.raises(NotFoundError):
        book.run("absent").snapshot()

    assert list((repo.path / ".git" / "gitmem").rglob("*")) == []


def test_reading_writes_nothing_but_the_cache(book: RunLedger, repo: Repo) -> None:
    point(repo, chain(repo, 2)[-1])
    before = {path for path in (repo.path / ".git").rglob("*") if "gitmem" not in path.parts}
    book.run("run-1").load()
    book.run("run-1").snapshot()
    book.verify("run-1")
    book.runs()

    assert {path for path in (repo.path / ".git").rglob("*") if "gitmem" not in path.parts} == before


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_read_at_any_moment_the_cached_fold_is_that_of_all_events(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    repo = Repo(tmp_path_factory.mktemp("fold") / "repo")
    tips: dict[str, tuple[str, int]] = {}
    with ledger(repo.path) as book:
        for number in range(data.draw(st.integers(1, 8))):
            writer = data.draw(st.sampled_from(["a", "b", "c"]))
            others = sorted(name for name in tips if name != writer)
            seen = data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []
            parents = [tips[name] for name in ([writer] if writer in tips else []) + seen]
            seq = 1 + max((held for _, held in parents), default=0)
            kind = data.draw(
                st.sampled_from(["plan_approved", "test_failed", "finding_noted", "commit_recorded"])
            )
            commit = forge(
                repo, *(oid for oid, _ in parents), seq=seq, writer=writer, id=f"{number}", type=kind
            )
            tips[writer] = (commit, seq)
            point(repo, commit, writer)
            if data.draw(st.booleans()):
                assert book.run("run-1").snapshot() == book.run("run-1").load().snapshot
        with ledger(repo.path) as other:
            assert other.run("run-1").snapshot() == book.run("run-1").load().snapshot
            assert other.verify("run-1").problems == ()
