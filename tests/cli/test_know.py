"""`init`, `lint`, `list`, `show` and `status` from the command line, on real repositories."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

VALIDATION = "memory: m-001\nat: 2026-07-{}T10:00:00+09:00\nby: ada\n"
FIRST, SECOND = (f".ai/validations/m-001/202607{day}-aaaaa.yaml" for day in (20, 21))


@pytest.fixture
def clone(tmp_path: Path) -> Repo:
    return hosted(tmp_path)[1]


# init
def test_init_makes_files_once_and_then_keeps_them(repo: Repo) -> None:
    first = gitmem("init", at=repo.path)
    assert first.code == 0
    made = [line.split("  ")[1] for line in first.out.splitlines() if line.startswith("made")]
    assert ".ai/policies/memory-policy.yaml" in made
    assert all((repo.path / path).is_file() and path.startswith(".ai/") for path in made)
    repo.write(".ai/elements.yaml", "mine\n")
    second = gitmem("init", at=repo.path)
    assert (second.code, "made" in second.out) == (0, False)
    assert repo.read(".ai/elements.yaml") == "mine\n"
    assert set(repo.git("status", "--porcelain").splitlines()) == {"?? .ai/"}


def test_what_init_makes_lints_clean(repo: Repo) -> None:
    gitmem("init", at=repo.path)
    done = gitmem("lint", at=repo.path)
    assert (done.code, done.out) == (0, "")


def test_init_from_a_subfolder_works_at_the_top(repo: Repo) -> None:
    repo.write("src/a.py", "x = 1\n")
    document = gitmem("init", "--json", at=repo.path / "src").document
    assert all(one["made"] for one in document["files"])
    assert (repo.path / ".ai/elements.yaml").is_file()


def test_init_in_a_bare_repository_or_outside_one_is_a_clear_error(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    done = gitmem("init", at=bare.path)
    assert (done.code, done.out) == (3, "")
    assert "bare repository" in done.err
    outside = tmp_path / "outside"
    outside.mkdir()
    assert gitmem("init", at=outside).code == 3


def test_init_does_not_write_through_a_link(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repo.path / ".ai").symlink_to(tmp_path / "elsewhere")
    done = gitmem("init", at=repo.path)
    assert done.code == 3
    assert "symbolic link" in done.err
    assert list((tmp_path / "elsewhere").iterdir()) == []


# list
def test_list_tells_status_kind_id_and_rule(clone: Repo) -> None:
    clone.commit(
        "Edit", {path_of(): memory(summary="Not any more"), path_of("m-002"): memory("m-002", "New")}
    )
    done = gitmem("list", at=clone.path)
    assert done.code == 0
    assert done.out.splitlines() == [
        "active    pitfall  m-001  The gateway strips X- headers",
        "proposed  pitfall  m-001  (edit, not merged) Not any more",
        "proposed  pitfall  m-002  New",
    ]
    assert "1 active, 2 proposed" in done.err
    assert "approved = merged to origin/main (origin/HEAD names it" in done.err


def test_list_json_is_the_promised_document(clone: Repo) -> None:
    document = gitmem("list", "--json", at=clone.path).document
    assert set(document) == {"memories", "problems"}
    (one,) = document["memories"]
    assert one["id"] == "m-001"
    assert one["scope"] == {"paths": ["src/**"], "does_not_apply_to": ["none"]}
    assert one["file"] == path_of()
    assert one["effective_status"] == "active"
    assert one["confirmations"] == 0
    assert one["approval"] == {
        "state": "merged",
        "verified": False,
        "review": "direct",
        "commit": clone.head(),
        "by": "Ada Tester",
        "at": "2026-07-13T10:00:00+09:00",
    }


def test_list_hides_what_was_retired_unless_asked(tmp_path: Path) -> None:
    files = {
        path_of(f"m-{status}"): memory(f"m-{status}", status=status) for status in ("active", "archived")
    }
    _, clone = hosted(tmp_path, {**files, path_of("m-heir"): memory("m-heir", supersedes="[m-active]")})
    assert [line.split()[0] for line in gitmem("list", at=clone.path).out.splitlines()] == ["active"]
    everything = gitmem("list", "--all", at=clone.path).out.splitlines()
    assert [line.split()[0] for line in everything] == ["deprecated", "archived", "active"]
    archived = gitmem("list", "--status", "archived", "--json", at=clone.path).document["memories"]
    assert [one["id"] for one in archived] == ["m-archived"]


def test_list_filters_by_kind_path_and_element(tmp_path: Path) -> None:
    files = {
        path_of("m-note"): memory("m-note", kind="note", scope="{elements: [Api]}"),
        path_of("m-docs"): memory("m-docs", scope="{paths: [docs/**], exclude: [docs/old/**]}"),
        path_of("m-all"): memory("m-all", scope="project"),
    }
    _, clone = hosted(tmp_path, files)

    def ids(*arguments: str) -> list[str]:
        document = gitmem("list", "--json", *arguments, at=clone.path).document
        return [one["id"] for one in document["memories"]]

    assert ids("--kind", "note") == ["m-note"]
    assert ids("--element", "Api") == ["m-note"]
    assert ids("--path", "docs/a.md") == ["m-all", "m-docs"]
    assert ids("--path", "docs") == ["m-all", "m-docs"]
    assert ids("--path", "docs/old/a.md") == ["m-all"]


def test_dates_challenge_and_say_so(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(review_after="2020-01-01"), "src/a.py": "x = 1\n"})
    done = gitmem("list", at=clone.path)
    assert done.out.startswith("challenged  pitfall  m-001")
    assert "VERIFY" in done.out
    assert "2020-01-01" in done.out


def test_korean_text_keeps_the_columns(tmp_path: Path) -> None:
    files = {
        path_of("m-a"): memory("m-a", "결제 재시도는 두 번까지"),
        path_of("m-long"): memory("m-long", "b"),
    }
    _, clone = hosted(tmp_path, files)
    assert gitmem("list", at=clone.path).out.splitlines() == [
        "active  pitfall  m-a     결제 재시도는 두 번까지",
        "active  pitfall  m-long  b",
    ]


def test_text_from_the_repository_cannot_steer_the_terminal(tmp_path: Path) -> None:
    files = {path_of(): memory(summary='"\\e[31mred\\u202e"', title='"\\x07bell"')}
    _, clone = hosted(tmp_path, files)
    for command in (["list"], ["show", "m-001", "--history"], ["list", "--json"]):
        done = gitmem(*command, at=clone.path)
        assert done.code == 0
        assert not {"\x1b", "\x07", "\u202e"} & set(done.out + done.err)


def test_list_asks_the_server_and_believes_nothing_else(tmp_path: Path) -> None:
    server, clone = hosted(tmp_path)

    def borne_out() -> set[str]:
        listed = gitmem("list", "--remote", "--all", "--json", at=clone.path).document["memories"]
        return {
            one["id"]
            for one in listed
            if one["approval"]["verified"] and one["approval"]["state"] == "merged"
        }

    assert borne_out() == {"m-001"}
    clone.commit("Forge", {path_of("m-002"): memory("m-002")})
    clone.git("update-ref", "refs/remotes/origin/main", clone.head())
    assert borne_out() == {"m-001"}
    shutil.rmtree(server.path)
    done = gitmem("list", "--remote", at=clone.path)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("gitmem: error: origin could not be asked")
    assert gitmem("list", at=clone.path).code == 0


def test_a_broken_file_is_named_and_the_rest_is_listed(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(), path_of("broken"): "id: [x\n"})
    done = gitmem("list", at=clone.path)
    assert done.code == 0
    assert "m-001" in done.out
    assert ".ai/memory/broken.yaml:" in done.err
    assert "error:" in done.err


def test_nothing_committed_or_nothing_known_is_no_error(repo: Repo) -> None:
    done = gitmem("list", at=repo.path)
    assert (done.code, done.out) == (0, "")
    assert "no memories" in done.err
    assert gitmem("status", at=repo.path).code == 0
    repo.commit("Start", {"a": "b"})
    assert gitmem("list", "--json", at=repo.path).document == {"memories": [], "problems": []}


@pytest.mark.parametrize("command", [["list"], ["show", "m-001"], ["status"], ["lint"]])
def test_outside_a_repository_is_a_clear_error(tmp_path: Path, command: list[str]) -> None:
    done = gitmem(*command, at=tmp_path)
    assert done.code == 3
    assert done.err.startswith("gitmem: error: ")


def test_unknown_words_are_usage_errors(clone: Repo) -> None:
    assert gitmem("list", "--status", "approved", at=clone.path).code == 2
    assert gitmem("show", at=clone.path).code == 2


# show
def test_show_tells_the_whole_memory(tmp_path: Path) -> None:
    text = memory(title="Gateway", body='"First line\\nsecond line"', created_by="claude-code/sarah")
    _, clone = hosted(tmp_path, {path_of(): text + "verification: {probe: make test}\n"})
    done = gitmem("show", "m-001", at=clone.path)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:2] == ["m-001  active  pitfall (module_constraint)", "Gateway"]
    assert "    second line" in lines
    assert "merged by Ada Tester at 2026-07-13T10:00:00+09:00" in done.out
    assert "check     " in done.out.replace("check       ", "check     ")
    assert "claude-code/sarah" in done.out


def test_show_shows_the_unmerged_edit_behind_the_approved_words(clone: Repo) -> None:
    clone.commit("Edit", {path_of(): memory(summary="Not any more")})
    document = gitmem("show", "m-001", "--json", at=clone.path).document
    assert [(one["effective_status"], one["edits_approved"]) for one in document["memories"]] == [
        ("active", False),
        ("proposed", True),
    ]
    text = gitmem("show", "m-001", at=clone.path).out
    assert text.index("strips X- headers") < text.index("Not any more")
    assert "never delivered" in text


def test_history_tells_commits_and_validations(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(), FIRST: VALIDATION.format(20)})
    clone.move(path_of(), ".ai/memory/deep/m-001.yaml")
    clone.commit("Move the gateway rule", {SECOND: VALIDATION.format(21)})
    clone.git("push", "-q")
    (one,) = gitmem("show", "m-001", "--history", "--json", at=clone.path).document["memories"]
    assert [(row["subject"], row["file"]) for row in one["history"]] == [
        ("Move the gateway rule", ".ai/memory/deep/m-001.yaml"),
        ("Start", path_of()),
    ]
    assert [row["at"] for row in one["validations"]] == [
        "2026-07-21T10:00:00+09:00",
        "2026-07-20T10:00:00+09:00",
    ]
    assert one["confirmations"] == 2
    text = gitmem("show", "m-001", "--history", at=clone.path).out
    assert "Move the gateway rule" in text
    assert "ada (looked)" in text


def test_show_of_an_unknown_id_names_the_nearest(clone: Repo) -> None:
    done = gitmem("show", "m-01", "--json", at=clone.path)
    assert done.code == 3
    assert done.document["error"]["kind"] == "not_found"
    assert "m-001" in done.document["error"]["hint"]


def test_show_of_a_file_that_does_not_load_says_why(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of("m-broken"): "id: [x\n"})
    done = gitmem("show", "m-broken", at=clone.path)
    assert done.code == 3
    assert "could not be read" in done.err


# status
def test_status_is_one_screen(clone: Repo) -> None:
    clone.commit("Add", {path_of("m-002"): memory("m-002"), path_of("m-bad"): "id: [x\n"})
    done = gitmem("status", at=clone.path)
    assert done.code == 0
    assert "1 active, 0 challenged, 1 proposed" in done.out
    assert "origin/main" in done.out
    assert "gitmem lint" in done.out
    document = gitmem("status", "--json", at=clone.path).document
    assert document["memories"] == {"active": 1, "challenged": 0, "proposed": 1}
    assert document["trusted"]["why"] == "origin/HEAD names it"
    assert [one["count"] for one in document["waiting"]] == [1, 1]


def test_status_tells_what_is_set_up_and_what_is_only_half_there(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")

    def last_line() -> str:
        return gitmem("status", at=repo.path).out.splitlines()[-1]

    assert last_line() == "set up    no git hooks: gitmem hooks install; no agent: gitmem agent install NAME"
    gitmem("hooks", "install", at=repo.path)
    gitmem("agent", "install", "gemini", at=repo.path)
    assert last_line() == "set up    git hooks, gemini"
    (repo.path / "AGENTS.md").unlink()
    (repo.path / ".git/hooks/post-merge").unlink()
    assert last_line() == "set up    git hooks, gemini incomplete: gitmem doctor"
    assert gitmem("status", "--json", at=repo.path).document["set_up"] == {
        "git_hooks": "incomplete",
        "agents": {"gemini": "incomplete"},
    }


def test_status_of_a_bare_repository_asks_for_no_agent(tmp_path: Path) -> None:
    bare = Repo(tmp_path / "bare.git", bare=True)
    assert gitmem("status", at=bare.path).out.endswith("\nset up    no git hooks: gitmem hooks install\n")


# lint
def test_lint_names_file_line_and_column_and_exits_one(clone: Repo) -> None:
    clone.write(path_of("m-002"), memory("m-002", status="done"))
    done = gitmem("lint", at=clone.path)
    assert done.code == 1
    assert done.out.startswith(".ai/memory/m-002.yaml:4:9: error: unknown status done")
    (problem,) = [
        one
        for one in gitmem("lint", "--json", at=clone.path).document["problems"]
        if one["severity"] == "error"
    ]
    assert (problem["line"], problem["column"], problem["field"]) == (4, 9, "status")


def test_warnings_alone_exit_zero(clone: Repo) -> None:
    clone.write(path_of(), memory(owner="ada"))
    done = gitmem("lint", at=clone.path)
    assert done.code == 0
    assert "warning: unknown field owner" in done.out


def test_lint_of_one_file_tells_that_file_alone(clone: Repo) -> None:
    clone.write(path_of("m-002"), "id: [x\n")
    clone.write(path_of("m-003"), "id: [x\n")
    inside = clone.path / ".ai/memory"
    files = {one["file"] for one in gitmem("lint", "m-003.yaml", "--json", at=inside).document["problems"]}
    assert files == {path_of("m-003")}
    assert gitmem("lint", ".", "--json", at=clone.path).document["problems"]
    missing = gitmem("lint", "no-such.yaml", at=clone.path)
    assert missing.code == 3
    assert "no-such.yaml" in missing.err
    assert gitmem("lint", "/etc/hosts", at=clone.path).code == 3


def test_lint_names_links_and_does_not_follow_them(clone: Repo) -> None:
    (clone.path / ".ai/memory/m-002.yaml").symlink_to("/etc/passwd")
    done = gitmem("lint", at=clone.path)
    assert done.code == 1
    assert "symbolic link" in done.out
    assert "root" not in done.out


def test_lint_in_a_bare_repository_is_a_clear_error(tmp_path: Path) -> None:
    server, _ = hosted(tmp_path)
    done = gitmem("lint", at=server.path)
    assert done.code == 3
    assert "bare" in done.err


def test_tidy_removes_only_what_a_newer_validation_replaced(tmp_path: Path) -> None:
    third = ".ai/validations/m-001/20260722-aaaaa.yaml"
    files = {FIRST: VALIDATION.format(20), SECOND: VALIDATION.format(21)}
    _, clone = hosted(tmp_path, {path_of(): memory(), "src/a.py": "x = 1\n", **files})
    clone.commit("Look", {third: VALIDATION.format(22)})
    document = gitmem("lint", "--tidy", "--json", at=clone.path).document
    assert document["removed"] == [FIRST]
    assert clone.git("status", "--porcelain") == f"D {FIRST}".rjust(len(FIRST) + 3)


def test_tidy_refuses_while_a_validation_is_not_committed(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(), FIRST: VALIDATION.format(20)})
    clone.write(SECOND, VALIDATION.format(21))
    done = gitmem("lint", "--tidy", at=clone.path)
    assert done.code == 3
    assert SECOND in done.err
    assert (clone.path / FIRST).exists()


@pytest.mark.parametrize("merged", [True, False], ids=["both approved", "one approved"])
def test_lint_and_drift_leave_out_the_same_file_of_two_with_one_id(merged: bool, tmp_path: Path) -> None:
    first, second = ".ai/memory/a/m-001.yaml", ".ai/memory/b/m-001.yaml"
    _, clone = hosted(tmp_path, {second: memory(), "src/a.py": "x = 1\n"})
    clone.commit("Copy", {first: memory(summary="Something else")})
    if merged:
        clone.git("push", "-q", "origin", "main")
    left_out = second if merged else first
    linted = gitmem("lint", "--json", at=clone.path)
    assert linted.code == 1
    (lint_error,) = (one for one in linted.document["problems"] if one["severity"] == "error")
    drift = gitmem("drift", "--exit-code", "--json", at=clone.path)
    assert drift.code == 3
    (drift_error,) = drift.document["problems"]
    assert lint_error["file"] == drift_error["file"] == left_out
    assert lint_error["message"] == drift_error["message"]


@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_a_file_that_is_too_large_is_named_with_its_size(size: int, tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory().ljust(size, "#"), "src/a.py": "x = 1\n"})
    for command in ("lint", "drift"):
        (problem,) = gitmem(command, "--json", at=clone.path).document["problems"]
        assert f"{size} bytes, over the limit of 65536" in problem["message"]


@pytest.mark.parametrize("words", [["list"], ["show", "m-001"]])
def test_a_claim_of_approval_that_history_does_not_bear_out_is_told(tmp_path: Path, words: list[str]) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(approved_by="Boss")})
    done = gitmem(*words, at=clone.path)
    assert (done.code, "approved_by: Boss, but commit" in done.err) == (0, True)
    honest = hosted(tmp_path / "other", {path_of(): memory()})[1]
    assert "approved_by" not in gitmem(*words, at=honest.path).err
