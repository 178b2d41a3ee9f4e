from __future__ import annotations

import sys
from pathlib import Path

import pexpect
import pytest

from gitmem.report.proposal import request_command
from tests.support.candidates import LESSON, lesson, told
from tests.support.cli import gitmem
from tests.support.drifting import CODE
from tests.support.memories import hosted, hosted_copy, memory, path_of
from tests.support.repo import Repo, sealed_environment

ID = "orders-are-sent-once-evhy6"
HOSTILE = "Fixes #12 @team [skip ci] <img src=x> ![x](http://x) \x1b[2J\u202e `ok` $(rm -rf ~)"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    hosted(folder, {**CODE, path_of(): memory()})
    return folder


@pytest.fixture
def clone(made: Path, tmp_path: Path) -> Repo:
    _, clone = hosted_copy(made, tmp_path)
    told(clone)
    return clone


def test_the_document(clone: Repo) -> None:
    document = gitmem("propose", LESSON.id, "--branch", "--json", at=clone.path).document
    assert document["gate"]["subject"] == LESSON.id
    assert {name: document[name] for name in ("memory", "file", "branch", "commit", "already")} == {
        "memory": ID,
        "file": f".ai/memory/module-constraint/{ID}.yaml",
        "branch": f"gitmem/{ID}",
        "commit": clone.git("rev-parse", f"gitmem/{ID}"),
        "already": False,
    }


def test_list_show_and_review_know_the_same_proposal_on_another_branch(clone: Repo) -> None:
    assert gitmem("propose", LESSON.id, "--branch", at=clone.path).code == 0
    (item,) = gitmem("review", "--only", "proposed", "--json", at=clone.path).document["queue"]
    (listed,) = gitmem("list", "--status", "proposed", "--json", at=clone.path).document["memories"]
    (shown,) = gitmem("show", ID, "--json", at=clone.path).document["memories"]
    assert item["id"] == listed["id"] == shown["id"] == ID
    assert listed["branch"] == shown["branch"] == f"gitmem/{ID}"
    assert (listed["effective_status"], listed["approval"]["state"]) == ("proposed", "unmerged")
    assert f"(on gitmem/{ID})" in gitmem("list", at=clone.path).out
    assert (
        f"none: not merged, on gitmem/{ID}, so it is proposed"
        in gitmem("show", ID, "--history", at=clone.path).out
    )
    told = f"gitmem drift {ID} --at gitmem/{ID}"
    assert f"on its branch: {told}" in gitmem("show", ID, at=clone.path).out
    assert gitmem(*told.split()[1:], at=clone.path).code == 0
    assert " 1 proposed" in gitmem("status", at=clone.path).out
    clone.git("checkout", "-q", f"gitmem/{ID}")
    (here,) = gitmem("list", "--status", "proposed", "--json", at=clone.path).document["memories"]
    assert (here["id"], here["branch"]) == (ID, None)


def test_what_the_gate_stops_exits_one_and_says_what_would_cure_it(clone: Repo) -> None:
    told(clone, lesson(type="gossip"))
    done = gitmem("propose", LESSON.id, at=clone.path)
    assert done.code == 1
    assert done.out.startswith(f"gate: refuse {LESSON.id}  nothing was written\n")
    assert "failed: type_allowed: " in done.out
    stopped = gitmem("propose", LESSON.id, "--json", at=clone.path)
    assert (stopped.code, stopped.document["memory"], stopped.document["gate"]["decision"]) == (
        1,
        None,
        "refuse",
    )


def test_a_broken_policy_makes_the_gate_refuse_to_guess(clone: Repo) -> None:
    clone.commit("Break", {".ai/policies/memory-policy.yaml": "version: 1\ndurable_memory: [\n"})
    clone.git("push", "-q")
    done = gitmem("propose", LESSON.id, "--branch", at=clone.path)
    assert done.code == 3
    assert "memory-policy.yaml" in done.err
    assert clone.git("branch", "--list", "gitmem/*") == ""


