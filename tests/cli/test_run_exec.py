"""`gitmem run exec`: the command as if alone, and what stands in the run afterwards."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from gitmem.store.run_reading import LoadedRun
from tests.support.cli import Done, gitmem_process
from tests.support.repo import Repo

PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q")
LIKE_PYTEST = (
    "sh",
    "-c",
    (
        "if grep -q '1 == 2' tests/test_cart.py || grep -q '= 3' cart.py; then"
        "   printf 'FAILED tests/test_cart.py::test_total - assert 1 == 2\\n1 failed in 0.01s\\n'; exit 1;"
        " else echo '1 passed in 0.01s'; fi"
    ),
)
PASSES = "def test_total():\n    assert 1 == 1\n"
FAILS = "def test_total():\n    assert 1 == 2\n"


@pytest.fixture
def project(repo: Repo) -> Repo:
    """A repository with code, one test, and a current run."""
    repo.write(".gitignore", "__pycache__/\nreport.xml\n")
    repo.commit("first", {"cart.py": "TOTAL = 1\n", "tests/test_cart.py": PASSES})
    assert gitmem_process("run", "start", "cart", "--run", "run-1", at=repo.path).code == 0
    return repo


def run_exec(project: Repo, *words: str, **settings: Any) -> Done:
    return gitmem_process("run", "exec", *words, at=project.path, **settings)


def loaded(project: Repo) -> LoadedRun:
    with RunLedger.open(project.path) as ledger:
        return ledger.run("run-1").load()


def events(project: Repo) -> list[Event]:
    return [event for event in loaded(project).events if event.type != "task_created"]


def artifact(project: Repo, event: Event) -> bytes:
    with RunLedger.open(project.path) as ledger:
        held = ledger.run("run-1").artifact(event.artifacts[0], event=event)
    assert held is not None
    return held


def latest_failure(project: Repo) -> Any:
    with RunLedger.open(project.path) as ledger:
        held = ledger.run("run-1").file("latest-failure.json")
    return None if held is None else json.loads(held)


def test_a_passing_test_is_recorded(project: Repo) -> None:
    done = run_exec(project, "--", *PYTEST, "-vv")
    assert done.code == 0
    assert "1 passed" in done.out
    assert "gitmem: recorded #2 test_passed: 1 passed\n" in done.err
    (event,) = events(project)
    assert (event.type, event.actor) == ("test_passed", "test-runner")
    assert event.payload["tests"] == ["tests/test_cart.py::test_total"]
    assert event.payload["counts"] == {"passed": 1, "failed": 0}
    assert event.payload["artifact"] == "test-1.log"
    assert artifact(project, event).decode() == done.out.replace(str(project.path.parent), "~")
    assert loaded(project).snapshot.phase == "tested"
    assert latest_failure(project) is None


def test_a_failing_test_is_recorded_with_its_class_and_the_latest_failure(project: Repo) -> None:
    run_exec(project, "--", *LIKE_PYTEST)
    project.commit("break", {"tests/test_cart.py": FAILS, "cart.py": "TOTAL = 2\n"})
    project.write("tests/test_cart.py", PASSES)
    project.commit("only the code", {"tests/test_cart.py": "import cart\n" + FAILS})
    done = run_exec(project, "-q", "--", *LIKE_PYTEST)
    assert (done.code, done.err) == (1, "")
    event = events(project)[-1]
    assert event.type == "test_failed"
    assert event.payload["failing"] == ["tests/test_cart.py::test_total"]
    assert event.payload["failure_class"] == "verification_failure"
    assert "assert 1 == 2" in event.payload["log_tail"]
    failure = latest_failure(project)
    assert failure["failing"] == ["tests/test_cart.py::test_total"]
    assert failure["code"] == project.head()
    snapshot = loaded(project).snapshot
    assert (snapshot.phase, snapshot.last_failure and snapshot.last_failure.failure_class) == (
        "failed_test",
        "verification_failure",
    )


def test_uncommitted_changes_count(project: Repo) -> None:
    """First the code breaks the test, then nothing does, then passing clears it; nothing of it was committed."""
    run_exec(project, "--", *LIKE_PYTEST)
    project.write("cart.py", "TOTAL = 3\n")
    run_exec(project, "--", *LIKE_PYTEST)
    project.write("notes.md", "prose\n")
    project.write("cart.py", "TOTAL = 1\n")
    run_exec(project, "--", *LIKE_PYTEST)
    assert [(event.type, event.payload.get("failure_class")) for event in events(project)] == [
        ("test_passed", None),
        ("test_failed", "agent_failure"),
        ("test_passed", None),
    ]
    assert events(project)[1].payload["dirty_files"].keys() == {"cart.py"}
    assert latest_failure(project) is None


def test_what_never_passed_and_fails_on_untouched_code_is_no_flaky_test(project: Repo) -> None:
    for _ in range(2):
        run_exec(project, "--", "sh", "-c", "exit 1")
        assert events(project)[-1].payload["failure_class"] == "agent_failure"


def test_failing_without_any_change_is_flaky(project: Repo) -> None:
    script = "if test -e .git/seen; then exit 1; else : > .git/seen; fi"
    run_exec(project, "--", "sh", "-c", script)
    run_exec(project, "--", "sh", "-c", script)
    assert events(project)[-1].payload["failure_class"] == "flaky_blocker"


def test_passing_when_tried_again(project: Repo) -> None:
    script = "echo try; if test -e .git/seen; then exit 0; else : > .git/seen; exit 4; fi"
    done = run_exec(project, "--retries", "3", "--", "sh", "-c", script)
    assert (done.code, done.out) == (0, "try\ntry\n")
    failed, passed = events(project)
    assert (failed.payload["failure_class"], failed.payload["exit_code"]) == ("flaky_blocker", 4)
    assert (passed.type, passed.payload["attempts"]) == ("test_passed", 2)
    assert [event.payload["artifact"] for event in (failed, passed)] == ["test-1.log", "test-2.log"]
    snapshot = loaded(project).snapshot
    assert (snapshot.phase, snapshot.last_failure) == ("tested", None)


def test_failing_each_time(project: Repo) -> None:
    assert run_exec(project, "--retries", "2", "--", "sh", "-c", "echo x; exit 9").code == 9
    (event,) = events(project)
    assert (event.type, event.payload["attempts"], event.payload["exit_code"]) == ("test_failed", 3, 9)


def test_a_command_that_is_not_there_is_not_tried_again(project: Repo) -> None:
    done = run_exec(project, "--retries", "2", "--", "no-such-runner")
    assert done.code == 127
    assert "gitmem: no-such-runner: No such file or directory\n" in done.err
    (event,) = events(project)
    assert event.payload["failure_class"] == "environment_blocker"
    assert "attempts" not in event.payload
    assert event.artifacts == ()


def test_a_report_tells_the_tests(project: Repo) -> None:
    run_exec(project, "--", *PYTEST, "--junitxml=report.xml")
    (event,) = events(project)
    assert event.payload["tests"] == ["tests/test_cart.py::test_total"]


def test_an_old_report_is_not_read(project: Repo) -> None:
    old = '<testsuite><testcase name="old"/></testsuite>'
    os.utime(project.write("report.xml", old), (1, 1))
    run_exec(project, "--", "sh", "-c", "true")
    (event,) = events(project)
    assert "tests" not in event.payload


def test_a_report_that_cannot_be_read_is_said(project: Repo) -> None:
    done = run_exec(
        project,
        "--junit",
        "r.xml",
        "--junit",
        "none.xml",
        "--",
        "sh",
        "-c",
        "echo '<!DOCTYPE a><a/>' > r.xml",
    )
    assert done.code == 0
    assert "r.xml: a document type declaration is not read" in done.err
    assert "none.xml: No such file or directory" in done.err
    assert events(project)[-1].type == "test_passed"


@pytest.mark.parametrize("kind", ["build", "lint"])
def test_builds_and_linters_leave_the_state_alone(kind: str, project: Repo) -> None:
    before = loaded(project).snapshot
    script = "echo 'a.c:1:2: error: expected ;'; exit 1"
    run_exec(project, "--as", kind, "--", "sh", "-c", script)
    run_exec(project, "--as", kind, "--", "true")
    failed, passed = events(project)
    assert (failed.type, passed.type) == (f"{kind}_failed", f"{kind}_passed")
    assert failed.payload["errors"] == ["a.c:1:2: error: expected ;"]
    assert failed.payload["artifact"] == f"{kind}-1.log"
    after = loaded(project).snapshot
    assert (after.phase, after.last_test, after.last_failure) == (before.phase, None, None)
    assert latest_failure(project) is None


def test_secrets_are_masked_before_they_are_kept(project: Repo) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    done = run_exec(
        project, "--", "sh", "-c", f"echo {token}; exit 1", environment={"MY_TOKEN": "s3cr3t-v4lue-99"}
    )
    assert token in done.out
    assert "masked before writing" in done.err
    (event,) = events(project)
    assert token not in json.dumps(dict(event.payload))
    assert token.encode() not in artifact(project, event)
    assert token not in json.dumps(latest_failure(project))


def test_what_a_tail_begins_with_is_no_half_of_a_secret(project: Repo) -> None:
    line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDn"
    key = "\n".join(["-----BEGIN PRIVATE KEY-----", *[line] * 400])
    project.write("key.pem", key)
    run_exec(project, "--", "sh", "-c", "cat key.pem; exit 1")
    (event,) = events(project)
    assert line[:20] not in json.dumps(dict(event.payload)) + json.dumps(latest_failure(project))


def test_without_a_run_the_command_runs_all_the_same(repo: Repo) -> None:
    done = gitmem_process("run", "exec", "--", "sh", "-c", "echo hi; exit 5", at=repo.path)
    assert (done.code, done.out) == (5, "hi\n")
    assert done.err == "gitmem: nothing is recorded: no run is current\n"


def test_outside_of_a_repository_too(tmp_path: Path) -> None:
    done = gitmem_process("run", "exec", "cat", at=tmp_path, stdin=b"a\0b\xff")
    assert (done.code, done.out) == (0, "a\0b\udcff")
    assert done.err.startswith("gitmem: nothing is recorded: not a git repository")


def test_a_run_that_is_not_there_is_said(project: Repo) -> None:
    done = run_exec(project, "--run", "run-9", "--", "true")
    assert (done.code, done.err) == (0, "gitmem: nothing is recorded: no such run here: run-9\n")


def test_a_recording_that_fails_changes_nothing(project: Repo) -> None:
    """The command itself takes away what is recorded in: the refs become a file."""
    script = "rm -rf .git/refs/ai .git/packed-refs && : > .git/refs/ai; rm -f .git/gitmem/lock; mkdir .git/gitmem/lock; exit 6"
    done = run_exec(project, "--", "sh", "-c", script)
    assert done.code == 6
    assert done.err.startswith("gitmem: nothing was recorded: ")
    assert len(done.err.splitlines()) == 1


def test_options_behind_the_program_are_its_own(project: Repo) -> None:
    done = run_exec(project, "--json", "echo", "--json", "-q", "--as", "x")
    assert done.out == "--json -q --as x\n"
    document = json.loads(done.err)
    assert (document["run"], document["exit_code"]) == ("run-1", 0)
    assert document["events"][0]["type"] == "test_passed"


@pytest.mark.parametrize("words", [[], ["--retries", "-1", "true"], ["--as", "dance", "true"]])
def test_wrong_usage(words: list[str], project: Repo) -> None:
    assert run_exec(project, *words).code == 2
    assert events(project) == []


def test_an_agent_of_the_environment_is_named(project: Repo) -> None:
    environment = {"GITMEM_ACTOR": "claude-code", "GITMEM_SESSION": "s-1"}
    run_exec(project, "--", "true", environment=environment)
    (event,) = events(project)
    assert (event.actor, event.session) == ("claude-code", "s-1")


def test_the_log_is_text_without_colours(project: Repo) -> None:
    run_exec(project, "--", "printf", r"\033[31mred\033[0m\r\n한글")
    (event,) = events(project)
    assert artifact(project, event) == "red\n한글".encode()


def test_a_failure_is_told_without_the_secrets_that_its_output_holds(project: Repo) -> None:
    key = "AKIA" + "UJZDEGXDNCF32EPF"
    run_exec(project, "--", "sh", "-c", f"printf 'request failed\\n{key}\\n'; exit 1")

    told = latest_failure(project)

    assert key not in json.dumps(told)
    assert "[masked:aws_key]" in json.dumps(told)


@pytest.mark.parametrize("signal_name", ["INT", "PIPE", "TERM"])
def test_an_interrupted_command_is_no_test_result(project: Repo, signal_name: str) -> None:
    done = run_exec(project, "--", "sh", "-c", f"echo begun; kill -{signal_name} $$")

    (event,) = events(project)
    assert event.type == "test_interrupted"
    assert "failure_class" not in event.payload
    assert event.payload["log_tail"] == "begun"
    assert f"recorded #{event.seq} test_interrupted" in done.err
    assert loaded(project).snapshot.phase == "created"
    assert latest_failure(project) is None


def test_failing_each_time_on_untouched_code_that_passed_before_is_not_flaky(project: Repo) -> None:
    flag = project.path.parent / "flag"
    flag.touch()
    command = ("--retries", "1", "--", "sh", "-c", f"test -e {flag}")
    run_exec(project, *command)
    flag.unlink()
    run_exec(project, *command)

    assert events(project)[-1].payload["failure_class"] == "environment_blocker"
