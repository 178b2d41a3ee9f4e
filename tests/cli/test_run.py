"""`gitmem run …` as people and programs call it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import Done, gitmem, gitmem_process
from tests.support.repo import Repo, sealed_environment


@pytest.fixture
def at(repo: Repo) -> Path:
    """A repository with a current run."""
    assert gitmem("run", "start", "결제-중복", "--run", "run-1", at=repo.path).code == 0
    return repo.path


def run(at: Path, *words: str, stdin: str = "", **environment: str) -> Done:
    return gitmem("run", *words, at=at, stdin=stdin, environment=environment)


def last(at: Path) -> dict[str, object]:
    """The last event, as the log tells it."""
    event: dict[str, object] = run(at, "log", "--json").document["events"][-1]
    return event


@pytest.mark.parametrize(
    ("words", "event_type", "payload"),
    [
        (["note", "하나"], "finding_noted", {"finding": "하나"}),
        (["adopt", "a", "--reason", "b"], "approach_adopted", {"approach": "a", "reason": "b"}),
        (["reject", "a"], "approach_rejected", {"approach": "a"}),
        (["decide", "a", "--reason", "b"], "decision_recorded", {"decision": "a", "reason": "b"}),
        (["risk", "a"], "risk_noted", {"risk": "a"}),
        (["next", "a"], "next_step_set", {"next_step": "a"}),
        (["pause", "a"], "run_paused", {"reason": "a"}),
        (["resume"], "run_resumed", {}),
        (["resume", "a"], "run_resumed", {"reason": "a"}),
        (["ask", "a"], "waiting_human", {"question": "a"}),
        (["answer", "a"], "human_answered", {"answer": "a"}),
        (["note", "--", "-5 is no option"], "finding_noted", {"finding": "-5 is no option"}),
    ],
)
def test_short_forms(at: Path, words: list[str], event_type: str, payload: dict[str, str]) -> None:
    done = run(at, *words, "--json") if "--" not in words else run(at, "--json", *words)
    assert done.code == 0
    event = last(at)
    assert (event["type"], event["payload"], event["actor"]) == (event_type, payload, "human")
    assert done.document == {
        "run": "run-1",
        "id": event["id"],
        "seq": 2,
        "commit": event["commit"],
        "masked": {},
    }


def test_an_event_prints_its_number_and_id(at: Path) -> None:
    assert run(at, "note", "x").out == f"#2 {last(at)['id']}\n"


def test_a_text_from_standard_input_keeps_its_lines(at: Path) -> None:
    run(at, "note", "-", stdin="one\n둘\n\n")
    assert last(at)["payload"] == {"finding": "one\n둘"}
    for nothing in ("", "\n", " \n"):
        assert run(at, "note", "-", stdin=nothing).code == 2
    assert gitmem_process("run", "note", "-", at=at, stdin=b"\xff").err.startswith(
        "gitmem: error: standard input: not UTF-8 at byte 0"
    )


def test_a_risk_is_noted_and_cleared(at: Path) -> None:
    run(at, "risk", "deploys are not covered")
    assert run(at, "risk", "--clear", "deploys").code == 0
    assert run(at, "show", "--json").document["remaining_risks"] == []


def test_who_and_where_come_from_the_environment_or_from_options(at: Path) -> None:
    run(at, "note", "x", GITMEM_ACTOR="codex", GITMEM_SESSION="s-1")
    assert (last(at)["actor"], last(at)["session"]) == ("codex", "s-1")
    run(at, "note", "x", "--actor", "human", GITMEM_ACTOR="codex")
    assert last(at)["actor"] == "human"
    gitmem("run", "start", "other", at=at)
    run(at, "note", "there", GITMEM_RUN="run-1")
    assert run(at, "log", "run-1", "--json").document["events"][-1]["payload"] == {"finding": "there"}
    assert run(at, "show", "--json", GITMEM_RUN="run-1").document["run_id"] == "run-1"


def test_a_started_run_never_takes_the_id_of_the_one_in_the_environment(at: Path) -> None:
    made = run(at, "start", "other", "--json", GITMEM_RUN="run-1")
    assert made.code == 0
    assert made.document["run"] != "run-1"
    again = run(at, "start", "other", "--run", "run-1")
    assert (again.code, "there is a run run-1 already" in again.err) == (2, True)


def test_payloads_from_the_word_a_file_and_standard_input(at: Path, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"x": "file"}')
    for given, stdin in (('{"x": "word"}', ""), (f"@{tmp_path}/p.json", ""), ("-", '{"x": "stdin"}')):
        assert run(at, "event", "own_type", "--payload", given, stdin=stdin).code == 0
    events = run(at, "log", "--json").document["events"]
    assert [event["payload"].get("x") for event in events[1:]] == ["word", "file", "stdin"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["x", "--payload", '{"a":1,\n b}'], 2, "--payload:2:2: not readable as JSON"),
        (["x", "--payload", "[1]"], 2, "--payload: a list, not an object"),
        (["x", "--payload", '{"a":1,"a":2}'], 2, "'a' is given twice"),
        (["x", "--payload", '{"n": 1e400}'], 2, "1e400 is no number"),
        (["x", "--payload", '{"n": NaN}'], 2, "NaN is no number"),
        (["x", "--payload", '{"n": ' + "9" * 5000 + "}"], 2, "(5000 digits) is no number"),
        (["x", "--payload", '{"n": ' + "[" * 20_000 + "]" * 20_000 + "}"], 2, "nested too deeply"),
        (["test_failed", "--payload", '{"failing": "a"}'], 2, "failing must be a list of texts"),
        (["x", "--payload", "@nothing.json"], 3, "no such file: nothing.json"),
        (["x", "--payload", "@.git"], 3, ".git: Is a directory"),
        (["test failed"], 2, "not an event type: 'test failed'"),
        (["x", "--artifact", "nothing.log"], 3, "no such file: nothing.log"),
        (["x", "--artifact", "link"], 3, "link: a symbolic link"),
        (["x", "--artifact", ".git"], 3, ".git: a folder"),
        (["x", "--artifact", "../../../../../../../../../etc/passwd"], 3, "outside of the work tree"),
        (["x", "--artifact", ".git/config"], 3, "outside of the work tree"),
        (["x", "--artifact", "huge"], 3, "huge: 1073741824 bytes, over the limit"),
        (["x", "--id", "two words"], 2, "not an event id"),
        (["test_failed", "--payload", '{"exit_code": "one"}'], 2, "exit_code must be a number"),
        (["x", "--run", "run-9"], 3, "no such run here: run-9"),
        (["x", "--run", "Not A Run"], 2, "not a run id"),
        (["x", "--actor", " "], 2, "not an actor"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_written(
    at: Path, words: list[str], code: int, message: str
) -> None:
    (at / "link").symlink_to("nowhere")
    with (at / "huge").open("wb") as stream:
        stream.truncate(1 << 30)
    before = len(list((at / ".git" / "objects").rglob("*")))
    done = run(at, "event", *words, "--json")
    assert (done.code, message in done.document["error"]["message"]) == (code, True), done
    assert done.err.startswith("gitmem: error: ")
    assert done.document["error"]["hint"]
    assert len(run(at, "log", "--json").document["events"]) == 1
    assert len(list((at / ".git" / "objects").rglob("*"))) == before


def test_wrong_json_has_line_and_column_as_data(at: Path) -> None:
    error = run(at, "event", "x", "--payload", '{\n"a"}', "--json").document["error"]
    assert (error["kind"], error["line"], error["column"]) == ("usage", 2, 4)


def test_a_type_that_is_nearly_known_is_kept_with_a_hint(at: Path) -> None:
    done = run(at, "event", "test_faild")
    assert (done.code, "test_failed is one" in done.err) == (0, True)
    assert run(at, "event", "test_faild", "-q").err == ""


def test_artifacts_stand_where_plain_git_finds_them(at: Path, repo: Repo) -> None:
    (at / "build.log").write_text("the log\n")
    run(at, "event", "test_failed", "--artifact", f"{at}/build.log")
    assert last(at)["artifacts"] == ["build.log"]
    assert repo.git("show", "AI_RUN:artifacts/build.log") == "the log"


def test_what_was_masked_is_said(at: Path) -> None:
    token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    done = run(at, "note", f"the token is {token}")
    assert "masked before writing: 1 × github_token" in done.err
    assert token not in run(at, "log", "-v").out
    assert last(at)["masked"] == {"github_token": 1}


@pytest.mark.parametrize(
    "words",
    [
        ["note", "x"],
        ["event", "x"],
        ["show"],
        ["log"],
        ["end"],
        ["risk", "--clear", "x"],
        ["log", "--follow"],
    ],
)
def test_no_current_run_says_how_to_get_one(repo: Repo, words: list[str]) -> None:
    done = gitmem("run", *words, at=repo.path)
    assert (done.code, done.err.splitlines()[0]) == (3, "gitmem: error: no run is current")
    assert "gitmem run start" in done.err


def test_log_and_show_for_people(at: Path) -> None:
    run(at, "reject", "disable the button", "--reason", "too late")
    assert run(at, "log").out == (
        "#1  just now  human  task_created       결제-중복\n"
        "#2  just now  human  approach_rejected  disable the button – too late\n"
    )
    shown = run(at, "show").out
    assert shown.startswith("run-1  결제-중복\nphase     created\n")
    assert shown.endswith("git log --glob='refs/ai/runs/run-1'\n")


def test_the_git_line_of_show_works(at: Path, repo: Repo) -> None:
    line = run(at, "show", "--json").document["git_log"]
    done = subprocess.run(
        line, shell=True, cwd=at, env=repo.environment, capture_output=True, text=True, check=True
    )
    assert "#1 task_created: 결제-중복" in done.stdout


def test_show_as_of_an_event(at: Path) -> None:
    run(at, "event", "plan_approved")
    assert run(at, "show", "--at", "1", "--json").document["phase"] == "created"
    wrong = run(at, "show", "--at", "9")
    assert (wrong.code, "its events are #1 to #2" in wrong.err) == (3, True)


def test_switch_and_fork_say_where_to_go_on(at: Path) -> None:
    run(at, "event", "plan_approved")
    run(at, "next", "send the key")
    forked = run(at, "fork", "run-1", "--at", "2", "--json").document
    assert forked["checkpoint"] == {
        "seq": 2,
        "step": "plan",
        "commit": None,
        "dirty": None,
        "followed_by": None,
    }
    assert (forked["next_step"], forked["ref"].startswith(f"refs/ai/runs/{forked['run']}/")) == (None, True)
    there = run(at, "switch", "run-1")
    assert there.out == ("run-1  결제-중복  implementing\nresume at #2 plan\nnext      send the key\n")
    assert run(at, "switch", "run-1", "--json").document["next_step"] == "send the key"
    assert run(at, "fork", "run-1", "--at", "99").code == 3
    assert run(at, "switch", "inbox").code == 2


def test_end_list_and_resume(at: Path) -> None:
    assert run(at, "end", "--used", "m-021", "--json").document == {
        "run": "run-1",
        "outcome": "completed",
        "memory_candidates": [],
    }
    assert run(at, "end").code == 3
    gitmem("run", "start", "other", "--run", "run-2", at=at)
    listed = run(at, "list")
    assert ("run-1" in listed.out, listed.err) == (False, "1 ended not shown: --all shows it\n")
    document = run(at, "list", "--all", "--json").document
    assert [(one["run"], one["phase"]) for one in document["runs"]] == [
        ("run-2", "created"),
        ("run-1", "completed"),
    ]
    late = run(at, "note", "late", "--run", "run-1")
    assert "run-1 has ended (completed): gitmem run resume opens it again" in late.err
    assert run(at, "resume", "--run", "run-1").err == ""
    assert {one["run"] for one in run(at, "list", "--json").document["runs"]} == {"run-1", "run-2"}


def test_failures_across_runs(at: Path) -> None:
    for name in ("run-2", "run-3"):
        run(at, "start", "t", "--run", name)
        run(at, "event", "test_failed", "--payload", '{"command": "pytest", "failing": ["t::a"]}')
    (failure,) = run(at, "list", "--failures", "--json").document["failures"]
    assert failure.keys() == {"signature", "count", "runs", "last_at", "example"}
    assert (failure["signature"], failure["runs"]) == ("pytest | t::a", ["run-2", "run-3"])
    assert run(at, "list", "--failures").out.startswith("2 × in 2 runs, last just now: pytest | t::a\n")
    assert run(at, "list", "--failures", "--all").code == 2


def test_status_tells_where_the_work_stands(at: Path) -> None:
    run(at, "next", "send the key")
    run(at, "ask", "may I?")
    told = gitmem("status", at=at).out
    assert told.startswith("run       run-1  결제-중복  waiting_human, 3 events, last just now\n")
    assert "waits for a person: may I? (gitmem run answer TEXT)" in told
    document = gitmem("status", "--json", at=at).document
    assert (document["run"]["next_step"], document["runs_open"]) == ("send the key", 1)
    run(at, "end")
    assert "it has ended: gitmem run start TASK begins another" in gitmem("status", at=at).out


def test_status_without_any_run(repo: Repo) -> None:
    assert gitmem("status", at=repo.path).out.startswith(
        "run       none is current: gitmem run start TASK begins one\n"
    )


def test_without_any_identity_events_are_written_all_the_same(at: Path) -> None:
    environment = {
        name: value
        for name, value in sealed_environment(at.parent).items()
        if not name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")) and name != "HOME"
    }
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", "run", "note", "x"],
        cwd=at, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout[:2]) == (0, "#2")


def test_in_a_subfolder_a_bare_repository_and_a_linked_work_tree(tmp_path: Path, repo: Repo) -> None:
    repo.commit("first", {"a/b": "1"})
    repo.git("worktree", "add", "-q", "../linked")
    bare = Repo(tmp_path / "bare", bare=True)
    for folder in (repo.path / "a", bare.path, tmp_path / "linked"):
        assert gitmem("run", "start", "t", at=folder).code == 0
        assert gitmem("run", "note", "x", at=folder).out.startswith("#2 ")
    assert len(gitmem("run", "list", "--json", at=repo.path).document["runs"]) == 2


def test_following_prints_what_comes_and_ends_when_interrupted(at: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gitmem", "run", "log", "--follow", "--json"],
        cwd=at, env=sealed_environment(at.parent), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdout is not None
    assert json.loads(child.stdout.readline())["type"] == "task_created"
    run(at, "note", "while you look")
    assert json.loads(child.stdout.readline())["payload"] == {"finding": "while you look"}
    os.kill(child.pid, signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (130, b"gitmem: interrupted\n")


def test_following_ends_with_the_run(at: Path) -> None:
    assert run(at, "end").code == 0
    done = run(at, "log", "--follow", "--json")
    assert (done.code, [json.loads(line)["type"] for line in done.out.splitlines()]) == (
        0,
        ["task_created", "completed", "handoff_written"],
    )


def test_wrong_json_is_a_wrong_argument_wherever_it_came_from(at: Path, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text("{")
    for given in ("{", f"@{tmp_path}/p.json", "-"):
        done = run(at, "event", "x", "--payload", given, stdin="{")
        assert (done.code, "hint: " in done.err) == (2, True)


def test_a_mark_of_byte_order_before_json_is_passed_over(at: Path) -> None:
    assert run(at, "event", "x", "--payload", "-", stdin='\ufeff{"n": 1}').code == 0
    assert run(at, "log", "--json").document["events"][-1]["payload"] == {"n": 1}


@pytest.mark.parametrize("glob", ["/etc/**", "../x", "[", ""])
def test_a_glob_of_allowed_files_that_can_mean_none_is_refused(at: Path, glob: str) -> None:
    done = run(at, "start", "other", "--allow", "src/**", "--allow", glob)
    assert (done.code, "--allow: " in done.err, "hint: " in done.err) == (2, True, True)
    assert len(run(at, "list", "--all", "--json").document["runs"]) == 1


@pytest.mark.parametrize("folder", ["../exported", "./exported"])
def test_a_lone_word_with_a_slash_is_the_folder_of_an_export(at: Path, folder: str) -> None:
    assert run(at, "export", folder).code == 0
    assert (at / folder / "ledger.json").exists()


def test_numbers_of_one_are_told_as_one(at: Path) -> None:
    assert run(at, "verify").out == "1 event in 1 run checked: nothing wrong\n"
    assert ", 1 event, last" in gitmem("status", at=at).out


def test_clearing_where_no_risk_is_open_says_so(at: Path) -> None:
    done = run(at, "risk", "--clear", "nosuch")
    assert "no risk is open" in done.err


def test_an_import_tells_what_was_not_saved_and_what_cannot_be_read(at: Path, tmp_path: Path) -> None:
    row = {"seq": 1, "type": "plan_approved", "at": "2026-07-13T09:28:00+09:00", "actor": "human"}
    (tmp_path / "task").mkdir()
    file = tmp_path / "task" / "ledger.json"
    file.write_text(
        json.dumps({"version": 1, "run": "run-2", "events": [{**row, "artifacts": ["gone.txt"]}]})
    )
    done = run(at, "import", str(file))
    assert (done.code, done.out) == (0, "run-2\n")
    assert "run-2: artifact gone.txt was only named, not saved: no such file" in done.err
    told = run(at, "import", str(file), "--json").document
    assert told["not_saved"] == [{"run": "run-2", "name": "gone.txt", "reason": "no such file"}]
    assert "not saved gone.txt" in run(at, "log", "run-2", "-v").out
    (tmp_path / "task" / "history.bundle").write_text("garbage")
    refused = run(at, "import", str(file))
    assert (refused.code, "history.bundle: no git bundle" in refused.err) == (3, True)
    assert "hint: export the run again" in refused.err


@pytest.mark.parametrize(
    ("kind", "payload", "said"),
    [
        ("test_failed", '{"exitcode": 1}', "did you mean exit_code?"),
        ("finding_noted", '{"text": "결제가 두 번 된다"}', "a type of your own takes any field"),
        ("next_step_set", "{}", "next_step is missing or empty"),
        ("approach_rejected", '{"approach": " "}', "approach is missing or empty"),
    ],
)
def test_an_event_of_a_known_type_is_held_to_its_fields(
    repo: Repo, kind: str, payload: str, said: str
) -> None:
    gitmem("run", "start", "wallet", at=repo.path)
    done = gitmem("run", "event", kind, "--payload", payload, at=repo.path)
    assert (done.code, said in done.err) == (2, True)
    assert gitmem("run", "event", f"our_{kind}", "--payload", '{"any": 1}', at=repo.path).code == 0
