"""`gitmem run exec --as agent`: what an agent is given, and what of it stays."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from gitmem.store.run_reading import LoadedRun
from tests.support.cli import Done, gitmem_process
from tests.support.repo import Repo


@pytest.fixture
def project(repo: Repo) -> Repo:
    repo.commit("first", {"cart.py": "TOTAL = 1\n"})
    return repo


def agent(project: Repo, script: str, *words: str, **settings: Any) -> Done:
    program = project.path.parent / "claude"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return gitmem_process(
        "run", "exec", "--as", "agent", *words, "--", str(program), at=project.path, **settings
    )


def started(project: Repo) -> None:
    goal = ("--goal", "An order is sent once")
    assert gitmem_process("run", "start", "cart", "--run", "run-1", *goal, at=project.path).code == 0


def loaded(project: Repo) -> LoadedRun:
    with RunLedger.open(project.path) as ledger:
        current = ledger.current()
        assert current is not None
        return current.load()


def types(project: Repo) -> list[str]:
    return [event.type for event in loaded(project).events]


def the(project: Repo, event_type: str) -> Event:
    (event,) = [event for event in loaded(project).events if event.type == event_type]
    return event


def artifact(project: Repo, event: Event) -> str:
    with RunLedger.open(project.path) as ledger:
        held = ledger.run(event.run).artifact(event.artifacts[0], event=event)
    assert held is not None
    return held.decode()


def test_an_agent_reads_the_brief_and_is_told_who_it_is(project: Repo) -> None:
    started(project)
    script = 'grep -c "An order is sent once" "$GITMEM_CONTEXT"; ls -l "$GITMEM_CONTEXT" | cut -c1-10; echo $GITMEM_RUN $GITMEM_ACTOR; exit 3'
    done = agent(project, script, "--session", "s-1")
    assert done.code == 3
    assert done.out == "1\n-rw-------\nrun-1 claude-code\n"
    assert types(project) == ["task_created", "session_started", "session_ended", "handoff_written"]
    ended = the(project, "session_ended")
    assert (ended.session, ended.actor, ended.payload["exit_code"]) == ("s-1", "claude-code", 3)
    assert artifact(project, ended) == done.out
    assert not list((project.path / ".git/gitmem/context").iterdir())


def test_commits_made_meanwhile_and_the_patch_are_recorded(project: Repo) -> None:
    started(project)
    before = project.head()
    script = (
        "GIT_COMMITTER_DATE= ; unset GIT_COMMITTER_DATE GIT_AUTHOR_DATE\n"
        "echo 'TOTAL = 2' > cart.py; git commit -qam 'two'\n"
        "echo new > new.py; git add new.py; echo 'TOTAL = 3' > cart.py"
    )
    assert agent(project, script).code == 0
    commit = the(project, "commit_recorded")
    assert (commit.payload["commit"], commit.payload["subject"]) == (project.head(), "two")
    assert (commit.payload["files"], commit.actor) == (["cart.py"], "git")
    saved = the(project, "artifact_saved")
    assert saved.payload["since"] == before
    patch = artifact(project, saved)
    assert "-TOTAL = 1\n+TOTAL = 3\n" in patch
    assert "+new\n" in patch


def test_a_commit_that_a_hook_recorded_is_not_recorded_again(project: Repo) -> None:
    started(project)
    script = (
        "unset GIT_COMMITTER_DATE GIT_AUTHOR_DATE; git commit -q --allow-empty -m x\n"
        f'"{sys.executable}" -m gitmem hook git post-commit'
    )
    agent(project, script)
    assert types(project).count("commit_recorded") == 1


def test_tests_that_the_agent_runs_belong_to_its_session(project: Repo) -> None:
    started(project)
    agent(project, f'"{sys.executable}" -m gitmem run exec -q -- true', "--session", "s-1")
    test = the(project, "test_passed")
    assert (test.session, test.actor) == ("s-1", "claude-code")


def test_a_session_that_the_agent_ended_itself_is_not_ended_again(project: Repo) -> None:
    started(project)
    payload = '{"session": "s-1", "summary": "done"}'
    script = f"\"{sys.executable}\" -m gitmem run event session_ended --payload '{payload}' >/dev/null"
    agent(project, script, "--session", "s-1")
    assert the(project, "session_ended").payload["summary"] == "done"
    assert types(project)[-1] == "handoff_written"


def test_a_run_is_begun_for_the_branch(project: Repo) -> None:
    project.git("switch", "-qc", "fix/결제")
    done = agent(project, "echo hi")
    assert "gitmem: no run was current: began run-" in done.err
    assert "gitmem.autoRun off turns that off" in done.err
    assert loaded(project).snapshot.task == "fix/결제"


def test_none_is_begun_when_that_is_off(project: Repo) -> None:
    project.git("config", "gitmem.autoRun", "off")
    done = agent(project, 'echo "[$GITMEM_RUN$GITMEM_CONTEXT]"; exit 2')
    assert (done.code, done.out) == (2, "[]\n")
    assert done.err == "gitmem: nothing is recorded: no run is current, and gitmem.autoRun is off\n"


def test_an_ended_run_is_not_gone_on_with(project: Repo) -> None:
    started(project)
    assert gitmem_process("run", "end", at=project.path).code == 0
    agent(project, "true")
    assert loaded(project).run != "run-1"


def test_filters_of_the_repository_are_not_run_for_the_patch(project: Repo) -> None:
    started(project)
    project.write(".gitattributes", "*.py filter=evil\n")
    project.git("config", "filter.evil.clean", "touch ran; cat")
    project.git("config", "diff.external", "touch ran")
    agent(project, "echo 'TOTAL = 4' > cart.py")
    assert not (project.path / "ran").exists()


def test_a_signal_still_leaves_a_handoff(project: Repo) -> None:
    started(project)
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "gitmem",
            "run",
            "exec",
            "--as",
            "agent",
            "sh",
            "-c",
            "echo ready; exec sleep 300",
        ],
        cwd=project.path,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 143
    assert types(project)[-2:] == ["session_ended", "handoff_written"]


def test_at_a_terminal_the_agent_has_one_and_no_screen_is_kept(project: Repo) -> None:
    started(project)
    words = [
        "-m",
        "gitmem",
        "run",
        "exec",
        "--as",
        "agent",
        "sh",
        "-c",
        "test -t 0 && test -t 1 && echo terminal",
    ]
    child = pexpect.spawn(
        sys.executable, words, cwd=str(project.path), env=project.environment, timeout=60, encoding="utf-8"
    )
    child.expect_exact("terminal\r\n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert the(project, "session_ended").artifacts == ()


def test_an_agent_that_is_not_there(project: Repo) -> None:
    started(project)
    done = gitmem_process("run", "exec", "--as", "agent", "no-such-agent", at=project.path)
    assert done.code == 127
    assert types(project)[-1] == "handoff_written"


def test_options_of_tests_are_refused(project: Repo) -> None:
    done = gitmem_process("run", "exec", "--as", "agent", "--retries", "1", "true", at=project.path)
    assert done.code == 2


def test_outside_of_a_repository_the_agent_runs(tmp_path: Path) -> None:
    done = gitmem_process("run", "exec", "--as", "agent", "echo", "hi", at=tmp_path)
    assert (done.code, done.out) == (0, "hi\n")
