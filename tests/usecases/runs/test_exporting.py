"""Runs as plain files and back, on real repositories."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, InvalidDataError, NotFoundError, NotServedError
from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.exporting import export_run
from gitmem.usecases.runs.importing import import_runs
from gitmem.usecases.runs.starting import start_run
from tests.support.repo import Repo, sealed_environment

AT = "2026-07-13T09:28:00+09:00"


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def worked(repo: Repo) -> Repo:
    """A run with files, artifacts of two generations, a large payload, and a second writer."""
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        run, _ = start_run(ledger, "결제/중복", actor="human", run="run-1")
        run.append(
            event_type="plan_approved", actor="codex", artifacts={"plan.json": b"{}", "log.txt": b"one"}
        )
        run.append(event_type="finding_noted", actor="codex", payload={"finding": "x" * 20_000})
        run.append(
            event_type="handoff_written",
            actor="codex",
            artifacts={"log.txt": b"two\0\xff"},
            files={"handoff.md": "# 인계\n".encode(), "decisions.md": b"none\n"},
        )
    writer = repo.path / ".git/gitmem/writer"
    writer.unlink()
    with RunLedger.open(repo.path) as ledger:
        ledger.run("run-1").append(event_type="completed", actor="human", artifacts={"end.txt": b"bye"})
    return repo


def exported(repo: Repo, folder: Path | None = None) -> Path:
    with RunLedger.open(repo.path) as ledger:
        return export_run(ledger, ledger.run("run-1"), folder)


def imported(repo: Repo, source: Path | None) -> tuple[str, ...]:
    with RunLedger.open(repo.path) as ledger:
        return tuple(one.run for one in import_runs(ledger, source))


def events(repo: Repo, run: str = "run-1") -> tuple[Event, ...]:
    with RunLedger.open(repo.path) as ledger:
        assert ledger.verify(run).ok
        return ledger.run(run).events()


def refs(repo: Repo) -> str:
    return repo.git("for-each-ref", "refs/ai")


@pytest.fixture
def other(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "other")


def test_a_run_comes_back_as_the_same_commits_under_the_same_refs(worked: Repo, other: Repo) -> None:
    folder = exported(worked)
    assert folder == worked.path / ".ai/runs/결제-중복"
    assert (folder / "handoff.md").read_text() == "# 인계\n"
    names = {str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file()}
    assert names == {
        *("ledger.json", "history.bundle", "handoff.md", "decisions.md"),
        *("artifacts/plan.json", "artifacts/log.txt", "artifacts/end.txt"),
        *(name for name in names if name.startswith("artifacts/payload-")),
    }
    assert (folder / "artifacts/log.txt").read_bytes() == b"two\0\xff"
    assert imported(other, folder) == ("run-1",)
    assert refs(other) == refs(worked)
    assert events(other) == events(worked)
    assert imported(other, folder / "ledger.json") == ("run-1",)
    assert refs(other) == refs(worked)
    other.git("fsck", "--strict")


def test_an_export_is_done_again_in_place_and_another_run_of_the_task_keeps_apart(worked: Repo) -> None:
    folder = exported(worked)
    before = (folder / "ledger.json").read_bytes()
    assert exported(worked) == folder
    assert (folder / "ledger.json").read_bytes() == before
    with RunLedger.open(worked.path) as ledger:
        second, _ = start_run(ledger, "결제/중복", actor="human", run="run-20260713-other")
        assert export_run(ledger, second) == folder.with_name("결제-중복-other")
    assert imported(worked, None) == ("run-1", "run-20260713-other")


def test_files_that_no_export_wrote_are_left_alone(worked: Repo, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / "handoff.md").write_text("mine")
    with pytest.raises(NotServedError, match="files that no export wrote"):
        exported(worked, target)
    assert [one.name for one in target.iterdir()] == ["handoff.md"]


def test_links_are_not_followed(worked: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = exported(worked)
    for one in (folder / "artifacts").iterdir():
        one.unlink()
    (folder / "artifacts").rmdir()
    (folder / "artifacts").symlink_to(outside)
    with pytest.raises(NotServedError, match="symbolic link"):
        exported(worked)
    assert not list(outside.iterdir())
    (folder / "artifacts").unlink()
    (folder / "ledger.json").rename(outside / "ledger.json")
    (folder / "ledger.json").symlink_to(outside / "ledger.json")
    with pytest.raises(InvalidDataError, match="symbolic link"):
        imported(worked, folder)


def test_a_ledger_that_was_edited_beside_its_history_is_refused(worked: Repo, other: Repo) -> None:
    folder = exported(worked)
    told = json.loads((folder / "ledger.json").read_text())
    told["events"][1]["actor"] = "mallory"
    (folder / "ledger.json").write_text(json.dumps(told))
    with pytest.raises(InvalidDataError, match=r"events\[1\] is not what the history") as caught:
        imported(other, folder)
    assert "remove history.bundle" in caught.value.hint
    assert not refs(other)
    (folder / "history.bundle").unlink()
    assert imported(other, folder) == ("run-1",)
    assert [one.actor for one in events(other)] == ["human", "mallory", "codex", "codex", "human"]


@pytest.mark.parametrize("damage", ["cut", "foreign", "garbage"])
def test_a_damaged_history_imports_nothing(worked: Repo, other: Repo, damage: str, tmp_path: Path) -> None:
    folder = exported(worked)
    bundle = folder / "history.bundle"
    content = bundle.read_bytes()
    if damage == "cut":
        bundle.write_bytes(content[:-200])
    elif damage == "garbage":
        bundle.write_bytes(b"no bundle")
    else:
        stranger = Repo(tmp_path / "stranger")
        stranger.commit("first", {"a": "1"})
        stranger.git("update-ref", "refs/ai/runs/run-1/w1", "HEAD")
        stranger.git("bundle", "create", "-q", str(bundle), "refs/ai/runs/run-1/w1")
    with pytest.raises(GitmemError) as caught:
        imported(other, folder)
    assert (caught.value.exit_code, caught.value.path) == (3, str(bundle))
    assert caught.value.hint
    assert "reached" not in caught.value.message
    assert "refused" not in caught.value.message
    assert not refs(other)


def test_another_history_here_is_not_overwritten(worked: Repo, other: Repo) -> None:
    folder = exported(worked)
    imported(other, folder)
    ref = worked.git("for-each-ref", "--format=%(refname)", "refs/ai").splitlines()[0]
    tree = other.git("mktree", stdin=b"")
    forged = other.git("commit-tree", tree, "-m", "#1 x: forged")
    other.git("update-ref", ref, forged)
    with pytest.raises(NotServedError, match="another history"):
        imported(other, folder)
    assert other.git("rev-parse", ref) == forged


def test_a_ledger_of_another_tool_is_imported_once(other: Repo, tmp_path: Path) -> None:
    folder = tmp_path / "checkout-duplicate-submit"
    folder.mkdir()
    (folder / "plan.json").write_text('{"steps": 3}')
    rows = [
        {"seq": 1, "type": "plan_approved", "at": AT, "actor": "human", "artifact": "plan.json"},
        {"seq": 2, "type": "test_failed", "at": AT, "actor": "test-runner", "artifact": "gone.json"},
        {"seq": 3, "type": "custom", "at": AT, "actor": "codex", "payload": {"token": "ghp_" + "a1B2" * 9}},
    ]
    (folder / "ledger.json").write_text(json.dumps({"version": 1, "events": rows}))
    (run,) = imported(other, folder)
    first = events(other, run)
    assert [one.type for one in first] == ["task_created", "plan_approved", "test_failed", "custom"]
    assert first[0].payload == {"task": "checkout-duplicate-submit"}
    assert first[1].at == AT
    assert "ghp_" not in str(first[3].payload)
    with RunLedger.open(other.path) as ledger:
        loaded = ledger.run(run)
        assert loaded.snapshot().phase == "failed_test"
        assert loaded.artifact("plan.json") == b'{"steps": 3}'
        assert loaded.artifact("gone.json") is None
    (folder / "ledger.json").write_text(json.dumps({"version": 1, "events": [*rows, {**rows[0], "seq": 4}]}))
    assert imported(other, folder) == (run,)
    assert events(other, run)[:4] == first
    assert len(events(other, run)) == 5


@pytest.mark.parametrize("name", ["../../secret", "/etc/passwd", ".git/config", "a\\b"])
def test_an_artifact_cannot_name_its_way_out(other: Repo, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("secret")
    folder = tmp_path / "x" / "y"
    folder.mkdir(parents=True)
    row = {
        "seq": 1,
        "type": "plan_approved",
        "at": AT,
        "actor": "human",
        "artifact": name,
        "artifacts": [name],
    }
    (folder / "ledger.json").write_text(json.dumps({"version": 1, "events": [row]}))
    (run,) = imported(other, folder)
    assert events(other, run)[-1].artifacts == ()


def test_nothing_to_import_is_said(other: Repo, tmp_path: Path) -> None:
    for source in (None, tmp_path / "absent", tmp_path):
        with pytest.raises(NotFoundError):
            imported(other, source)


def test_a_bare_repository_needs_a_folder(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    with RunLedger.open(bare.path) as ledger:
        run, _ = start_run(ledger, "task", actor="human", run="run-1")
        with pytest.raises(NotServedError, match="bare"):
            export_run(ledger, run)
        assert (export_run(ledger, run, tmp_path / "out") / "ledger.json").exists()
