"""A run that cannot be read: show, log, handoff and brief give one answer, what is known with the problem, and exit 3."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.store.ledger import RunLedger
from tests.support.cli import Done, gitmem
from tests.support.repo import Repo, sealed_environment

FOUR = (
    ["run", "show", "run-1"],
    ["run", "log", "run-1"],
    ["run", "handoff", "run-1"],
    ["brief", "--run", "run-1"],
)


@pytest.fixture
def ref(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        run = ledger.run("run-1")
        run.append(event_type="task_created", actor="human", payload={"task": "t", "goal": "known goal"})
        run.append(event_type="next_step_set", actor="human", payload={"next_step": "go on"})
        return next(iter(run.tips()))


def answers(repo: Repo) -> list[Done]:
    return [gitmem(*words, at=repo.path) for words in FOUR]


def remove(repo: Repo, oid: str) -> None:
    (repo.path / ".git" / "objects" / oid[:2] / oid[2:]).unlink()


def test_a_lost_tip_is_told_by_all_four_with_what_was_known(repo: Repo, ref: str) -> None:
    answers(repo)
    tip = repo.git("rev-parse", ref)
    remove(repo, tip)
    done = answers(repo)
    assert [one.code for one in done] == [3, 3, 3, 3]
    assert all(tip in one.out + one.err for one in done)
    show, _, handoff, brief = done
    assert all("known goal" in one.out for one in (show, handoff, brief))


def test_without_anything_known_all_four_say_what_is_wrong(repo: Repo, ref: str) -> None:
    tip = repo.git("rev-parse", ref)
    remove(repo, tip)
    done = answers(repo)
    assert [one.code for one in done] == [3, 3, 3, 3]
    assert all(tip in one.out + one.err for one in done)
    assert all("no such run" not in one.err for one in done)


@pytest.mark.parametrize("known", [True, False])
def test_a_damaged_ref_is_told_by_all_four(repo: Repo, ref: str, known: bool) -> None:
    if known:
        answers(repo)
    (repo.path / ".git" / ref).write_text("nothing\n")
    done = answers(repo)
    assert [one.code for one in done] == [3, 3, 3, 3]
    assert all(ref in one.out + one.err for one in done)
    assert all(("known goal" in one.out) == known for one in (done[0], done[2], done[3]))


def test_what_can_be_read_above_a_lost_commit_is_told(repo: Repo, ref: str) -> None:
    lost = repo.git("rev-parse", f"{ref}~1")
    remove(repo, lost)
    done = answers(repo)
    assert [one.code for one in done] == [3, 3, 3, 3]
    assert all("go on" in one.out and lost in one.out + one.err for one in done)


def test_a_run_that_can_be_read_exits_with_0(repo: Repo, ref: str) -> None:
    assert ref
    assert [(one.code, one.err) for one in answers(repo)] == [(0, "")] * 4
