"""Agents' hooks in real repositories: what an agent is told, what is recorded, and that nothing ever fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Timer
from typing import Any
from unittest.mock import patch

import pytest

from gitmem.agents import hook
from gitmem.model.event import Event
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.starting import start_run
from tests.support.cli import Done, gitmem_process
from tests.support.memories import memory, path_of
from tests.support.other_user import as_other_user
from tests.support.repo import Repo

PAY = memory(
    "pay-retry",
    "A failed payment is retried three times",
    scope="{paths: [src/pay/**], does_not_apply_to: [none]}",
)
SIGN = memory(
    "sign-header",
    "서명 전에 `X-Sign` 헤더를 지운다",
    scope="{paths: [src/gate/**], does_not_apply_to: [none]}",
)
FAILED = "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed in 0.10s"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    repo = Repo(tmp_path_factory.mktemp("made") / "repo")
    repo.commit("Start", {path_of("pay-retry"): PAY, path_of("sign-header"): SIGN, "src/pay/a.py": "x = 1\n"})
    repo.git("checkout", "-q", "-b", "feature/결제")
    return repo.path


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Repo:
    shutil.copytree(made, tmp_path / "repo")
    return Repo(tmp_path / "repo", init=False)


def call(repo: Repo, name: str, environment: Mapping[str, str] | None = None, **event: Any) -> dict[str, Any]:
    """One call of the hook; what it answered."""
    written: list[bytes] = []
    data = json.dumps({"session_id": "s-1", "cwd": str(repo.path), **event}).encode()
    with (
        patch.dict(os.environ, {**repo.environment, **(environment or {})}, clear=True),
        patch.multiple(hook, _input=lambda _: data, _write=written.append),
    ):
        assert hook.main([name]) == 0
    log = repo.path / ".git/gitmem/hook.log"
    assert not log.exists(), log.read_text()
    return json.loads(b"".join(written)) if written else {}


def start(repo: Repo, name: str = "claude-code", source: str = "startup", **more: Any) -> str:
    answer = call(repo, name, hook_event_name="SessionStart", source=source, **more)
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def ask(repo: Repo, prompt: str, name: str = "claude-code") -> str:
    event = "BeforeAgent" if name == "gemini" else "UserPromptSubmit"
    answer = call(repo, name, hook_event_name=event, prompt=prompt)
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def ran(repo: Repo, command: str, response: Any, name: str = "codex", **more: Any) -> dict[str, Any]:
    event = "AfterTool" if name == "gemini" else "PostToolUse"
    tool = "run_shell_command" if name == "gemini" else "Bash"
    given = {"tool_name": tool, "tool_input": {"command": command}, "tool_response": response}
    return call(repo, name, hook_event_name=event, **given, **more)


def end(repo: Repo, name: str = "claude-code", **more: Any) -> None:
    assert call(repo, name, hook_event_name="SessionEnd", reason="other", **more) == {}


def events(repo: Repo) -> list[Event]:
    with RunLedger.open(repo.path) as ledger:
        run = ledger.current()
        assert run is not None
        return list(run.events())


def types(repo: Repo) -> list[str]:
    return [event.type for event in events(repo)]


def test_a_session_is_opened_for_the_branch_and_its_brief_comes_first(project: Repo) -> None:
    text = start(project, model="opus")
    assert text.startswith("# gitmem brief")
    assert "feature/결제" in text
    assert "`s-1`" in text
    begun, opened = events(project)
    assert (begun.type, begun.payload["task"], begun.actor) == ("task_created", "feature/결제", "claude-code")
    assert (opened.type, opened.session) == ("session_started", "s-1")
    assert opened.payload == {"session": "s-1", "agent": "claude-code", "model": "opus"}


@pytest.mark.parametrize("auto", ["on", "off"])
def test_a_session_where_nothing_is_known_is_told_nothing(repo: Repo, auto: str) -> None:
    repo.commit("Start", {"a.py": "x = 1\n"})
    repo.git("config", "gitmem.autoRun", auto)
    assert call(repo, "claude-code", hook_event_name="SessionStart", source="startup") == {}
    told = call(repo, "cursor", hook_event_name="sessionStart", session_id="s-2", source="startup")
    assert told["additional_context"] == ""
    assert told["env"]["GITMEM_SESSION"]


def test_without_auto_run_nothing_is_begun(project: Repo) -> None:
    project.git("config", "gitmem.autoRun", "off")
    assert "No run is current" in start(project)
    end(project)
    assert not project.git("for-each-ref", "refs/ai")


@pytest.mark.parametrize(
    ("name", "event", "place"),
    [
        ("claude-code", {"hook_event_name": "SessionStart"}, ("hookSpecificOutput", "additionalContext")),
        ("codex", {"hook_event_name": "SessionStart"}, ("hookSpecificOutput", "additionalContext")),
        ("gemini", {"hook_event_name": "SessionStart"}, ("hookSpecificOutput", "additionalContext")),
        ("cursor", {"hook_event_name": "sessionStart"}, ("additional_context",)),
        ("copilot", {"sessionId": "s-1", "source": "new"}, ("additionalContext",)),
        ("claude-code", {"hook_event_name": "SessionStart", "source": "new"}, ("additionalContext",)),
    ],
)
def test_each_agent_is_answered_in_its_own_form(
    project: Repo, name: str, event: dict[str, Any], place: tuple[str, ...]
) -> None:
    answer: Any = call(project, name, **{"source": "startup", **event})
    allowed = {"cursor": {"additional_context", "env"}}.get(name, {place[0]})
    assert set(answer) == allowed
    if place[0] == "hookSpecificOutput":
        assert set(answer[place[0]]) == {"hookEventName", "additionalContext"}
    for key in place:
        answer = answer[key]
    assert answer.startswith("# gitmem brief")


def test_a_brief_stays_within_its_bytes_whatever_the_run_holds(project: Repo) -> None:
    with RunLedger.open(project.path) as ledger:
        run, _ = start_run(ledger, "long", actor="human", goal="결제 재시도 " * 300)
        for number in range(60):
            payload = {"approach": f"접근 {number} " * 40, "reason": "되지 않는다 " * 40}
            run.append(event_type="approach_rejected", actor="human", payload=payload)
    text = start(project)
    assert 4_000 < len(text.encode()) <= 9_000
    assert text.rstrip().endswith("`(memory: ID)`.")


def test_memories_for_what_is_touched_come_with_the_brief_and_are_recorded(project: Repo) -> None:
    project.write("src/pay/a.py", "x = 2\n")
    assert "(id: `pay-retry`)" in start(project)
    delivered = events(project)[-1]
    assert (delivered.type, delivered.session, delivered.payload) == (
        "memory_delivered",
        "s-1",
        {"ids": ["pay-retry"]},
    )


def test_an_agent_that_knows_the_prompt_at_the_start_gets_what_bears_on_it_then(project: Repo) -> None:
    text = call(
        project, "copilot", sessionId="s-1", source="new", initialPrompt="what becomes of a failed payment?"
    )
    assert "(id: `pay-retry`)" in text["additionalContext"]
    assert "sign-header" not in text["additionalContext"]


def test_a_prompt_is_answered_by_what_is_new_and_bears_on_it_once(project: Repo) -> None:
    start(project)
    assert ask(project, "go on") == ""
    text = ask(project, "what becomes of a failed payment?")
    assert "(id: `pay-retry`)" in text
    assert "sign-header" not in text
    assert ask(project, "and of the failed payment then?") == ""
    assert "(id: `sign-header`)" in ask(project, "서명 헤더를 어디서 지우지?")
    assert len([one for one in types(project) if one == "memory_delivered"]) == 2
    assert all("query" not in event.payload for event in events(project)), "what a user says is not kept"


def test_a_path_named_in_a_prompt_is_touched(project: Repo) -> None:
    start(project)
    assert "(id: `pay-retry`)" in ask(project, "open src/pay/a.py, ../../etc/passwd")


def test_after_compaction_the_brief_and_the_memories_come_again(project: Repo) -> None:
    start(project)
    ask(project, "what becomes of a failed payment?")
    assert call(project, "claude-code", hook_event_name="PreCompact", trigger="auto") == {}
    assert start(project, source="compact").startswith("# gitmem brief")
    assert "(id: `pay-retry`)" in ask(project, "a failed payment, again")
    with RunLedger.open(project.path) as ledger:
        assert all(ledger.verify(run).ok for run in ledger.runs())
    kinds = types(project)
    assert kinds.count("session_started") == 1
    assert kinds.count("handoff_written") == 1


def test_an_agent_that_starts_nothing_after_compaction_gets_its_brief_with_the_next_prompt(
    project: Repo,
) -> None:
    start(project, "gemini")
    call(project, "gemini", hook_event_name="PreCompress", trigger="manual")
    assert ask(project, "go on", "gemini").startswith("# gitmem brief")
    assert ask(project, "go on then", "gemini") == ""


@pytest.mark.parametrize(
    ("name", "compacts", "tool"),
    [
        ("copilot", {"trigger": "auto"}, {"toolName": "view", "toolArgs": {"path": "a"}, "toolResult": {"resultType": "success"}}),
        ("copilot", {"trigger": "auto"}, {"toolName": "bash", "toolArgs": {"command": "ls"}, "toolResult": {"resultType": "success"}}),
        ("cursor", {"hook_event_name": "preCompact", "trigger": "auto"}, {"hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": {"command": "ls"}, "tool_output": "{}"}),
    ],
    ids=["copilot, any tool", "copilot, a command", "cursor, a command"],
)  # fmt: skip
def test_where_nothing_starts_after_compaction_the_next_tool_brings_the_brief_each_time(
    project: Repo, name: str, compacts: dict[str, Any], tool: dict[str, Any]
) -> None:
    key = "session_id" if name == "cursor" else "sessionId"
    begins: dict[str, Any] = {"hook_event_name": "sessionStart"} if name == "cursor" else {"source": "new"}
    assert call(project, name, **{key: "s-1", **begins})
    assert call(project, name, **{key: "s-1", **tool}) == {}
    for _ in range(2):
        assert call(project, name, **{key: "s-1", **compacts}) == {}
        answer = call(project, name, **{key: "s-1", **tool})
        assert next(iter(answer.values())).startswith("# gitmem brief")
        assert call(project, name, **{key: "s-1", **tool}) == {}


SOURCES = {
    "claude-code": ("startup", "resume", "clear", "compact", "fork"),
    "codex": ("startup", "resume", "clear", "compact"),
    "gemini": ("startup", "resume", "clear"),
    "copilot": ("new", "resume"),
}


@pytest.mark.parametrize("name", SOURCES)
def test_each_reason_to_start_brings_the_brief_and_the_same_one_told_twice_does_not(
    project: Repo, name: str
) -> None:
    for source in SOURCES[name]:
        told: dict[str, Any] = {"sessionId": "s-1"}
        if name != "copilot":
            told = {"hook_event_name": "SessionStart"}
        assert call(project, name, source=source, **told)
        assert call(project, name, source=source, **told) == {}


def test_a_session_that_is_resumed_again_and_again_is_briefed_and_ended_each_time(project: Repo) -> None:
    for source in ("new", "resume", "resume"):
        assert call(project, "copilot", sessionId="s-1", source=source)
        assert call(project, "copilot", sessionId="s-1", reason="complete") == {}
    assert types(project).count("session_started") == types(project).count("session_ended") == 3


def test_what_an_agent_writes_into_its_record_while_its_last_hook_runs_is_read(
    project: Repo, tmp_path: Path
) -> None:
    record, at = tmp_path / "events.jsonl", 1796099236465
    record.write_text('{"type": "user.message", "data": {"content": "how?"}}\n')
    late = [
        {"type": "assistant.message", "data": {"content": "Three times (memory: pay-retry)."}},
        {"type": "hook.start", "data": {"hookType": "sessionEnd", "input": {"timestamp": at}}},
    ]
    call(project, "copilot", sessionId="s-1", source="new")
    call(project, "copilot", sessionId="s-1", stopReason="end_turn", transcriptPath=str(record))
    writer = Timer(0.1, lambda: _append(record, late))
    writer.start()
    call(project, "copilot", sessionId="s-1", reason="complete", timestamp=at)
    writer.join()
    assert events(project)[-2].payload["used_memories"] == ["pay-retry"]


@pytest.mark.parametrize("kind", ["a pipe", "a device", "nothing"])
def test_a_record_that_is_no_file_keeps_no_session_from_ending(
    project: Repo, tmp_path: Path, kind: str
) -> None:
    record = Path("/dev/zero") if kind == "a device" else tmp_path / "record"
    if kind == "a pipe":
        os.mkfifo(record)
    call(project, "copilot", sessionId="s-1", source="new")
    call(project, "copilot", sessionId="s-1", stopReason="end_turn", transcriptPath=str(record))
    call(project, "copilot", sessionId="s-1", reason="complete", timestamp="\ud800 odd")
    assert "session_ended" in types(project)


def _append(record: Path, lines: Iterable[dict[str, Any]]) -> None:
    with record.open("a") as stream:
        stream.write("".join(f"{json.dumps(one)}\n" for one in lines))


def test_two_hooks_that_name_one_start_differently_bring_one_brief(project: Repo) -> None:
    assert call(project, "copilot", sessionId="s-1", source="startup")
    again = call(project, "claude-code", hook_event_name="SessionStart", source="new", timestamp="2026-01-01")
    assert again == {}


def test_a_failed_test_is_recorded_with_what_failed(project: Repo) -> None:
    start(project)
    call(
        project,
        "claude-code",
        hook_event_name="PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "cd src && python -m pytest -q 2>&1"},
        error=f"Exit code 1\n{FAILED}",
        duration_ms=1500,
        tool_use_id="t-1",
    )
    event = events(project)[-1]
    assert (event.type, event.session, event.actor) == ("test_failed", "s-1", "test-runner")
    told = {
        name: event.payload[name]
        for name in ("command", "exit_code", "duration_s", "failing", "failure_class")
    }
    assert told == {
        "command": "python -m pytest -q",
        "exit_code": 1,
        "duration_s": 1.5,
        "failing": ["tests/test_a.py::test_x"],
        "failure_class": "agent_failure",
    }
    assert project.git("show", "AI_RUN:artifacts/test-1.log") == FAILED
    assert json.loads(project.git("show", "AI_RUN:latest-failure.json"))["failing"] == [
        "tests/test_a.py::test_x"
    ]


@pytest.mark.parametrize(
    ("command", "output", "kind"),
    [
        ("pytest", "5 passed in 0.10s", "test_passed"),
        ("pytest | tail -3", FAILED, "test_failed"),
        ("cargo test | cat", "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured", "test_passed"),
        ("pytest", "collected", ""),
        ("cargo build", "Finished", ""),
        ("pytest; ls", "a b c", ""),
    ],
)
def test_without_an_exit_code_the_tool_s_own_summary_tells_or_nothing_does(
    project: Repo, command: str, output: str, kind: str
) -> None:
    ran(project, command, output)
    told = [event for event in events(project) if event.type.startswith(("test", "build"))]
    assert [event.type for event in told] == ([kind] if kind else [])
    assert all("exit_code" not in event.payload for event in told)


def test_a_build_and_a_test_of_gemini_are_told_by_the_exit_code(project: Repo) -> None:
    start(project, "gemini")
    ran(project, "make", {"llmContent": "Output: no rule\nExit Code: 2"}, "gemini")
    assert (types(project)[-1], events(project)[-1].payload["exit_code"]) == ("build_failed", 2)


def test_a_result_opens_the_session_where_its_start_was_missed(project: Repo) -> None:
    ran(project, "pytest", "5 passed in 0.10s")
    assert types(project) == ["task_created", "session_started", "test_passed"]


@pytest.mark.parametrize("name", ["gemini", "codex", "claude-code"])
def test_a_command_that_goes_otherwise_a_moment_later_is_another_result(project: Repo, name: str) -> None:
    start(project, name)
    for output, code in (("5 passed in 0.10s", 0), ("5 passed in 0.10s", 0), (FAILED, 1)):
        told = f"Output: {output}" + (f"\nExit Code: {code}" if code else "")
        response: Any = {"llmContent": told, "returnDisplay": output} if name == "gemini" else output
        ran(project, "pytest | cat", response, name)
    assert [one for one in types(project) if one.startswith("test")] == ["test_passed", "test_failed"]


def test_the_two_hooks_of_one_agent_tell_each_outcome_once(project: Repo) -> None:
    cursor = {"CURSOR_VERSION": "3.20.17"}
    for code in (0, 1):
        for name, event in (("cursor", "postToolUse"), ("claude-code", "PostToolUse")):
            given = {"tool_name": "Shell", "tool_input": {"command": "pytest"}, "tool_use_id": name}
            output = json.dumps({"exitCode": code, "stdout": ""})
            call(project, name, cursor, hook_event_name=event, tool_output=output, **given)
    assert [one for one in types(project) if one.startswith("test")] == ["test_passed", "test_failed"]


def test_secrets_in_output_and_command_are_masked(project: Repo) -> None:
    token = "ghp_" + "a1B2" * 9
    ran(project, f"pytest --token {token}", f"{token}\n5 passed in 0.10s")
    shown = project.git("log", "-p", "--glob=refs/ai/runs", "--format=%B")
    assert "5 passed" in shown
    assert token not in shown


def transcript(folder: Path, *lines: Any) -> str:
    file = folder / "transcript.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return str(file)


def test_what_the_agent_itself_cited_is_what_it_used(project: Repo, tmp_path: Path) -> None:
    start(project)
    shown = {"type": "user", "message": {"role": "user", "content": "(memory: sign-header)"}}
    text = {"type": "text", "text": "Kept (memory: pay-retry, m-999)."}
    said = {"type": "assistant", "message": {"role": "assistant", "content": [text]}}
    end(project, transcript_path=transcript(tmp_path, shown, said))
    ended, handoff = events(project)[-2:]
    assert (ended.type, ended.payload["used_memories"]) == ("session_ended", ["pay-retry"])
    assert handoff.type == "handoff_written"


def test_a_transcript_that_was_named_before_the_end_is_read(project: Repo, tmp_path: Path) -> None:
    said = {"type": "assistant.message", "data": {"content": "Kept (memory: pay-retry)"}}
    call(project, "copilot", sessionId="s-1", source="new")
    call(
        project, "copilot", sessionId="s-1", stopReason="end_turn", transcriptPath=transcript(tmp_path, said)
    )
    call(project, "copilot", sessionId="s-1", reason="complete")
    assert events(project)[-2].payload["used_memories"] == ["pay-retry"]


def test_a_session_goes_over_to_another_run(project: Repo) -> None:
    start(project)
    with RunLedger.open(project.path) as ledger:
        start_run(ledger, "other", actor="human", run="run-2")
    ran(project, "pytest", "5 passed in 0.10s")
    end(project)
    assert types(project) == [
        "task_created",
        "session_started",
        "test_passed",
        "session_ended",
        "handoff_written",
    ]
    with RunLedger.open(project.path) as ledger:
        states = [ledger.run(run).snapshot() for run in ledger.runs()]
    assert [one.ended_seq is None for state in states for one in state.sessions] == [False, False]


def test_the_end_of_a_session_that_never_began_writes_nothing(project: Repo) -> None:
    end(project)
    assert not project.git("for-each-ref", "refs/ai")


def test_a_session_that_goes_on_is_opened_again(project: Repo) -> None:
    start(project)
    end(project)
    start(project, source="resume")
    assert types(project)[1:] == ["session_started", "session_ended", "handoff_written", "session_started"]


def test_a_run_that_ended_meanwhile_is_not_opened_again(project: Repo) -> None:
    start(project)
    assert gitmem_process("run", "end", at=project.path).code == 0
    end(project)
    assert types(project)[-2:] == ["handoff_written", "session_ended"]


def test_an_agent_that_runs_the_hooks_of_another_is_answered_once(project: Repo) -> None:
    cursor = {"CURSOR_VERSION": "3.20.17"}
    first = call(project, "cursor", cursor, hook_event_name="sessionStart", conversation_id="s-1")
    again = call(project, "claude-code", cursor, hook_event_name="SessionStart", source="startup")
    assert (bool(first), again) == (True, {})
    for name, event in (("cursor", "postToolUse"), ("claude-code", "PostToolUse")):
        given = {
            "tool_name": "Shell",
            "tool_input": {"command": "pytest"},
            "tool_output": '{"exitCode": 0, "stdout": ""}',
        }
        call(project, name, cursor, hook_event_name=event, tool_use_id=name, **given)
    assert types(project) == ["task_created", "session_started", "test_passed"]
    assert {event.actor for event in events(project)} == {"cursor", "test-runner"}


def test_within_run_exec_the_session_is_the_one_around_it(project: Repo) -> None:
    with RunLedger.open(project.path) as ledger:
        run, _ = start_run(ledger, "task", actor="human", run="run-1")
        opened = {"session": "outer", "agent": "claude-code"}
        run.append(event_type="session_started", actor="claude-code", session="outer", payload=opened)
    around = {"GITMEM_RUN": "run-1", "GITMEM_SESSION": "outer", "GITMEM_CONTEXT": "/x"}
    answer = call(project, "claude-code", around, hook_event_name="SessionStart", source="startup")
    assert "`outer`" in answer["hookSpecificOutput"]["additionalContext"]
    call(project, "claude-code", around, hook_event_name="SessionEnd", reason="other")
    assert types(project) == ["task_created", "session_started"]


def test_a_run_of_the_environment_that_is_not_here_is_passed_over(project: Repo) -> None:
    answer = call(
        project, "codex", {"GITMEM_RUN": "no such"}, hook_event_name="SessionStart", source="startup"
    )
    assert answer["hookSpecificOutput"]["additionalContext"].startswith("# gitmem brief")


def test_commands_of_a_claude_code_session_know_it(project: Repo, tmp_path: Path) -> None:
    file = tmp_path / "env"
    call(
        project,
        "claude-code",
        {"CLAUDE_ENV_FILE": str(file)},
        hook_event_name="SessionStart",
        source="startup",
    )
    assert file.read_text() == "export GITMEM_SESSION='s-1'\nexport GITMEM_ACTOR='claude-code'\n"


def test_a_linked_work_tree_and_a_folder_below_are_found(project: Repo, tmp_path: Path) -> None:
    project.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    linked = Repo(tmp_path / "other", init=False)
    below = linked.write("a/b/c", "x").parent
    text = str(call(project, "claude-code", hook_event_name="SessionStart", source="startup", cwd=str(below)))
    assert "task `other`" in text
    assert (project.path / ".git/worktrees/other/gitmem/sessions").is_dir()


def test_an_event_from_elsewhere_goes_to_where_the_session_began(project: Repo, tmp_path: Path) -> None:
    start(project)
    other = Repo(tmp_path / "other")
    environment = {"CLAUDE_PROJECT_DIR": str(project.path)}
    given = {
        "tool_name": "Bash",
        "tool_input": {"command": "pytest"},
        "tool_response": {"stdout": "1 passed in 0.1s"},
    }
    call(project, "claude-code", environment, hook_event_name="PostToolUse", cwd=str(other.path), **given)
    assert types(project)[-1] == "test_passed"
    assert not other.git("for-each-ref", "refs/ai")


@pytest.mark.parametrize(
    "data",
    [b"", b"garbage \xff", b"{}", b"[" * 200_000, b'{"session_id": "s", "hook_event_name": "SessionStart", "cwd": "/nowhere"}', b" " * (50 << 20)],
    ids=["nothing", "garbage", "empty", "deep", "nowhere", "50 MB"],
)  # fmt: skip
def test_bad_input_is_met_with_silence(tmp_path: Path, data: bytes) -> None:
    assert gitmem_process("hook", "agent", "claude-code", at=tmp_path, stdin=data) == (0, "", "")
    assert gitmem_process("hook", "agent", at=tmp_path, stdin=data).out == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("told", [b'{"session_id"', b'{"session_id": "s-1"}\n', b""])
def test_input_that_never_ends_is_not_waited_for_and_what_came_counts(
    monkeypatch: pytest.MonkeyPatch, told: bytes
) -> None:
    monkeypatch.setattr(hook, "_INPUT_SECONDS", 0.02)
    reading, writing = os.pipe()
    try:
        os.write(writing, told)
        assert hook._input(reading) == told
    finally:
        os.close(reading)
        os.close(writing)


def test_a_failure_of_ours_is_a_line_in_the_log_and_nothing_else(project: Repo) -> None:
    start(project)
    damaged = next((project.path / ".git/refs/ai/runs").glob("*/*"))
    damaged.write_text("0" * 40 + "\n")
    event = {
        "session_id": "s-1",
        "cwd": str(project.path),
        "hook_event_name": "SessionEnd",
        "reason": "other",
    }
    done = gitmem_process("hook", "agent", "claude-code", at=project.path, stdin=json.dumps(event).encode())
    assert done == (0, "", "")
    assert "agent: " in (project.path / ".git/gitmem/hook.log").read_text()


def test_in_a_repository_of_somebody_else_nothing_is_said_or_written(project: Repo) -> None:
    environment = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    answer = call(project, "codex", environment, hook_event_name="SessionStart", source="startup")
    assert answer == {}
    assert not (project.path / ".git/gitmem").exists()


def test_a_command_that_is_no_test_loads_and_touches_nothing(project: Repo) -> None:
    slow = "click", "pygit2", "ruamel", "pydantic", "dataclasses", "gitmem.store.ledger", "gitmem.wire.spawn"
    code = (
        "import sys\nfrom gitmem._main import main\nsys.argv = ['gitmem', 'hook', 'agent', 'claude-code']\n"
        f"assert main() == 0\nprint([name for name in {slow!r} if name in sys.modules])"
    )
    event: dict[str, Any] = {
        "session_id": "s-1",
        "cwd": str(project.path),
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
    }
    event |= {"tool_input": {"command": "git status"}, "tool_response": {"stdout": ""}}
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(event),
        capture_output=True,
        text=True,
        check=True,
        env=project.environment,
    )
    assert done.stdout == "[]\n"
    assert not (project.path / ".git/gitmem").exists()


def _places(folder: Path) -> dict[str, Path]:
    """Where nothing can be told: no repository, a bare one, and a folder that is gone."""
    outside = folder / "outside"
    outside.mkdir()
    subprocess.run(["git", "init", "-q", "--bare", str(folder / "bare.git")], check=True)
    return {"outside": outside, "bare": folder / "bare.git", "gone": folder / "gone"}


@pytest.mark.parametrize("name", ["claude-code", "codex", "cursor", "gemini", "copilot"])
def test_events_of_any_agent_are_met_with_silence_where_there_is_no_work_tree(
    tmp_path: Path, name: str
) -> None:
    places = _places(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    written: list[bytes] = []
    for place in map(str, places.values()):
        for event in (
            {"session_id": "s-1", "cwd": place, "hook_event_name": "SessionStart", "source": "startup"},
            {"conversation_id": "s-1", "workspace_roots": [place], "hook_event_name": "sessionStart"},
            {"sessionId": "s-1", "cwd": place, "source": "new"},
            {"session_id": "s-1", "cwd": place, "hook_event_name": "BeforeAgent", "prompt": "x"},
            {"session_id": ["s"], "sessionId": 5, "cwd": {"a": 1}, "hook_event_name": 3, "source": []},
            {"session_id": "\ud800", "cwd": "/\ud800", "hook_event_name": "SessionStart"},
        ):
            data = json.dumps(event).encode()
            with patch.multiple(hook, _input=lambda _, data=data: data, _write=written.append, _folder=lambda: str(tmp_path)):  # fmt: skip
                assert hook.main([name]) == 0
    assert written == []
    assert sorted(tmp_path.rglob("*")) == before


def test_an_event_in_a_bare_repository_is_none_of_the_hook_s_own_folder(
    project: Repo, tmp_path: Path
) -> None:
    bare = _places(tmp_path)["bare"]
    with patch.object(hook, "_folder", lambda: str(project.path)):
        for place in (bare, bare / "refs"):
            assert start(project, cwd=str(place)) == ""
        assert not project.git("for-each-ref", "refs/ai")
        assert start(project, cwd=str(project.path / ".git")) != ""
        ran(project, "pytest", "5 passed in 0.10s", cwd=str(bare))
    assert types(project)[-1] == "test_passed", "of a session that began here"


def test_a_git_directory_that_cannot_be_written_is_met_with_silence(project: Repo) -> None:
    assert as_other_user(_start_in_closed_git, project.path) == (0, "", "")


def _start_in_closed_git(folder: Path) -> Done:
    os.chdir(folder)
    (folder / ".git").chmod(0o555)
    event = {"session_id": "s-1", "cwd": str(folder), "hook_event_name": "SessionStart", "source": "startup"}
    written: list[bytes] = []
    with patch.multiple(hook, _input=lambda _: json.dumps(event).encode(), _write=written.append):
        code = hook.main(["claude-code"])
    (folder / ".git").chmod(0o755)
    assert not (folder / ".git/gitmem").exists()
    return Done(code, b"".join(written).decode(), "")
