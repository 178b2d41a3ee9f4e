"""Several writers: processes of one clone, clones of one remote, git's own maintenance beside them, and kills."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from gitmem.git.opening import Backend
from gitmem.store.appending import STEPS
from gitmem.store.ledger import RunLedger
from tests.support.forging import forge, point
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import at_once, check_history, killed_at, ledger


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(("backend", "count"), [("library", 60), ("program", 10)])
def test_processes_that_append_at_once_lose_nothing(repo: Repo, backend: Backend, count: int) -> None:
    repo.commit("first", {"a": "1"})

    acked = at_once(repo.path, "run-1", processes=4, count=count, backend=backend)

    events = check_history(repo, "run-1", acked)
    assert [event.seq for event in events] == list(range(1, 4 * count + 1))
    assert {event.writer for event in events} == {ledger(repo.path).writer()}


def test_processes_that_create_one_run_at_once_lose_nothing(repo: Repo) -> None:
    for race in range(6):
        acked = at_once(repo.path, f"race-{race}", processes=6, count=1)

        events = check_history(repo, f"race-{race}", acked)
        assert [event.seq for event in events] == [1, 2, 3, 4, 5, 6]


def test_work_trees_of_one_clone_share_the_ref(repo: Repo, tmp_path: Path) -> None:
    repo.commit("first", {"a": "1"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    with ledger(repo.path) as here, ledger(tmp_path / "linked") as there:
        commits = [
            book.run("run-1").append(event_type="x", actor="a").commit for book in (here, there, here, there)
        ]

    events = check_history(repo, "run-1", {"a": commits})
    assert [event.commit for event in events] == commits


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_leaves_all_or_nothing_and_no_obstacle(repo: Repo, step: str) -> None:
    repo.commit("first", {"a": "1"})
    with ledger(repo.path) as book:
        before = [book.run("run-1").append(event_type="x", actor="a").commit for _ in range(2)]

    assert killed_at(repo.path, "run-1", step) == signal.SIGKILL

    with ledger(repo.path) as book:
        run = book.run("run-1")
        was_written = len(run.events()) == 3
        assert was_written == (step in {"moved", "released"})
        # The caller never heard of it and tries again.
        again = run.append(
            event_type="artifact_saved", actor="victim", id="victim-1", artifacts={"log.txt": b"log"}
        )
        after = run.append(event_type="x", actor="a")
        assert run.artifact("log.txt") == b"log"
    events = check_history(repo, "run-1", {"a": [*before, again.commit, after.commit]}, garbage=True)
    assert [event.seq for event in events] == [1, 2, 3, 4]


def test_maintenance_beside_writers_loses_nothing(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    going = repo.write(".git/going", "")
    script = "while [ -e .git/going ]; do git pack-refs --all --prune; git repack -adq; git gc -q; done"
    maintenance = subprocess.Popen(
        ["sh", "-c", script], cwd=repo.path, env=repo.environment, stderr=subprocess.DEVNULL
    )
    try:
        acked = at_once(repo.path, "run-1", processes=3, count=60)
    finally:
        going.unlink()
        maintenance.wait()

    assert len(check_history(repo, "run-1", acked, garbage=True)) == 180


class Clones:
    """Some clones of one bare remote that exchange refs by plain git, as `sync` will."""

    def __init__(self, folder: Path, count: int) -> None:
        self.remote = Repo(folder / "remote", bare=True)
        self.all = [Repo(folder / f"clone{number}") for number in range(count)]
        for clone in self.all:
            clone.git("remote", "add", "origin", str(self.remote.path))

    def push(self, clone: Repo) -> None:
        clone.git("push", "-q", "origin", f"refs/ai/runs/*/{self.writer(clone)}")

    def fetch(self, clone: Repo) -> None:
        own = self.writer(clone)
        hidden = [f"^refs/ai/runs/*/{own}"] if own else []
        clone.git(
            "fetch", "-q", "--no-prune", "--refmap=", "origin", "refs/ai/runs/*:refs/ai/runs/*", *hidden
        )

    def writer(self, clone: Repo) -> str | None:
        with ledger(clone.path) as book:
            return book.writer()


def append(clone: Repo, text: str, run: str = "run-1") -> str:
    with ledger(clone.path) as book:
        return book.run(run).append(event_type="finding_noted", actor="a", payload={"finding": text}).commit


def test_clones_that_exchanged_refs_show_the_same_log_and_state(tmp_path: Path) -> None:
    clones = Clones(tmp_path, 3)
    acked: dict[str, list[str]] = {f"{number}": [] for number in range(3)}
    for round_ in range(4):
        for number, clone in enumerate(clones.all):
            acked[f"{number}"] += [append(clone, f"{number}.{round_}.{one}") for one in range(2)]
            # Not everybody exchanges in each round.
            if (round_ + number) % 2:
                clones.push(clone)
                clones.fetch(clone)
    for clone in clones.all:
        clones.push(clone)
    for clone in clones.all:
        clones.fetch(clone)

    logs = [check_history(clone, "run-1", acked, garbage=True) for clone in clones.all]
    assert len(logs[0]) == 24
    assert logs[0] == logs[1] == logs[2]
    states = [ledger(clone.path).run("run-1").snapshot() for clone in clones.all]
    assert states[0] == states[1] == states[2]


def test_a_first_event_goes_on_from_the_highest_tip_and_carries_its_tree(tmp_path: Path) -> None:
    one, two = (clones := Clones(tmp_path, 2)).all
    with ledger(one.path) as book:
        run = book.run("run-1")
        run.append(event_type="task_created", actor="a")
        last = run.append(event_type="plan_approved", actor="a", artifacts={"plan.json": b"{}"})
    clones.push(one)
    clones.fetch(two)

    with ledger(two.path) as book:
        run = book.run("run-1")
        book.set_current(run)
        assert two.git("symbolic-ref", "AI_RUN") == f"refs/ai/runs/run-1/{clones.writer(one)}"
        event = run.append(event_type="implementation_completed", actor="b")

        assert event.seq == 3
        assert two.git("rev-parse", f"{event.commit}^") == last.commit
        assert two.git("show", "AI_RUN:artifacts/plan.json") == "{}"
        assert two.git("symbolic-ref", "AI_RUN") == f"refs/ai/runs/run-1/{book.writer()}"
        assert book.verify("run-1").ok


def test_another_writer_s_tip_becomes_a_parent_once(tmp_path: Path) -> None:
    one, two = (clones := Clones(tmp_path, 2)).all
    append(one, "1")
    clones.push(one)
    clones.fetch(two)
    theirs = [append(two, "2"), append(two, "3")]
    append(one, "4")
    clones.push(two)
    clones.fetch(one)

    merged, plain = append(one, "5"), append(one, "6")

    assert one.git("log", "-1", "--format=%P", merged).split()[1:] == [theirs[-1]]
    assert len(one.git("log", "-1", "--format=%P", plain).split()) == 1
    with ledger(one.path) as book:
        assert [(event.seq, event.payload["finding"]) for event in book.run("run-1").events()][-2:] == [
            (4, "5"),
            (5, "6"),
        ]


def test_a_tip_that_was_merged_before_is_found_again_without_the_remembered_parents(tmp_path: Path) -> None:
    one, two = (clones := Clones(tmp_path, 2)).all
    append(one, "1")
    clones.push(one)
    clones.fetch(two)
    append(two, "2")
    clones.push(two)
    clones.fetch(one)
    append(one, "3")
    (one.path / ".git" / "gitmem" / "cache" / "run-run-1.parents").unlink()

    again = append(one, "4")

    assert len(one.git("log", "-1", "--format=%P", again).split()) == 1


def test_at_most_fifteen_tips_come_at_once_the_highest_first_and_the_rest_next(repo: Repo) -> None:
    append(repo, "own")
    tips = []
    for number in range(20):
        below = [forge(repo, seq=seq, writer=f"v{number:02}", id=f"{seq}") for seq in [1] * (number % 2)]
        tip = forge(repo, *below, seq=1 + len(below), writer=f"v{number:02}")
        tips.append((1 + len(below), tip))
        point(repo, tip, f"v{number:02}")

    first, second, third = (
        repo.git("log", "-1", "--format=%P", append(repo, text)).split()[1:] for text in "abc"
    )

    assert (len(first), len(second), third) == (15, 5, [])
    assert {tip for seq, tip in tips if seq == 2} <= set(first)
    with ledger(repo.path) as book:
        assert book.verify("run-1").ok


def test_a_foreign_tip_that_cannot_be_read_is_no_parent(repo: Repo) -> None:
    append(repo, "own")
    point(repo, forge(repo, seq=3, writer="w9", version=2), "w9")
    point(repo, repo.commit("code", {"a": "1"}), "w8")
    point(repo, forge(repo, seq=900_000_000, writer="w7"), "w7")

    commit = append(repo, "next")

    assert len(repo.git("log", "-1", "--format=%P", commit).split()) == 1


def test_an_open_ledger_sees_what_another_process_appended(repo: Repo) -> None:
    with ledger(repo.path) as book:
        run = book.run("run-1")
        run.append(event_type="x", actor="a")
        append(repo, "elsewhere")
        event = run.append(event_type="x", actor="a")

        assert event.seq == 3
        assert run.folded().count == 3


def test_appending_never_touches_branches_index_or_work_tree(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    repo.write("a", "2")
    repo.git("add", "a")
    index = (repo.path / ".git" / "index").read_bytes()
    before = (repo.git("for-each-ref", "refs/heads"), repo.git("status", "--porcelain"))

    with RunLedger.open(repo.path) as book:
        for kind in ("session_started", "test_failed", "x"):
            book.run("run-1").append(event_type=kind, actor="a")

    assert (repo.path / ".git" / "index").read_bytes() == index
    assert (repo.git("for-each-ref", "refs/heads"), repo.git("status", "--porcelain")) == before


def test_long_runs_are_packed_on_the_way_beside_other_writers(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.store.appending.PACK_EVERY", 20)
    monkeypatch.setattr("gitmem.store.appending.WORTH_PACKING", 10)
    acked = at_once(repo.path, "run-1", processes=4, count=30)
    events = check_history(repo, "run-1", acked)
    assert len(events) == 120
    told = dict(line.split(": ") for line in repo.git("count-objects", "-v").splitlines())
    assert int(told["packs"]) >= 3
    assert int(told["count"]) < 60
    assert int(told["prune-packable"]) == 0
