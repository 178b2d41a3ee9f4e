"""`gitmem review`: a list in a pipe, single keys at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pexpect
import pytest

from gitmem.model.candidate import Conflict, Standing
from tests.support.candidates import LESSON, candidate, lesson, told
from tests.support.cli import gitmem, gitmem_process
from tests.support.drifting import ABOUT_SEND, CODE, SHOP, validated
from tests.support.memories import memory, path_of
from tests.support.repo import Repo, sealed_environment

BROKEN = SHOP.replace("    ship(order)\n", "")
Spawn = Callable[..., Any]


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    children: list[Any] = []

    def start(repo: Repo, *arguments: str, **environment: str) -> Any:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "gitmem", "review", *arguments],
            cwd=str(repo.path),
            env={
                **sealed_environment(repo.path.parent),
                "TERM": "xterm",
                "NO_COLOR": "1",
                "PYTHONPATH": str(Path.cwd()),
                **environment,
            },
            dimensions=(40, 160),
            timeout=30,
            encoding="utf-8",
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.close(force=True)


def ended(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.wait()
    return int(child.exitstatus)


# in a pipe
def test_the_document(repo: Repo) -> None:
    validated(repo)
    repo.commit("Break", {"src/shop.py": BROKEN})
    told(repo, lesson(scope=replace(LESSON.scope, does_not_apply_to=())))
    document = gitmem("review", "--json", at=repo.path).document
    assert [{"id", "reason", "since", "detail"} <= one.keys() for one in document["queue"]] == [True, True]
    assert [(one["id"], one["reason"]) for one in document["queue"]] == [
        ("m-001", "challenged"),
        (LESSON.id, "candidate"),
    ]
    assert document["queue"][1]["gate"] == "hold"
    assert "anti_scope" in {one["rule"] for one in document["queue"][1]["lacking"]}


def test_a_conflict_carries_both_sides_and_is_resolved(repo: Repo) -> None:
    repo.commit(
        "Start", {**CODE, path_of(): memory(summary="Retry a failed payment 3 times before giving up")}
    )
    words = lesson(
        summary="Retry a failed payment 5 times before giving up",
        title=None,
        scope=replace(LESSON.scope, paths=("src/**",)),
    )
    told(repo, words, conflicts=[Conflict("m-001", "3 against 5")])
    (one,) = gitmem("review", "--json", "--only", "conflicts", at=repo.path).document["queue"]
    assert (one["conflict"], one["existing_memory"], one["candidate_memory"], one["resolution"]) == (
        True,
        "m-001",
        LESSON.id,
        "waiting_human",
    )
    asked = ("review", "--resolve", LESSON.id, "--as", "both_hold", "--reason", "one each")
    assert gitmem(*asked, "--json", at=repo.path).document == {
        "conflict": True,
        "existing_memory": "m-001",
        "candidate_memory": LESSON.id,
        "resolution": "both_hold",
        "reason": "one each",
    }
    assert gitmem("review", "--json", "--only", "conflicts", at=repo.path).document["queue"] == []


def test_the_list_tells_kind_day_id_rule_and_why(repo: Repo) -> None:
    validated(repo, ABOUT_SEND, CODE, expires_at="2026-07-16")
    out = gitmem("review", at=repo.path).out
    assert out.splitlines() == [
        "1 expired: past the day that its file names, since 2026-07-16",
        f"  2026-07-16  m-001  {ABOUT_SEND[1:-1]}",
        "              expired 2026-07-16",
    ]
    assert gitmem("review", "--only", "candidates", at=repo.path).out == "nothing waits for a person\n"


def test_a_pipe_is_never_asked_anything(repo: Repo) -> None:
    told(repo)
    done = gitmem("review", at=repo.path, stdin="dddd")
    assert done.code == 0
    assert candidate(repo).standing is Standing.OPEN


def test_hostile_words_do_not_steer_the_terminal(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo, lesson(summary="\x1b[2Jgone \u202e\u200b", title=None))
    for more in ([], ["--json"], ["--list"]):
        out = gitmem("review", *more, "--color", "never", at=repo.path, terminal=bool(more)).out
        assert not {"\x1b", "\u202e", "\u200b"}.intersection(out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--resolve", LESSON.id],
        ["--resolve", LESSON.id, "--as", "both_hold"],
        ["--resolve", LESSON.id, "--as", "both_hold", "--reason", "  "],
        ["--as", "both_hold"],
        ["--only", "everything"],
    ],
)
def test_usage(repo: Repo, arguments: list[str]) -> None:
    told(repo)
    assert gitmem("review", *arguments, at=repo.path).code == 2


# at a terminal
def test_one_key_a_decision(repo: Repo, spawn: Spawn) -> None:
    """The doubtful memory is confirmed after a look at both sides, one candidate denied, one skipped, then quit."""
    validated(repo)
    repo.commit("Break", {"src/shop.py": BROKEN})
    names = [f"candidate-{number}" for number in (1, 2, 3)]
    words = ("`log` prints every order", "Deploy from main alone", "창고는 밤에 닫힌다")
    told(repo, *(lesson(name, said, title=None) for name, said in zip(names, words, strict=True)))
    child = spawn(repo)
    child.expect(r"\[1/4\] challenged m-001")
    child.send("x")
    child.send("c")
    child.expect("ship\\(order\\)")
    child.expect("does it still hold")
    child.send("y")
    child.expect(".ai/validations/m-001/")
    child.expect(r"\[2/4\] candidate candidate-1")
    child.send("d")
    child.expect("why")
    child.sendline("not worth it")
    child.expect("candidate → denied")
    child.expect(r"\[3/4\] candidate candidate-2")
    child.send("s")
    child.expect(r"\[4/4\]")
    child.send("q")
    child.expect("2 of 4 dealt with")
    assert ended(child) == 0
    standing = [str(candidate(repo, name).standing) for name in names]
    assert standing == ["denied", "open", "open"]
    assert candidate(repo, "candidate-1").decisions[0].reason == "not worth it"


def test_accepting_makes_the_proposal(repo: Repo, spawn: Spawn) -> None:
    repo.commit("Start", CODE)
    repo.git("remote", "add", "origin", "git@github.com:shop/api.git")
    repo.git("update-ref", "refs/remotes/origin/main", "main")
    told(repo)
    child = spawn(repo)
    child.expect("accept")
    child.send("a")
    child.expect("gh pr create")
    assert ended(child) == 0
    assert candidate(repo).standing is Standing.PROPOSED
    assert len(repo.git("branch", "--list", "gitmem/*").splitlines()) == 1


def test_accepting_without_a_remote_asks_once_more_and_approves(repo: Repo, spawn: Spawn) -> None:
    repo.commit("Start", CODE)
    told(repo)
    child = spawn(repo)
    child.expect("accept")
    child.send("a")
    child.expect("approve it now")
    child.send("y")
    child.expect("approved ")
    assert ended(child) == 0
    assert repo.git("log", "--format=%s").splitlines() == ["Propose memory: Orders are sent once", "Start"]


def test_what_the_gate_stops_stays_and_can_be_edited(repo: Repo, spawn: Spawn, tmp_path: Path) -> None:
    repo.commit("Start", CODE)
    told(repo, lesson(scope=replace(LESSON.scope, does_not_apply_to=())))
    editor = tmp_path / "edit"
    editor.write_text("#!/bin/sh\nsed -i 's/^scope:/scope:\\n  does_not_apply_to: [none]/' \"$1\"\n")
    editor.chmod(0o755)
    child = spawn(repo, EDITOR=str(editor), VISUAL=str(editor))
    child.expect("held: anti_scope")
    child.send("a")
    child.expect("gate: hold")
    child.send("e")
    child.expect("e edit · s skip")  # anti-scope is no longer asked for
    child.send("q")
    assert ended(child) == 0
    assert candidate(repo).memory.scope.does_not_apply_to == ("none",)


def test_no_anti_scope_takes_one_key(repo: Repo, spawn: Spawn) -> None:
    repo.commit("Start", CODE)
    told(repo, lesson(scope=replace(LESSON.scope, does_not_apply_to=())))
    child = spawn(repo)
    child.expect("n not for: none")
    child.send("n")
    child.expect("where: ")
    child.expect("needs a person: accepted_review")
    child.expect("q quit")
    child.send("q")
    assert ended(child) == 0
    assert candidate(repo).memory.scope == LESSON.scope


def test_an_error_is_told_and_the_entry_stays(repo: Repo, spawn: Spawn) -> None:
    validated(repo)
    repo.commit("Break", {"src/shop.py": BROKEN})
    (repo.path / path_of()).unlink()
    child = spawn(repo)
    child.expect("retire")
    child.send("r")
    child.expect("why")
    child.sendline("gone")
    child.expect("is not in the work tree")
    child.send("r")
    child.expect("why")
    child.sendline("")
    child.expect("q quit")
    child.sendcontrol("d")
    child.expect("0 of 1 dealt with")
    assert ended(child) == 0


# noticed
def test_status_and_brief_say_in_one_line_how_many_wait_and_since_when(repo: Repo) -> None:
    validated(repo)
    for command in ("status", "brief"):
        assert "for a person" not in gitmem(command, at=repo.path).out
    when = {"GIT_AUTHOR_DATE": "2026-07-16T09:00:00+09:00", "GIT_COMMITTER_DATE": "2026-07-16T09:00:00+09:00"}
    repo.commit("Break", {"src/shop.py": BROKEN}, environment=when)
    told(repo)
    line = "2 wait for a person since 2026-07-16: gitmem review"
    assert f"waiting   {line}\n" in gitmem("status", at=repo.path).out
    assert f"{line}\n" in gitmem("brief", at=repo.path).out
    gitmem("run", "start", "checkout", at=repo.path)
    assert f"\n\n{line}\n\n" in gitmem("brief", at=repo.path).out
    document = gitmem("status", "--json", at=repo.path).document
    assert document["review"] == {"count": 2, "since": "2026-07-16"}


def test_an_agents_session_is_told_too(repo: Repo, tmp_path: Path) -> None:
    repo.commit("Start", CODE)
    told(repo)
    copy = tmp_path / "context"
    script = f'cp "$GITMEM_CONTEXT" {copy}'
    gitmem_process("run", "exec", "--as", "agent", "--", "sh", "-c", script, at=repo.path)
    assert "1 waits for a person since " in copy.read_text()
