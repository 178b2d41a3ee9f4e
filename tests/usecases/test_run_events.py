"""Events read on from where they were read to are those that a new process reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import load_candidates
from gitmem.usecases.gating.told import load_told
from gitmem.usecases.recalling.testimony import load_testimony
from tests.support.repo import Repo

PAYLOADS: Mapping[str, Mapping[str, object]] = {
    "memory_confirmed": {"memory": "m-001", "how": "repeated"},
    "session_ended": {"session": "s-1", "used_memories": ["m-001"], "summary": "It is slow"},
}


def write(path: Path, *types: str) -> None:
    """Append through a ledger of its own, as another process does."""
    with RunLedger(open_repository(path)) as ledger:
        for event_type in types:
            ledger.run("run-a").append(event_type=event_type, actor="a", payload=PAYLOADS.get(event_type, {}))


def read(ledger: RunLedger) -> tuple[object, ...]:
    told = load_candidates(ledger)
    proofs = load_told(ledger)
    return (
        told.confirmations,
        told.problems,
        proofs.events,
        proofs.is_whole,
        load_testimony(ledger.repository),
    )


def forget(repo: Repo) -> None:
    for file in (repo.path / ".git/gitmem/cache").glob("*"):
        file.unlink()


def test_what_is_read_on_is_what_is_read_anew(repo: Repo) -> None:
    repo.commit("Start", {"a": "1"})
    write(repo.path, "task_created", "memory_confirmed")
    (ref,) = repo.git("for-each-ref", "--format=%(refname)", "refs/ai/").split()
    steps = (
        lambda: write(repo.path, "test_passed"),
        lambda: write(repo.path, "finding_noted", "memory_confirmed", "session_ended"),
        lambda: repo.git("update-ref", ref, f"{ref}~2"),
        lambda: write(repo.path, "memory_confirmed", "test_failed"),
        lambda: repo.git("pack-refs", "--all"),
        lambda: write(repo.path, "memory_confirmed"),
        lambda: repo.git("update-ref", "-d", ref),
    )
    with RunLedger(open_repository(repo.path)) as ledger:
        read(ledger)
        for step in steps:
            step()
            forget(repo)
            with RunLedger(open_repository(repo.path)) as fresh:
                expected = read(fresh)
            assert read(ledger) == expected
