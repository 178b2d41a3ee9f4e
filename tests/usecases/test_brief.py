"""What a session reads first, from a real repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.compaction import LeftOut
from gitmem.errors import NotFoundError
from gitmem.git.opening import open_repository
from gitmem.model.policy import CompactionPolicy
from gitmem.patches.stat import FileStat
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.brief import Brief, load_brief
from gitmem.usecases.compacting_policy import compaction_policy
from gitmem.usecases.runs.handing_off import write_handoff
from tests.support.repo import Repo

POLICY = ".ai/policies/compaction-policy.yaml"


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    repo.commit("first", {"a.py": "a = 1\n", "결제.py": "x\n"})
    with RunLedger(open_repository(repo.path)) as opened:
        yield opened


@pytest.fixture
def run(ledger: RunLedger) -> Run:
    made = ledger.run("run-1")
    made.append(event_type="task_created", actor="human", payload={"task": "결제", "goal": "한 번만"})
    ledger.set_current(made)
    return made


def test_no_run_is_one_sentence(ledger: RunLedger) -> None:
    brief = load_brief(ledger)
    assert brief == Brief(
        remark="No run is current, and no open run is here; `gitmem run start TASK` begins one.",
        is_empty=True,
    )


def test_open_runs_are_counted_where_none_is_current_and_ended_ones_are_not(
    ledger: RunLedger, run: Run
) -> None:
    ledger.set_current(None)
    assert "1 open run is here, run-1 (결제); `gitmem run switch run-1`" in load_brief(ledger).remark
    ledger.run("run-2").append(event_type="task_created", actor="human")
    assert ": 2 open runs are here; `gitmem run list` shows them" in load_brief(ledger).remark
    for name in ("run-1", "run-2"):
        ledger.run(name).append(event_type="completed", actor="human")
    assert "no open run is here" in load_brief(ledger).remark


def test_a_current_run_that_is_gone_is_said(repo: Repo, ledger: RunLedger, run: Run) -> None:
    repo.git("update-ref", "-d", run.ref())
    with RunLedger(open_repository(repo.path)) as fresh:
        assert load_brief(fresh).remark.startswith(
            "The current run run-1 has no events here, and no open run"
        )


def test_a_beginning_that_is_not_in_this_clone_is_said(ledger: RunLedger) -> None:
    elsewhere = ledger.run("run-3")
    elsewhere.append(event_type="task_created", actor="human", code="c" * 40)
    brief = load_brief(ledger, run="run-3")
    assert brief.material is not None
    assert brief.material.diff is None
    assert brief.material.stamp.stale.startswith(
        "commit cccccccccccc, which this was told at, is not in this clone"
    )
    assert (
        LeftOut(
            "Changed: commit cccccccccccc, at which the run began, is not in this clone",
            "gitmem run show run-3",
        )
        in brief.compacted.left_out
    )


def test_beside_a_saved_patch_what_is_not_committed_now_is_told(
    repo: Repo, ledger: RunLedger, run: Run
) -> None:
    repo.write("a.py", "a = 2\n")
    patch = f"{repo.git('diff')}\n".encode()
    run.append(event_type="artifact_saved", actor="codex", artifacts={"diff.patch": patch})
    material = load_brief(ledger).material
    assert material is not None
    assert material.diff is not None
    assert (material.diff.source, material.diff.uncommitted) == ("diff.patch", ("a.py",))


def test_changed_files_are_told_by_the_trees_since_the_run_began(
    repo: Repo, ledger: RunLedger, run: Run
) -> None:
    repo.commit("second", {"a.py": "a = 1\nb = 2\n"})
    repo.write("결제.py", "y\n")
    repo.write("new.py", "")
    material = load_brief(ledger).material
    assert material is not None
    assert material.diff is not None
    assert material.diff.files == (FileStat("a.py", "modified", 1, 0),)
    assert material.diff.uncommitted == ("new.py", "결제.py")


def test_a_saved_patch_tells_the_diff_stat(repo: Repo, ledger: RunLedger, run: Run) -> None:
    repo.commit("second", {"결제.py": "y\n"})
    patch = repo.git("diff", "HEAD~1", "HEAD") + "\n"
    run.append(
        event_type="artifact_saved",
        actor="codex",
        payload={"path": "diff.patch"},
        artifacts={"diff.patch": patch.encode()},
    )
    repo.commit("third", {"a.py": "other\n"})
    material = load_brief(ledger).material
    assert material is not None
    assert material.diff is not None
    assert (material.diff.source, material.diff.files) == (
        "diff.patch",
        (FileStat("결제.py", "modified", 1, 1),),
    )


def test_a_patch_that_cannot_be_read_for_certain_is_passed_over(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="artifact_saved", actor="codex", artifacts={"diff.patch": b"\xff\xfe not a patch"})
    material = load_brief(ledger).material
    assert material is not None
    assert material.diff is not None
    assert material.diff.source.startswith("since commit ")


def test_the_plan_is_what_the_plan_event_names(ledger: RunLedger, run: Run) -> None:
    run.append(event_type="artifact_saved", actor="codex", artifacts={"plan.json": b"old"})
    run.append(
        event_type="plan_approved",
        actor="human",
        payload={"artifact": "계획.md"},
        artifacts={"계획.md": "1. 막는다".encode()},
    )
    material = load_brief(ledger).material
    assert material is not None
    assert material.plan == ("계획.md", "1. 막는다")


def test_the_failure_has_the_tail_of_its_log(ledger: RunLedger, run: Run) -> None:
    run.append(
        event_type="test_failed",
        actor="test-runner",
        payload={"command": "make", "artifact": "t.log"},
        artifacts={"t.log": "실패\n".encode()},
    )
    for _ in range(2):  # from the log, then from the file that the handoff wrote
        material = load_brief(ledger).material
        assert material is not None
        assert material.failure is not None
        assert material.failure["log_tail"] == "실패\n"
        write_handoff(ledger, run, actor="human")


@pytest.mark.parametrize(
    ("event_type", "payload", "said"),
    [
        ("run_paused", {"reason": "lunch"}, "The current run run-1 (결제) is paused: lunch. "),
        ("completed", {}, "The current run run-1 (결제) is completed; "),
        ("abandoned", {}, "The current run run-1 (결제) is abandoned; "),
    ],
)
def test_a_run_that_nobody_works_on_is_one_sentence(
    ledger: RunLedger, run: Run, event_type: str, payload: dict[str, str], said: str
) -> None:
    run.append(event_type=event_type, actor="human", payload=payload)
    brief = load_brief(ledger)
    assert (brief.run, brief.material) == ("run-1", None)
    assert brief.remark.startswith(said)
    assert load_brief(ledger, run="run-1").material is not None


def test_an_unknown_run_is_an_error(ledger: RunLedger) -> None:
    with pytest.raises(NotFoundError, match="no such run here: run-9"):
        load_brief(ledger, run="run-9")


def test_a_damaged_ledger_gives_an_empty_brief_with_the_reason(
    repo: Repo, ledger: RunLedger, run: Run
) -> None:
    tip = repo.git("rev-parse", "AI_RUN")
    (repo.path / ".git" / "objects" / tip[:2] / tip[2:]).unlink()
    for cached in (repo.path / ".git" / "gitmem" / "cache").glob("run-*"):
        cached.unlink()
    with RunLedger(open_repository(repo.path)) as fresh:
        brief = load_brief(fresh)
    assert brief.material is None
    assert brief.problem.startswith("nothing is told of the run")


def test_the_policy_is_the_trusted_branchs(repo: Repo, ledger: RunLedger) -> None:
    assert compaction_policy(ledger.repository) == (CompactionPolicy(), "")
    repo.commit("policy", {POLICY: "version: 1\nlimits:\n  max_previous_attempts: 1\n"})
    repo.git("checkout", "-q", "-b", "loosened")
    repo.commit("loosen", {POLICY: "version: 1\nlimits:\n  max_previous_attempts: 99\n"})
    for _ in range(2):  # parsed, then from the cache
        assert compaction_policy(ledger.repository).policy.max_previous_attempts == 1


def test_a_broken_policy_is_said_and_the_default_counts(repo: Repo, ledger: RunLedger, run: Run) -> None:
    repo.commit("policy", {POLICY: "version: 1\nlimits:\n  max_previous_attempts: many\n"})
    brief = load_brief(ledger)
    assert brief.material is not None
    assert brief.problem.startswith(f"{POLICY}:3: ")
    assert brief.problem.endswith("; the default policy counts")


def test_a_record_with_a_gap_says_so(repo: Repo, ledger: RunLedger, run: Run) -> None:
    first = repo.git("rev-parse", "AI_RUN")
    run.append(event_type="finding_noted", actor="human", payload={"finding": "still here"})
    (repo.path / ".git" / "objects" / first[:2] / first[2:]).unlink()
    for cached in (repo.path / ".git" / "gitmem" / "cache").glob("run-*"):
        cached.unlink()
    with RunLedger(open_repository(repo.path)) as fresh:
        material = load_brief(fresh).material
    assert material is not None
    assert material.snapshot.findings[0].finding == "still here"
    assert material.stamp.doubt.endswith("so something may be missing here: gitmem run verify run-1")


def test_what_another_writer_saved_is_shown_at_its_ref(
    repo: Repo, ledger: RunLedger, run: Run, tmp_path: Path
) -> None:
    repo.git("clone", "-q", ".", str(tmp_path / "clone"))
    repo.git("push", "-q", str(tmp_path / "clone"), "refs/ai/runs/*:refs/ai/runs/*")
    with RunLedger(open_repository(tmp_path / "clone")) as other:
        theirs = other.run("run-1")
        theirs.append(
            event_type="plan_approved",
            actor="human",
            payload={"artifact": "plan.json"},
            artifacts={"plan.json": b"{}"},
        )
        theirs.append(event_type="test_failed", actor="test-runner", payload={"artifact": "t.log"})
        writer = other.writer()
    run.append(event_type="finding_noted", actor="human", payload={"finding": "offline"})
    repo.git(
        "fetch", "-q", str(tmp_path / "clone"), f"refs/ai/runs/run-1/{writer}:refs/ai/runs/run-1/{writer}"
    )

    brief = load_brief(ledger)
    assert brief.material is not None
    assert brief.material.plan == ("plan.json", "{}")
    (plan,) = [part for part in brief.compacted.parts if part.heading == "Plan"]
    assert plan.see == f"git show refs/ai/runs/run-1/{writer}:artifacts/plan.json"
    assert repo.git(*plan.see.split()[1:]) == "{}"
    (failure,) = [part for part in brief.compacted.parts if part.heading == "Latest Failure"]
    assert failure.lines[-1] == "- `t.log` (not saved)"
