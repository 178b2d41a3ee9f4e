"""What hooks record of real commits, and what they never do to one."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from gitmem import githooks
from gitmem.git.opening import open_repository
from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from gitmem.usecases.hooks import install
from gitmem.usecases.runs.ending import end_run
from gitmem.usecases.runs.recording import Teller
from gitmem.usecases.runs.starting import start_run
from gitmem.wire.append import LOCK
from gitmem.wire.locks import acquire_lock, release_lock
from tests.support.repo import Repo

SLOW = ("click", "pygit2", "ruamel", "pydantic", "re", "json", "dataclasses", "typing", "importlib.metadata")


@pytest.fixture
def recording(repo: Repo) -> Iterator[Repo]:
    """A repository with a first commit, hooks, and a run."""
    repo.commit("first", {"a": "1\n", "b": "1\n"})
    install(open_repository(repo.path))
    with RunLedger.open(repo.path) as ledger:
        start_run(ledger, "task", actor="human", run="run-1")
    yield repo
    assert not (repo.path / ".git/gitmem/hook.log").exists(), (repo.path / ".git/gitmem/hook.log").read_text()
    assert not repo.git("status", "--porcelain", "--untracked-files=no")


def events(repo: Repo, run: str = "run-1") -> list[Event]:
    with RunLedger.open(repo.path) as ledger:
        assert ledger.verify(run).ok
        return [event for event in ledger.run(run).events() if event.type != "task_created"]


def told(repo: Repo) -> list[tuple[str, object]]:
    return [(event.type, event.payload.get("how") or event.payload.get("subject")) for event in events(repo)]


def test_a_commit_is_told_with_its_files_and_counts(recording: Repo) -> None:
    recording.write("한글 이름.txt", "1\n2\n")
    recording.write("tab\tand\nline", "x")
    commit = recording.commit("둘째: change", {"a": "2\n", "bin": b"\0\1"})
    (event,) = events(recording)
    assert (event.type, event.actor, event.code) == ("commit_recorded", "git", commit)
    assert event.payload == {
        "commit": commit,
        "subject": "둘째: change",
        "files": ["a", "bin", "tab\tand\nline", "한글 이름.txt"],
        "insertions": 4,
        "deletions": 1,
    }


def test_amend_cherry_pick_revert_and_merge_are_recognised(recording: Repo) -> None:
    recording.commit("second", {"a": "2\n"})
    recording.git("commit", "-q", "--amend", "-m", "second, better")
    recording.git("checkout", "-q", "-b", "side", "HEAD~1")
    recording.commit("side", {"b": "2\n"})
    recording.git("checkout", "-q", "main")
    recording.git("cherry-pick", "side")
    recording.git("revert", "--no-edit", "HEAD")
    recording.git("merge", "-q", "--no-edit", "side")
    assert told(recording) == [
        ("commit_recorded", "second"),
        ("commit_recorded", "amend"),
        ("commits_rewritten", "amend"),
        ("commit_recorded", "side"),
        ("commit_recorded", "cherry-pick"),
        ("commit_recorded", "revert"),
        ("branch_merged", "Merge branch 'side'"),
    ]


def test_a_rebase_with_a_fixup_is_told_once(recording: Repo) -> None:
    recording.git("checkout", "-q", "-b", "side")
    for number in (1, 2):
        recording.commit(f"side {number}", {f"s{number}": "1\n"})
    recording.commit("fixup! side 1", {"s1": "2\n"})
    old = recording.git("rev-parse", "HEAD", "HEAD~1", "HEAD~2").split()
    recording.git("checkout", "-q", "main")
    recording.commit("main", {"a": "2\n"})
    recording.git("checkout", "-q", "side")
    before = len(events(recording))
    recording.git("rebase", "-q", "-i", "--autosquash", "main", environment={"GIT_SEQUENCE_EDITOR": "true"})
    (event,) = events(recording)[before:]
    assert (event.type, event.payload["how"]) == ("commits_rewritten", "rebase")
    new = recording.git("rev-parse", "HEAD", "HEAD~1").split()
    assert sorted(event.payload["pairs"]) == sorted([[old[0], new[1]], [old[2], new[1]], [old[1], new[0]]])


def test_a_pull_is_told_and_a_squash_waits_for_its_commit(recording: Repo) -> None:
    recording.git("checkout", "-q", "-b", "side")
    commit = recording.commit("side", {"b": "2\n"})
    recording.git("checkout", "-q", "main")
    recording.git("merge", "-q", "--squash", "side")
    recording.git("reset", "-q", "--hard")
    recording.git("merge", "-q", "side")
    assert told(recording) == [("commit_recorded", "side"), ("branch_merged", "side")]
    assert events(recording)[-1].payload["commit"] == commit


@pytest.mark.parametrize("ending", ["completed", "abandoned"])
def test_without_a_run_and_after_its_end_nothing_is_written(recording: Repo, ending: str) -> None:
    with RunLedger.open(recording.path) as ledger:
        end_run(ledger, ledger.run("run-1"), Teller("human"), outcome=ending)
    tip = recording.git("for-each-ref", "refs/ai")
    recording.commit("after the end", {"a": "2\n"})
    recording.git("symbolic-ref", "-d", "AI_RUN")
    recording.commit("without a run", {"a": "3\n"})
    assert recording.git("for-each-ref", "refs/ai") == tip


def test_environment_names_run_and_session(recording: Repo) -> None:
    with RunLedger.open(recording.path) as ledger:
        start_run(ledger, "other", actor="human", run="run-2")
        ledger.set_current(ledger.run("run-1"))
    agent = {"GITMEM_RUN": "run-2", "GITMEM_SESSION": "s-1"}
    recording.write("a", "2\n")
    recording.git("commit", "-qam", "by an agent", environment=agent)
    recording.write("a", "3\n")
    recording.git("commit", "-qam", "hostile", environment={"GITMEM_RUN": "../../heads/main"})
    (event,) = events(recording, "run-2")
    assert event.session == "s-1"
    assert not events(recording)


def test_a_secret_in_a_subject_or_of_the_environment_is_masked(recording: Repo) -> None:
    secret = "ghp_" + "a1B2" * 9
    recording.write("a", "2\n")
    recording.git(
        "commit", "-qam", f"use {secret} and plain-words-9", environment={"DEPLOY_TOKEN": "plain-words-9"}
    )
    (event,) = events(recording)
    assert event.payload["subject"] == "use [masked:github_token] and [masked:environment]"
    assert event.extra["masked"] == {"github_token": 1, "environment": 1}


def test_what_hides_a_secret_in_a_subject_or_session_does_not_hide_it_from_the_hook(recording: Repo) -> None:
    token = "ghp_" + "a1B2" * 9
    wrapped = base64.b64encode(token.encode()).decode()
    recording.write("a", "2\n")
    recording.git(
        "commit", "-qam", f"use {wrapped} and token%3D{token}", environment={"GITMEM_SESSION": token}
    )
    (event,) = events(recording)
    assert event.payload["subject"] == "use [masked:github_token] and token%3D[masked:github_token]"
    assert event.session == "[masked:github_token]"


def test_detached_head_and_a_folder_that_moved(recording: Repo, tmp_path: Path) -> None:
    recording.git("checkout", "-q", "--detach")
    recording.commit("detached", {"a": "2\n"})
    recording.path.rename(tmp_path / "elsewhere")
    moved = Repo(tmp_path / "elsewhere", init=False)
    moved.commit("moved", {"a": "3\n"})
    assert told(moved) == [("commit_recorded", "detached"), ("commit_recorded", "moved")]
    (tmp_path / "elsewhere").rename(recording.path)


def test_a_submodule_records_in_its_own_ledger(recording: Repo, tmp_path: Path) -> None:
    library = Repo(tmp_path / "library")
    library.commit("library", {"l": "1"})
    recording.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(library.path), "lib")
    inner = Repo(recording.path / "lib", init=False)
    install(open_repository(inner.path))
    with RunLedger.open(inner.path) as ledger:
        start_run(ledger, "inner", actor="human", run="run-9")
    inner.commit("inside", {"l": "2"})
    assert [event.payload["subject"] for event in events(inner, "run-9")] == ["inside"]
    recording.git("commit", "-qam", "add the library")
    assert told(recording) == [("commit_recorded", "add the library")]


def test_the_index_and_the_tree_are_those_of_a_commit_without_hooks(recording: Repo, tmp_path: Path) -> None:
    plain = Repo(tmp_path / "plain")
    plain.commit("first", {"a": "1\n", "b": "1\n"})
    for way in (["-a"], ["--only", "a"]):
        found = []
        for each in (recording, plain):
            for name in ("a", "b"):
                each.write(name, f"{way}{name}\n")
            each.git("add", "b")
            each.git("commit", "-q", "-m", "x", *way)
            found.append((each.git("ls-files", "-s"), each.git("rev-parse", "HEAD^{tree}")))
        assert found[0] == found[1]
    recording.git("commit", "-qam", "rest", check=False)


def test_a_busy_lock_leaves_a_line_that_the_next_append_takes_in_once(recording: Repo) -> None:
    lock = acquire_lock(recording.path / ".git" / LOCK, timeout=1)
    try:
        recording.commit("while busy", {"a": "2\n"})
        assert not events(recording)
    finally:
        release_lock(lock)
    (waiting,) = (recording.path / ".git/gitmem").glob("later*")
    line = waiting.read_bytes()
    with RunLedger.open(recording.path) as ledger:
        ledger.run("run-1").append(event_type="finding_noted", actor="human", payload={"finding": "x"})
        waiting.write_bytes(line + b"run-1 {broken\n")  # as after a crash between append and removal
        ledger.run("run-1").append(event_type="finding_noted", actor="human", payload={"finding": "y"})
    kinds = [event.type for event in events(recording)]
    assert kinds == ["finding_noted", "commit_recorded", "finding_noted"]
    assert not list((recording.path / ".git/gitmem").glob("later*"))


def test_a_commit_too_large_to_count_is_told_without_counts(
    recording: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = recording.commit("large", {f"f{number}": "x\n" for number in range(300)})
    (event,) = events(recording)
    assert (len(event.payload["files"]), event.payload["files_left_out"]) == (200, 100)
    from gitmem.wire import recording as wire
    from gitmem.wire.spawn import run_git

    calls: list[tuple[str, ...]] = []

    def slow(arguments: tuple[str, ...], **given: object) -> object:
        calls.append(arguments)
        if "--numstat" in arguments:
            raise TimeoutError
        return run_git(arguments, **given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(wire, "run_git", slow)
    told_of = wire.commit_event(str(recording.path / ".git"))
    assert told_of is not None
    assert told_of["payload"] == {"commit": commit, "subject": "large"}
    assert len(calls) == 2


def _hook(
    repo: Repo, *words: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gitmem", "hook", "git", *words],
        cwd=repo.path,
        env={**repo.environment, **(environment or {}), "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


@pytest.mark.parametrize(
    "words",
    [["post-commit"], ["post-rewrite", "amend"], ["post-merge", "0"], ["pre-push", "origin"], ["no-such"]],
)
def test_a_hook_is_silent_and_never_fails(repo: Repo, words: list[str]) -> None:
    done = _hook(repo, *words)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = _hook(repo, *words, environment={"GIT_DIR": "/nowhere", "GITMEM_RUN": "run-1"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_goes_wrong_is_a_line_in_the_log_and_fails_no_commit(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    install(open_repository(repo.path))
    with RunLedger.open(repo.path) as ledger:
        made, _ = start_run(ledger, "task", actor="human")
        (repo.path / ".git" / made.ref()).write_text("no commit\n")
    repo.commit("second", {"a": "2"})
    assert repo.git("log", "-1", "--format=%s") == "second"
    log = (repo.path / ".git/gitmem/hook.log").read_text()
    assert "post-commit: AppendFailedError" in log
    assert made.id in log


def test_an_ordinary_commit_loads_nothing_slow(repo: Repo) -> None:
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        start_run(ledger, "task", actor="human", run="run-1")
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "from gitmem.githooks import main\n"
        "main(['post-commit'])\n"
        "sys.stdout.write('\\n'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=repo.path,
        env=repo.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.split()
    assert [event.type for event in events(repo)] == ["commit_recorded"]
    assert "gitmem.wire.append" in loaded
    assert [
        name for name in loaded if name.startswith(SLOW) and name.partition(".")[0] in {*SLOW, "importlib"}
    ] == []
    assert {name.split(".")[1] for name in loaded if name.startswith("gitmem.")} == {"githooks", "wire"}


@pytest.fixture
def trailing(repo: Repo) -> Repo:
    repo.commit("first", {"a": "1\n"})
    install(open_repository(repo.path), with_trailer=True)
    with RunLedger.open(repo.path) as ledger:
        start_run(ledger, "task", actor="human", run="run-1")
    return repo


def body(repo: Repo) -> str:
    return repo.git("log", "-1", "--format=%B").strip()


def test_the_trailer_stands_once_in_every_message_of_a_run(trailing: Repo) -> None:
    trailing.commit("둘째\n\nBody.\n---\nmore", {"a": "2\n"})
    trailing.git("commit", "-q", "--amend", "--no-edit")
    assert body(trailing) == "둘째\n\nBody.\n---\nmore\n\nAI-Run: run-1"
    assert trailing.git("log", "-1", "--format=%(trailers:key=AI-Run,valueonly)").strip() == "run-1"


@pytest.mark.parametrize("typed", ["", "# only a comment\n", "\n\nSigned-off-by: A <a@b>\n"])
def test_a_message_left_empty_still_means_no_commit(trailing: Repo, typed: str) -> None:
    head = trailing.git("rev-parse", "HEAD")
    trailing.write("a", "2\n")
    editor = trailing.path.parent / "editor"
    editor.write_text(f"#!/bin/sh\nprintf '%b' {json.dumps(typed)} > \"$1\"\n")
    editor.chmod(0o755)
    trailing.git("commit", "-qav", environment={"GIT_EDITOR": str(editor)}, check=False)
    assert trailing.git("rev-parse", "HEAD") == head


def test_no_trailer_without_a_run_and_after_its_end(trailing: Repo) -> None:
    with RunLedger.open(trailing.path) as ledger:
        ledger.run("run-1").append(
            event_type="finding_noted", actor="human", payload={"finding": "completed"}
        )
    trailing.commit("not yet ended", {"a": "2\n"})
    assert "AI-Run" in body(trailing)
    with RunLedger.open(trailing.path) as ledger:
        end_run(ledger, ledger.run("run-1"), Teller("human"))
    trailing.commit("ended", {"a": "3\n"})
    assert body(trailing) == "ended"
    trailing.git("symbolic-ref", "-d", "AI_RUN")
    trailing.commit("none", {"a": "4\n"})
    assert body(trailing) == "none"


def test_the_log_begins_anew_when_it_is_full(tmp_path: Path) -> None:
    (tmp_path / "gitmem").mkdir()
    log = tmp_path / githooks.LOG
    log.write_text("x" * 70_000)
    githooks.log_failure(str(tmp_path), ["post-commit"], ValueError("new"))
    assert log.stat().st_size < 200
