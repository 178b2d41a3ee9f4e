"""`gitmem.durability full` has each append synced to the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.errors import UsageError
from gitmem.store.ledger import RunLedger
from gitmem.wire.append import append_event
from tests.support.repo import Repo, sealed_environment


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("GIT_TRACE2_EVENT", str(tmp_path / "trace"))


def synced(trace: Path) -> set[str]:
    """Commands of git that synced something, as git itself counts it."""
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    commands = {row["sid"]: row["name"] for row in rows if row["event"] == "cmd_name"}
    counts = (row for row in rows if row.get("category") == "fsync" and row["key"] == "fsync/hardware-flush")
    return {commands[row["sid"]] for row in counts if int(row["value"])}


def append(repo: Repo) -> None:
    with RunLedger.open(repo.path) as ledger:
        run = ledger.run("run-1")
        run.append(event_type="artifact_saved", actor="human", artifacts={"a.log": b"log"})
        assert len(run.events()) == 1


def test_full_syncs_blob_tree_commit_and_ref(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "gitmem.durability", "full")
    append(repo)
    assert synced(tmp_path / "trace") == {"hash-object", "commit-tree", "update-ref"}


@pytest.mark.parametrize("said", [None, "default"])
def test_by_default_git_decides(repo: Repo, tmp_path: Path, said: str | None) -> None:
    if said:
        repo.git("config", "gitmem.durability", said)
    append(repo)
    assert synced(tmp_path / "trace") == set()


def test_another_word_is_refused_before_anything_is_written(repo: Repo) -> None:
    repo.git("config", "gitmem.durability", "ful")
    with RunLedger.open(repo.path) as ledger, pytest.raises(UsageError, match=r"gitmem\.durability is 'ful'"):
        ledger.run("run-1").append(event_type="finding_noted", actor="human")
    assert repo.git("for-each-ref") == ""


@pytest.mark.parametrize("said", ["full", None])
def test_hooks_sync_too(repo: Repo, tmp_path: Path, said: str | None) -> None:
    if said:
        repo.git("config", "gitmem.durability", said)
    git_dir = str(repo.path / ".git")
    event: dict[str, object] = {
        "type": "commit_recorded",
        "at": "2026-07-13T09:28:00Z",
        "actor": "git",
        "payload": {},
    }
    append_event(git_dir=git_dir, common_dir=git_dir, run="run-1", event=event)
    assert synced(tmp_path / "trace") == ({"commit-tree", "update-ref"} if said else set())
