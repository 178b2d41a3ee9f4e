"""The look over the set-up, on real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.git.setup import covers
from tests.support.cli import gitmem
from tests.support.clones import bare_remote, clone
from tests.support.endpoints import Reply, bad_server, of_words
from tests.support.repo import Repo


def checks(repo: Repo, *words: str) -> dict[str, dict[str, object]]:
    found = gitmem("doctor", "--json", *words, at=repo.path).document["checks"]
    return {one["check"]: one for one in found}


@pytest.mark.parametrize(
    ("refspec", "is_covered"),
    [
        ("+refs/heads/*:refs/remotes/origin/*", False),
        ("+refs/ai/*:refs/ai/*", True),
        ("+refs/*:refs/*", True),
        ("refs/ai/runs/*:refs/ai/runs/*", True),
        ("^refs/ai/*", False),
        ("+refs/a*:refs/a*", True),
        ("refs/ai/runs/x", False),
    ],
)
def test_a_refspec_that_writes_where_runs_lie_is_known(refspec: str, is_covered: bool) -> None:
    assert covers(refspec, "refs/ai/") is is_covered


def test_a_repository_that_is_set_up_has_nothing_to_fix(repo: Repo) -> None:
    repo.commit("Begin", {"a.py": "x = 1\n"})
    done = gitmem("doctor", at=repo.path)
    assert (done.code, done.out.splitlines()[-1]) == (0, "nothing to fix")


def test_each_fault_is_named_with_its_cure(repo: Repo, tmp_path: Path) -> None:
    repo.commit("Begin", {".ai/policies/memory-policy.yaml": "version: 99\n"})
    repo.git("remote", "add", "origin", str(tmp_path / "gone"))
    repo.git("config", "remote.origin.fetch", "+refs/*:refs/*")
    repo.git("config", "gitmem.autoSync", "sometimes")
    found = checks(repo)
    wrong = {name for name, one in found.items() if not one["ok"]}
    assert {"trusted branch", "refspecs"} <= wrong
    assert all(found[name]["cure"] for name in wrong)
    assert any("sometimes" in str(one["detail"]) for one in found.values())


def test_a_broken_policy_is_a_fault(repo: Repo) -> None:
    repo.commit("Begin", {".ai/policies/memory-policy.yaml": "version: 99\n"})
    found = checks(repo)["memories"]
    assert (found["ok"], found["cure"]) == (False, "gitmem lint")


def test_the_file_that_is_broken_is_the_one_that_is_named(repo: Repo) -> None:
    broken = "id: [\n"
    repo.commit("Begin", {".ai/elements.yaml": broken, ".ai/memory/m-001.yaml": broken})
    detail = str(checks(repo)["memories"]["detail"])
    assert "2 files cannot be read, the first is .ai/elements.yaml:" in detail
    assert "policy" not in detail
    repo.commit("Policy", {".ai/policies/memory-policy.yaml": "version: 99\n"})
    detail = str(checks(repo)["memories"]["detail"])
    assert "the policy cannot be read, so the gate refuses: .ai/policies/memory-policy.yaml:1" in detail
    assert "; 2 files cannot be read, the first is .ai/elements.yaml:" in detail


def test_a_check_has_one_name_whether_it_can_be_made_or_not(repo: Repo, tmp_path: Path) -> None:
    repo.commit("Begin", {"a.py": "x = 1\n"})
    whole = set(checks(repo, "--remote"))
    repo.git("remote", "add", "origin", str(tmp_path / "gone"))
    repo.git("config", "gitmem.syncRemote", "nowhere")
    (repo.path / ".git/gitmem").mkdir(exist_ok=True)
    (repo.path / ".git/gitmem/hook.log").mkdir()
    found = checks(repo, "--remote")
    assert set(found) - whole <= {"sync", "hook log"}
    assert not found["remote"]["ok"]


def test_hooks_that_would_not_fire_are_a_fault_and_missing_ones_an_offer(repo: Repo) -> None:
    repo.commit("Begin", {"a.py": "x = 1\n"})
    assert checks(repo)["git hooks"]["ok"]
    gitmem("hooks", "install", at=repo.path)
    assert checks(repo)["git hooks"] == {
        "check": "git hooks",
        "ok": True,
        "detail": "post-commit, post-rewrite, post-merge",
        "cure": "",
    }
    (repo.path / ".git/hooks/post-commit").chmod(0o644)
    assert not checks(repo)["git hooks"]["ok"]


def test_a_hook_that_failed_lately_is_told(repo: Repo) -> None:
    from gitmem.wire.recording import now

    repo.commit("Begin", {"a.py": "x = 1\n"})
    (repo.path / ".git/gitmem").mkdir()
    (repo.path / ".git/gitmem/hook.log").write_text("2019-01-01T00:00:00+00:00 post-commit: OSError: old\n")
    assert "hook log" not in checks(repo)
    (repo.path / ".git/gitmem/hook.log").write_text(f"{now()} post-commit: OSError: full\n")
    assert not checks(repo)["hook log"]["ok"]


def test_an_agent_whose_files_are_incomplete_is_a_fault(repo: Repo) -> None:
    repo.commit("Begin", {"a.py": "x = 1\n"})
    gitmem("agent", "install", "claude-code", at=repo.path)
    assert checks(repo)["claude-code"]["ok"]
    (repo.path / "AGENTS.md").unlink()
    found = checks(repo)["claude-code"]
    assert (found["ok"], found["cure"]) == (False, "gitmem agent install claude-code")


def test_the_probe_publishes_no_code_and_is_gone_again(tmp_path: Path) -> None:
    remote = bare_remote(tmp_path)
    ada = clone(remote, "ada")
    ada.commit("Not pushed yet", {"secret.py": "x = 1\n"})
    before = ada.git("for-each-ref"), remote.git("for-each-ref")
    assert checks(ada, "--remote")["remote"]["ok"]
    assert (ada.git("for-each-ref"), remote.git("for-each-ref")) == before
    missing = remote.git("cat-file", "--batch-check", stdin=ada.head().encode() + b"\n")
    assert "missing" in str(missing)


def test_a_server_that_refuses_the_refs_is_a_fault_with_its_own_words(tmp_path: Path) -> None:
    remote = bare_remote(tmp_path)
    ada = clone(remote, "ada")
    hook = remote.path / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho 'only branches here' >&2\nexit 1\n")
    hook.chmod(0o755)
    found = checks(ada, "--remote")["remote"]
    assert (found["ok"], "only branches here" in str(found["detail"])) == (False, True)


@pytest.mark.parametrize("kind", ["bare", "empty"])
def test_a_repository_without_work_tree_or_commit_is_looked_over_too(tmp_path: Path, kind: str) -> None:
    repo = bare_remote(tmp_path) if kind == "bare" else Repo(tmp_path / "empty")
    assert checks(repo)["repository"]["ok"]


def test_uninstall_undoes_hooks_agents_and_settings_and_keeps_the_data(repo: Repo) -> None:
    repo.commit("Begin", {"a.py": "x = 1\n", ".ai/memory/m-001.yaml": "id: m-001\nsummary: x\n"})
    gitmem("run", "start", "task", at=repo.path)
    refs = repo.git("for-each-ref", "refs/ai")
    gitmem("hooks", "install", at=repo.path)
    for agent in ("claude-code", "copilot"):
        gitmem("agent", "install", agent, at=repo.path)
    repo.git("config", "gitmem.autoSync", "pre-push")
    assert gitmem("uninstall", at=repo.path).code == 0
    assert repo.git("status", "--porcelain") == repo.git("status", "--porcelain", "--untracked-files=no")
    assert "gitmem" not in (repo.path / ".git/config").read_text()
    assert not (repo.path / ".git/hooks/post-commit").exists()
    assert repo.git("for-each-ref", "refs/ai") == refs
    assert "nothing of gitmem" in gitmem("uninstall", at=repo.path).out


def test_a_provider_that_refuses_is_a_fault_and_one_that_answered_is_none(repo: Repo) -> None:
    repo.commit("Begin", {"src/a.py": "x = 1\n"})
    with bad_server(Reply(401, b"no")) as server:
        repo.git("config", "gitmem.embed.url", server.url)
        repo.git("config", "gitmem.embed.model", "m")
        told = checks(repo)["vectors"]
        assert (told["ok"], server.asked) == (True, [])
        assert str(told["detail"]).endswith(": not asked yet")
        assert gitmem("embed", at=repo.path).code == 4
        asked = len(server.asked)
        told = checks(repo)["vectors"]
        assert (told["ok"], len(server.asked)) == (False, asked)  # it goes by what is kept
        assert "answers 401" in str(told["detail"])
        assert "has never answered here" in str(told["detail"])
    with bad_server(of_words) as server:
        repo.git("config", "gitmem.embed.url", server.url)
        told = checks(repo, "--remote")["vectors"]
        assert (told["ok"], str(told["detail"]).rpartition(": ")[2]) == (True, "answers")
        assert "answered last on 2" in str(checks(repo)["vectors"]["detail"])


def test_settings_of_a_provider_that_cannot_be_used_are_a_fault(repo: Repo) -> None:
    repo.commit("Begin", {"src/a.py": "x = 1\n"})
    repo.git("config", "gitmem.embed.url", "http://127.0.0.1:9")
    assert checks(repo)["vectors"]["ok"] is False
