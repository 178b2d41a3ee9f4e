"""`gitmem confirm --replay` as people, scripts and signals meet it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.support.cli import gitmem
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo


def probed(repo: Repo, probe: str, name: str = "m-001") -> None:
    repo.commit(
        "Remember", {"src/a.py": "x = 1\n", path_of(name): memory(name, verification=f"{{probe: '{probe}'}}")}
    )


def test_the_document_is_that_of_the_contract(repo: Repo) -> None:
    probed(repo, "grep -q x src/a.py")

    done = gitmem("confirm", "m-001", "--replay", "--json", at=repo.path)

    document = done.document
    (probe,) = document["probes"]
    assert (done.code, document["memory"], document["verdict"]) == (0, "m-001", "passed")
    assert (probe["command"], probe["at"], probe["exit_code"]) == ("grep -q x src/a.py", repo.head(), 0)
    assert probe["duration_s"] >= 0
    assert (repo.path / document["validation"]).is_file()
    assert done.err == f"m-001: HEAD {repo.head()[:12]}: grep -q x src/a.py\n"


def test_the_answer_says_what_was_found_and_what_follows(repo: Repo) -> None:
    probed(repo, "echo gone; exit 1")

    done = gitmem("confirm", "m-001", "--replay", "--actor", "codex", at=repo.path)

    assert done.code == 1
    assert done.out.splitlines()[0] == "failed m-001  the probe failed"
    assert f"HEAD {repo.head()[:12]}: failed: exit 1" in done.out
    assert f"active → challenged in {path_of()}" in done.out
    assert "recorded in inbox #1, logs: replay-m-001-head.log" in done.out


def test_several_are_one_document_and_the_worst_is_the_exit_code(repo: Repo) -> None:
    probed(repo, "true")
    probed(repo, "no-such-tool", "m-002")

    done = gitmem("confirm", "m-001", "m-002", "--replay", "--json", "-q", at=repo.path)

    assert [one["verdict"] for one in done.document["replays"]] == ["passed", "unknown"]
    assert (done.code, done.err) == (3, "")


def test_the_current_run_is_written_to(repo: Repo) -> None:
    probed(repo, "true")
    run = gitmem("run", "start", "look", "--json", at=repo.path).document["run"]

    assert gitmem("confirm", "m-001", "--replay", "--json", at=repo.path).document["run"] == run


CONTRADICTIONS = {
    ("--replay", "--worktree"): "--replay goes with none of",
    ("--replay", "--seen", "0123456789"): "--replay goes with none of",
    ("--replay", "--apply"): "--replay goes with none of",
    ("--timeout", "3"): "--timeout goes with --replay alone",
    ("--replay", "--timeout", "0"): "--timeout",
}


def test_options_that_contradict_are_usage_errors(repo: Repo) -> None:
    probed(repo, "true")
    for options, words in CONTRADICTIONS.items():
        done = gitmem("confirm", "m-001", *options, at=repo.path)

        assert (done.code, words in done.err) == (2, True)


def test_hostile_text_of_a_probe_is_shown_and_not_obeyed(repo: Repo) -> None:
    probed(repo, 'printf "\\033[2J\\033]0;x\\007"; : \u202e; exit 1')

    done = gitmem("confirm", "m-001", "--replay", at=repo.path)

    assert done.code == 1
    assert not {"\x1b", "\x07", "\u202e"} & set(done.out + done.err)


def test_an_unmerged_probe_of_an_approved_memory_is_run_only_on_a_yes_at_a_terminal(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Edit", {path_of(): memory(verification=f"{{probe: touch {tmp_path}/ran}}")})

    done = gitmem("confirm", "m-001", "--replay", at=clone.path)

    assert done.code == 3
    assert "another probe" in done.err
    assert not (tmp_path / "ran").exists()

    for answer, is_run in (("n", False), ("y", True)):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "gitmem", "confirm", "m-001", "--replay"],
            cwd=str(clone.path),
            env=clone.environment,
            timeout=60,
            encoding="utf-8",
        )
        child.expect(r"another probe here than was approved:\s+touch .*run it\?")
        child.sendline(answer)
        child.expect(pexpect.EOF)
        child.close()
        assert (child.exitstatus, (tmp_path / "ran").exists()) == (0 if is_run else 3, is_run)


def started(repo: Repo, scratch: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "gitmem", "confirm", "m-001", "--replay", "--json"],
        cwd=repo.path,
        env={**repo.environment, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def test_an_interrupt_ends_all_and_leaves_nothing(repo: Repo, scratch: Path) -> None:
    pipe = repo.path.parent / "sign"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    probed(repo, f"trap : TERM; (setsid sleep 300 >{pipe} &); exec 9>{pipe}; echo up >&9; sleep 300")

    with started(repo, scratch) as child:
        assert said(reader) == b"up\n"
        child.send_signal(signal.SIGINT)
        child.communicate()

    assert child.returncode == 130
    assert said(reader) == b""  # nobody holds the pipe any more
    assert list(scratch.iterdir()) == []
    assert repo.git("status", "--porcelain") == ""


def said(descriptor: int) -> bytes:
    ready, _, _ = select.select([descriptor], [], [], 60)
    assert ready
    return os.read(descriptor, 100)


def test_two_at_once_do_not_meet(repo: Repo, scratch: Path) -> None:
    probed(repo, "echo x > made; test $(ls | grep -c made) = 1")

    with started(repo, scratch) as first, started(repo, scratch) as second:
        first.communicate()
        second.communicate()

    assert (first.returncode, second.returncode) == (0, 0)
    assert list(scratch.iterdir()) == []
    events = gitmem("run", "log", "inbox", "--json", at=repo.path).document["events"]
    assert sorted(one["type"] for one in events) == ["memory_confirmed"] * 2 + ["promotion_decided"] * 2
