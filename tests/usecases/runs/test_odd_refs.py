"""What can stand in the place of a run's ref: each is named, nothing waits for ever, other runs are served."""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gitmem.store.ledger import RunLedger
from gitmem.wire.append import AppendFailedError, append_event
from tests.support.cli import gitmem
from tests.support.repo import Repo, sealed_environment


@pytest.fixture(autouse=True)
def _no_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A git that waits for a FIFO cannot be interrupted from here: the whole run ends, saying where it stood."""
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    faulthandler.dump_traceback_later(30, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def refs(repo: Repo) -> dict[str, str]:
    """Full names by run."""
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        for run in ("run-1", "run-2"):
            for number in range(2):
                ledger.run(run).append(
                    event_type="finding_noted", actor="human", payload={"finding": str(number)}
                )
        return {run: next(iter(ledger.run(run).tips())) for run in ("run-1", "run-2")}


def _link(target: str) -> Callable[[Path, dict[str, str]], None]:
    def make(file: Path, _refs: dict[str, str]) -> None:
        file.unlink()
        file.symlink_to(target)

    return make


def _names(run: str) -> Callable[[Path, dict[str, str]], None]:
    def make(file: Path, refs: dict[str, str]) -> None:
        file.write_text(f"ref: {refs[run]}\n")

    return make


def _fifo(file: Path, _refs: dict[str, str]) -> None:
    file.unlink()
    os.mkfifo(file)


STRANGE: dict[str, Callable[[Path, dict[str, str]], None]] = {
    "a FIFO": _fifo,
    "a device": _link("/dev/zero"),
    "a symbolic ref to": _names("run-2"),
    "leads to no object": _names("run-1"),
    "leads to no object, a link": _link("nowhere"),
}


@pytest.mark.parametrize("what", STRANGE)
@pytest.mark.parametrize("backend", ["library", "program"])
def test_each_is_named_and_nothing_waits(
    repo: Repo, refs: dict[str, str], what: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITMEM_GIT_BACKEND", backend)
    STRANGE[what](repo.path / ".git" / refs["run-1"], refs)
    for words in (["run", "verify", "--json"], ["run", "verify", "run-1", "--json"]):
        done = gitmem(*words, at=repo.path)
        (problem,) = [one for one in done.document["problems"] if one["kind"] == "damaged_ref"]
        assert (done.code, problem["ref"]) == (1, refs["run-1"])
        assert what.partition(",")[0] in problem["message"]
    assert len(gitmem("run", "log", "run-2", "--json", at=repo.path).document["events"]) == 2
    assert gitmem("run", "note", "x", "--run", "run-2", at=repo.path).code == 0
    assert "run-1" in gitmem("run", "list", at=repo.path).err
    done = gitmem("run", "note", "x", "--run", "run-1", at=repo.path)
    assert (done.code, refs["run-1"] in done.err) == (3, True)


@pytest.mark.parametrize("place", ["refs/ai/runs/odd", "refs/ai/odd"])
def test_a_fifo_on_the_way_to_all_runs_is_named(repo: Repo, refs: dict[str, str], place: str) -> None:
    os.mkfifo(repo.path / ".git" / place)
    assert len(refs) == 2
    done = gitmem("run", "list", at=repo.path)
    assert (done.code, f"{place} is a FIFO" in done.err, "remove it" in done.err) == (3, True, True)


def test_an_exchange_does_not_wait_for_a_fifo(repo: Repo, refs: dict[str, str], tmp_path: Path) -> None:
    Repo(tmp_path / "remote", bare=True)
    repo.git("remote", "add", "origin", str(tmp_path / "remote"))
    _fifo(repo.path / ".git" / refs["run-1"], refs)
    done = gitmem("sync", at=repo.path)
    assert (done.code, refs["run-1"] in done.err, "remove it" in done.err) == (3, True, True)


def test_packed_runs_are_served_beside_a_fifo(repo: Repo, refs: dict[str, str]) -> None:
    repo.git("pack-refs", "--all")
    (repo.path / ".git" / refs["run-1"]).parent.mkdir(parents=True)
    os.mkfifo(repo.path / ".git" / refs["run-1"])
    document = gitmem("run", "verify", "--json", at=repo.path).document
    assert [one["ref"] for one in document["problems"] if one["kind"] == "damaged_ref"] == [refs["run-1"]]
    assert document["checked"] >= 2


def test_a_hook_does_not_wait_for_a_fifo(repo: Repo, refs: dict[str, str]) -> None:
    _fifo(repo.path / ".git" / refs["run-1"], refs)
    git = str(repo.path / ".git")
    event: dict[str, object] = {
        "type": "commit_recorded",
        "at": "2026-07-13T10:00:00+09:00",
        "actor": "git",
        "payload": {},
    }
    with pytest.raises(AppendFailedError, match="is a FIFO"):
        append_event(git_dir=git, common_dir=git, run="run-1", event=event)


def _kinds(repo: Repo, *words: str) -> list[tuple[str, str]]:
    problems = gitmem("run", "verify", "--json", *words, at=repo.path).document["problems"]
    return [(one["kind"], one["ref"]) for one in problems]


def _forget(repo: Repo) -> None:
    for file in (repo.path / ".git" / "gitmem" / "cache").glob("run-*"):
        file.unlink()


def test_a_ref_that_holds_another_runs_events_is_named(repo: Repo, refs: dict[str, str]) -> None:
    gitmem("run", "list", at=repo.path)
    repo.git("update-ref", refs["run-1"], refs["run-2"])
    assert _kinds(repo) == [("swapped_ref", refs["run-1"])]


def test_two_refs_that_were_swapped_are_both_named_though_nothing_was_remembered(
    repo: Repo, refs: dict[str, str]
) -> None:
    first, second = (repo.git("rev-parse", refs[run]) for run in ("run-1", "run-2"))
    repo.git("update-ref", refs["run-1"], second)
    repo.git("update-ref", refs["run-2"], first)
    _forget(repo)
    assert _kinds(repo) == [("swapped_ref", refs["run-1"]), ("swapped_ref", refs["run-2"])]


def test_a_fork_is_none_but_one_that_goes_back_to_the_first_runs_events_is(
    repo: Repo, refs: dict[str, str]
) -> None:
    with RunLedger.open(repo.path) as ledger:
        fork = ledger.fork(ledger.run("run-1"), at=2)
        assert _kinds(repo) == []
        fork.append(event_type="finding_noted", actor="human", payload={"finding": "of the fork"})
        (ref,) = fork.tips()
    assert _kinds(repo) == []
    repo.git("update-ref", refs["run-2"], ref)
    _forget(repo)
    repo.git("update-ref", refs["run-1"], ref)
    assert ("swapped_ref", refs["run-1"]) in _kinds(repo, "run-1")


def test_problems_name_the_ref_of_their_commit_and_blame_no_cache(repo: Repo, refs: dict[str, str]) -> None:
    gitmem("run", "show", "run-1", at=repo.path)
    oid = repo.git("rev-parse", f"{refs['run-1']}~1")
    (repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    assert _kinds(repo) == [("missing", refs["run-1"])]


def test_verify_counts_in_words(repo: Repo, refs: dict[str, str]) -> None:
    assert len(refs) == 2
    assert gitmem("run", "verify", "run-1", at=repo.path).out == "2 events in 1 run checked: nothing wrong\n"


def test_a_damaged_packed_refs_is_named_with_its_cure(repo: Repo, refs: dict[str, str]) -> None:
    assert len(refs) == 2
    (repo.path / ".git" / "packed-refs").write_bytes(b"\x40\xda\xcf\n\x1b[31m\xff")
    done = gitmem("run", "list", at=repo.path)
    assert done.code == 3
    assert "packed-refs is damaged" in done.err
    assert "hint: " in done.err
    assert "\\xda" not in done.err