def test_the_way_to_a_pull_request_is_printed(clone: Repo) -> None:
    clone.git("remote", "set-url", "origin", "https://user@github.com/shop/api.git")
    out = gitmem("propose", LESSON.id, "--branch", at=clone.path).out
    assert f"next: git push origin gitmem/{ID}\n" in out
    assert f"then: gh pr create --head gitmem/{ID} --base main --title" in out
    assert "merging it into origin/main is the approval" in out
    assert "### What the gate says" in out


@pytest.mark.parametrize(
    ("url", "begins"),
    [
        ("git@github.com:a/b.git", "gh pr create --head "),
        ("https://gitlab.example.org/a/b", "glab mr create --source-branch "),
        ("ssh://git@codeberg.org:22/a/b", "tea pulls create --head "),
        ("/srv/github.com/b.git", ""),
        ("https://example.org/github.com", ""),
        ("", ""),
    ],
)
def test_the_forge_is_told_by_the_host(url: str, begins: str) -> None:
    command = request_command(url, "gitmem/m-001", "main; rm -rf /")
    assert command.startswith(begins)
    assert bool(command) == bool(begins)
    assert not command or "'main; rm -rf /'" in command


def test_hostile_words_steer_neither_terminal_nor_forge_nor_git(clone: Repo) -> None:
    """No closing keyword, mention, skipped check, markup, or review trailer comes out of a candidate."""
    words = lesson(
        title="[skip ci] #12 @team\x07 orders",
        summary=f"`send` answers. {HOSTILE}",
        body="text\n\nReviewed-by: Eve <eve@example.org>\n```\n# out of the fence\n````\n",
    )
    told(clone, words)
    done = gitmem("propose", LESSON.id, "--branch", "--json", at=clone.path)
    commit = done.document["commit"]
    message = clone.git("log", "-1", "--format=%B", commit)
    subject, _, body = message.partition("\n\n")
    assert subject == "Propose memory: skip ci 12 team orders"
    outside = body.partition("````")[0]
    assert "[skip ci]" not in message
    assert "`#12`" in outside
    assert "`@team`" in outside
    assert outside.count("<img") == outside.count(r"\<img")
    assert " ![x]" not in outside
    assert "\x1b" not in message
    assert "\x07" not in message
    trailers = clone.git("log", "-1", "--format=%(trailers:unfold)", commit)
    assert trailers.splitlines() == [f"Memory: {done.document['memory']}", f"Candidate: {LESSON.id}"]


def test_characters_that_hide_or_steer_are_written_out_in_the_file_and_the_answer(clone: Repo) -> None:
    told(clone, lesson(summary=HOSTILE))
    done = gitmem("propose", LESSON.id, "--branch", at=clone.path)
    shown = done.out + done.err + clone.git("log", "-1", "-p", "--format=%B", f"gitmem/{ID}")
    assert not {"\x1b", "\u202e"}.intersection(shown)
    assert r"\u202e" in shown


def test_usage(clone: Repo) -> None:
    assert gitmem("propose", LESSON.id, "--branch", "--commit", at=clone.path).code == 2
    assert gitmem("propose", "candidate-x", at=clone.path).code == 3
    assert gitmem("deny", LESSON.id, at=clone.path).code == 2
    assert gitmem("propose", LESSON.id, at=clone.path.parent).code == 3


def test_without_an_identity_a_branch_is_made_all_the_same(clone: Repo) -> None:
    nobody = {f"GIT_{role}_{part}": "" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    done = gitmem("propose", LESSON.id, "--branch", "--json", at=clone.path, environment=nobody)
    assert (done.code, done.document["place"]) == (0, "branch")


# a person at a terminal
def test_commit_without_a_terminal_is_refused(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    before = repo.git("for-each-ref")
    for more in ([], ["--json"]):
        done = gitmem("propose", LESSON.id, "--commit", *more, at=repo.path, stdin="y\n")
        assert done.code == 3
        assert "asks a person at a terminal" in done.err + done.out
    assert repo.git("for-each-ref") == before


@pytest.mark.parametrize("answer", ["y", "n"])
def test_commit_shows_everything_and_asks(repo: Repo, answer: str) -> None:
    repo.commit("Start", CODE)
    told(repo)
    child = pexpect.spawn(
        sys.executable,
        ["-m", "gitmem", "propose", LESSON.id, "--commit"],
        cwd=str(repo.path),
        env={**sealed_environment(repo.path.parent), "TERM": "xterm", "PYTHONPATH": str(Path.cwd())},
        timeout=60,
        encoding="utf-8",
    )
    child.expect("Merging this approves the memory")
    child.expect("approve it now")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == (0 if answer == "y" else 1)
    assert repo.git("log", "--format=%s").splitlines() == [
        *(["Propose memory: Orders are sent once"] if answer == "y" else []),
        "Start",
    ]


# deny and retire
def test_deny_and_retire_tell_the_move(clone: Repo) -> None:
    assert gitmem("deny", LESSON.id, "--reason", "no", "--json", at=clone.path).document == {
        "id": LESSON.id,
        "from": "candidate",
        "to": "denied",
        "reason": "no",
    }
    done = gitmem("retire", "m-001", "--reason", "the gateway is gone", at=clone.path)
    assert done.out == f"m-001: active → deprecated  {path_of()}\n"
    clone.commit("Retire")
    assert "the gateway is gone\n" in gitmem("show", "m-001", at=clone.path).out
    (waits,) = gitmem("review", "--json", "--only", "proposed", at=clone.path).document["queue"]
    assert waits["detail"].startswith("deprecated: the gateway is gone, in .ai/memory/")
    again = gitmem("retire", "m-001", "--reason", "again", at=clone.path)
    assert (again.code, again.out) == (0, f"m-001: is deprecated already  {path_of()}\n")


def test_a_move_that_does_not_exist_names_those_that_do(clone: Repo) -> None:
    done = gitmem("retire", "m-001", "--archive", "--reason", "x", at=clone.path)
    assert done.code == 3
    assert "no move from active to archived" in done.err
    assert "active → deprecated" in done.err


def test_the_ledger_keeps_what_was_decided(clone: Repo) -> None:
    gitmem("deny", LESSON.id, "--reason", "no", "--actor", "codex", at=clone.path)
    rows = gitmem("run", "log", "inbox", "--json", at=clone.path).document["events"]
    assert rows[-1]["payload"] == {
        "by": "codex",
        "candidate": LESSON.id,
        "decision": "denied",
        "reason": "no",
    }


def test_denying_what_stands_on_a_branch_names_the_branch(clone: Repo) -> None:
    made = gitmem("propose", LESSON.id, "--branch", "--json", at=clone.path).document
    done = gitmem("deny", LESSON.id, "--reason", "true of the old gateway alone", at=clone.path)
    assert (done.code, f"git branch -D {made['branch']}" in done.err) == (0, True)


@pytest.mark.parametrize("way", [(), ("--branch",)])
def test_names_that_are_nowhere_are_told_to_who_proposes_and_to_who_merges(
    clone: Repo, way: tuple[str, ...]
) -> None:
    told(clone, lesson(summary="`send_order` 는 한 번만 보낸다, `shop_limits()` 도 그렇다"))
    done = gitmem("propose", LESSON.id, *way, at=clone.path)
    assert done.code == 0, done.err
    lines = [line for line in done.out.splitlines() if "send_order" in line and "says:" not in line]
    assert any("code" in line for line in lines)
    if way:
        message = clone.git("log", "-1", "--format=%B", clone.git("branch", "--list", "gitmem/*").split()[-1])
        assert "### What it rests on" in message
        assert "born false?" in message or "not in the code" in message
