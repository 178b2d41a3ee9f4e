"""Installing hooks beside what others installed, on real repositories with real commits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.report.hooks import hooks_lines
from gitmem.store.ledger import RunLedger
from gitmem.usecases.hooks import HookState, hook_states, install, line_to_add, uninstall
from gitmem.usecases.runs.starting import start_run
from tests.support.cli import Done, gitmem
from tests.support.other_user import as_other_user
from tests.support.repo import Repo

NAMES = ["post-commit", "post-rewrite", "post-merge"]


def installed(repo: Repo, *, with_trailer: bool = False) -> tuple[HookState, ...]:
    return install(open_repository(repo.path), with_trailer=with_trailer)


def started(repo: Repo) -> str:
    with RunLedger.open(repo.path) as ledger:
        return start_run(ledger, "task", actor="human")[0].id


def types(repo: Repo) -> list[str]:
    with RunLedger.open(repo.path) as ledger:
        current = ledger.current()
        assert current is not None
        return [event.type for event in current.events()]


def states(repo: Repo) -> dict[str, str]:
    return {one.hook: one.state for one in hook_states(open_repository(repo.path))}


def hook(repo: Repo, text: str, name: str = "post-commit", folder: str = ".git/hooks") -> Path:
    file = repo.path / folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file


def test_hooks_are_installed_once_and_taken_out_without_a_trace(repo: Repo) -> None:
    before = {one.name: one.read_bytes() for one in (repo.path / ".git/hooks").iterdir()}
    assert states(repo) == dict.fromkeys(NAMES, "missing")
    assert [one.state for one in installed(repo)] == ["added"] * 3
    assert [one.state for one in installed(repo)] == ["kept"] * 3
    assert states(repo) == dict.fromkeys(NAMES, "installed")
    assert [one.state for one in uninstall(open_repository(repo.path))] == ["removed"] * 3
    assert {one.name: one.read_bytes() for one in (repo.path / ".git/hooks").iterdir()} == before
    assert not (repo.path / ".git/gitmem/hook").exists()


def test_what_stood_there_still_runs_with_its_arguments_and_its_input(repo: Repo) -> None:
    texts = {
        "post-commit": '#!/bin/sh\necho ran >> "$PWD/seen"\nexec true\n',
        "post-rewrite": '#!/bin/bash\nset -eu\necho "$1" >> seen; cat >> seen; exit 3\n',
    }
    for name, text in texts.items():
        hook(repo, text, name)
    installed(repo)
    started(repo)
    first = repo.commit("one", {"a": "1"})
    repo.git("commit", "-q", "--amend", "-m", "two")
    second = repo.git("rev-parse", "HEAD")
    assert (repo.path / "seen").read_text().splitlines() == ["ran", "ran", "amend", f"{first} {second}"]
    assert types(repo) == ["task_created", "commit_recorded", "commit_recorded", "commits_rewritten"]
    uninstall(open_repository(repo.path))
    assert {name: (repo.path / ".git/hooks" / name).read_text() for name in texts} == texts


@pytest.mark.parametrize("named", [".githooks", "tools/git hooks"])
def test_the_folder_that_the_configuration_names_is_used(repo: Repo, named: str) -> None:
    repo.git("config", "core.hooksPath", named)
    told = installed(repo)
    assert {one.file.parent for one in told} == {repo.path / named}
    assert all("commit it" in one.detail for one in told)
    assert str(repo.path).encode() not in (repo.path / named / "post-commit").read_bytes()
    started(repo)
    repo.commit("one", {"a": "1"})
    assert types(repo) == ["task_created", "commit_recorded"]


def test_husky_gets_the_line_in_its_own_hooks(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".husky/_")
    hook(repo, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n', folder=".husky/_")
    hook(repo, 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n', "h", ".husky/_")
    generated = (repo.path / ".husky/_/post-commit").read_bytes()
    hook(repo, "echo husky >> seen\n", folder=".husky").chmod(0o644)
    installed(repo)
    started(repo)
    repo.commit("one", {"a": "1"})
    assert types(repo) == ["task_created", "commit_recorded"]
    assert (repo.path / "seen").read_text() == "husky\n"
    assert (repo.path / ".husky/_/post-commit").read_bytes() == generated


def test_a_folder_shared_with_other_repositories_is_left_alone(repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "everybody"
    outside.mkdir()
    repo.git("config", "core.hooksPath", str(outside))
    told = installed(repo)
    assert {one.state for one in told} == {"refused"}
    assert "outside of this repository" in told[0].detail
    assert not list(outside.iterdir())


def test_a_hook_that_cannot_take_the_line_is_left_as_it_is_and_the_others_are_installed(repo: Repo) -> None:
    text = "#!/usr/bin/env python3\nprint('mine')\n"
    file = hook(repo, text)
    assert {one.hook: one.state for one in installed(repo)} == {
        "post-commit": "refused",
        "post-rewrite": "added",
        "post-merge": "added",
    }
    assert file.read_text() == text


def test_a_hook_that_git_passes_over_is_not_woken_up(repo: Repo) -> None:
    hook(repo, "#!/bin/sh\necho asleep >> seen\n").chmod(0o644)
    told = installed(repo)[0]
    assert (told.state, "chmod +x" in told.cure) == ("refused", True)
    repo.commit("one", {"a": "1"})
    assert not (repo.path / "seen").exists()


def test_a_link_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    target = tmp_path / "shared-hook"
    target.write_text("#!/bin/sh\n")
    (repo.path / ".git/hooks/post-commit").symlink_to(target)
    assert installed(repo)[0].state == "refused"
    assert target.read_text() == "#!/bin/sh\n"


PYTHON_HOOK = "#!/usr/bin/env python3\nprint('mine')\n"


@pytest.mark.parametrize(
    ("text", "mode", "detail", "cure"),
    [
        (PYTHON_HOOK, 0o755, "written for python3", "line below"),
        ("#!/bin/sh\ncall_lefthook run post-commit\n", 0o755, "lefthook makes it anew", "lefthook.yml"),
        ("#!/bin/sh\necho x\n", 0o644, "not executable", "chmod +x"),
        ("#!/bin/sh\r\necho x\r\n", 0o755, "CR LF", "LF line ends"),
        ("#!/bin/sh\necho x\n", 0o755, "", "gitmem hooks install"),
    ],
)
def test_what_is_missing_says_a_cure_that_is_not_refused_again(
    repo: Repo, text: str, mode: int, detail: str, cure: str
) -> None:
    hook(repo, text).chmod(mode)
    told = hook_states(open_repository(repo.path))[0]
    assert told.state == "missing"
    assert detail in told.detail
    assert cure in told.cure
    assert ("install" in told.cure and "then" not in told.cure) == (installed(repo)[0].state == "added")


def test_a_hook_whose_lines_end_in_cr_lf_is_not_told_to_be_installed(repo: Repo) -> None:
    installed(repo)
    file = repo.path / ".git/hooks/post-commit"
    file.write_bytes(file.read_bytes().replace(b"#!/bin/sh\n", b"#!/bin/sh\r\n"))
    assert states(repo)["post-commit"] == "missing"


def test_the_line_counts_where_its_owner_put_it(repo: Repo, tmp_path: Path) -> None:
    installed(repo)
    folder = repo.path / ".git/hooks"
    called = 'subprocess.run(["sh", "-c", \'"$(git rev-parse --git-common-dir)/gitmem/hook" post-commit\'])'
    hook(repo, f"#!/usr/bin/env python3\nimport subprocess\n{called}\n")
    (tmp_path / "shared").write_bytes((folder / "post-merge").read_bytes())
    (tmp_path / "shared").chmod(0o755)
    (folder / "post-merge").unlink()
    (folder / "post-merge").symlink_to(tmp_path / "shared")
    hook(repo, "#!/bin/sh\ncall_lefthook run post-rewrite\n", "post-rewrite")
    repo.write(
        "lefthook.yml",
        "post-rewrite:\n  commands:\n    gitmem:\n      run: .git/gitmem/hook post-rewrite {0}\n",
    )
    assert set(states(repo).values()) == {"installed"}


def test_a_link_that_leads_elsewhere_says_what_to_put_there(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "shared").write_text("#!/bin/sh\n")
    (repo.path / ".git/hooks/post-commit").symlink_to(tmp_path / "shared")
    told = hook_states(open_repository(repo.path))
    lines = list(hooks_lines(told, repo.path))
    assert told[0].state == "refused"
    assert lines[2].strip() == line_to_add("post-commit")


def test_a_line_that_another_manager_moved_is_found_and_taken_out(repo: Repo) -> None:
    installed(repo)
    folder = repo.path / ".git/hooks"
    (folder / "post-commit").rename(folder / "post-commit.legacy")
    hook(repo, '#!/bin/sh\n"$0.legacy" "$@"\n')
    assert states(repo)["post-commit"] == "installed"
    started(repo)
    repo.commit("one", {"a": "1"})
    assert types(repo) == ["task_created", "commit_recorded"]
    uninstall(open_repository(repo.path))
    assert not (folder / "post-commit.legacy").exists()


def test_a_launcher_whose_interpreter_is_gone_is_told_and_fails_no_commit(repo: Repo) -> None:
    installed(repo)
    launcher = repo.path / ".git/gitmem/hook"
    started(repo)
    text = launcher.read_bytes()
    launcher.write_bytes(text.replace(b"/python", b"/gone/python"))
    assert states(repo)["post-commit"] == "missing"
    repo.commit("one", {"a": "1"})
    assert types(repo) == ["task_created"]


def test_a_linked_work_tree_shares_hooks_and_has_its_own_run(repo: Repo, tmp_path: Path) -> None:
    repo.commit("first", {"a": "1"})
    repo.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    other = Repo(tmp_path / "other", init=False)
    installed(other)
    started(other)
    other.commit("there", {"b": "1"})
    repo.commit("here, without a run", {"c": "1"})
    assert types(other) == ["task_created", "commit_recorded"]
    with RunLedger.open(repo.path) as ledger:
        assert ledger.current() is None


def test_no_folder_of_hooks_is_no_hindrance(repo: Repo) -> None:
    for one in (repo.path / ".git/hooks").iterdir():
        one.unlink()
    (repo.path / ".git/hooks").rmdir()
    assert {one.state for one in installed(repo)} == {"added"}


def _load(folder: Path) -> None:
    """Load what installing needs: the other user may not be let into the folder where this copy of gitmem lies."""
    other = Repo(folder / "other")
    other.write(".git/hooks/post-commit", "#!/bin/sh\n").chmod(0o755)
    gitmem("hooks", "install", at=other.path)


def test_a_hook_that_cannot_be_written_is_named_and_no_file_is_left_beside_it(
    repo: Repo, tmp_path: Path
) -> None:
    repo.write(".git/hooks/post-commit", "#!/bin/sh\n").chmod(0o755)
    _load(tmp_path)
    out, left = as_other_user(_install_into_closed_folder, repo.path)
    assert "post-commit cannot be written: Permission denied; it is as it was" in out
    assert ".post-" not in out
    assert left == ["post-commit"]


def _install_into_closed_folder(folder: Path) -> tuple[str, list[str]]:
    os.chdir(folder)  # where the tests run from may be closed to others
    hooks = folder / ".git/hooks"
    hooks.chmod(0o555)
    done = gitmem("hooks", "install", at=folder)
    assert done.code == 3
    hooks.chmod(0o755)
    return done.out, sorted(one.name for one in hooks.iterdir() if not one.name.endswith(".sample"))


def test_a_closed_git_directory_is_told_by_the_names_of_its_own_files(repo: Repo, tmp_path: Path) -> None:
    _load(tmp_path)
    done = as_other_user(_install_into_closed_git, repo.path)
    assert (done.code, ".hook." in done.err) == (3, False)
    assert "gitmem/hook cannot be written: Permission denied" in done.err


def _install_into_closed_git(folder: Path) -> Done:
    os.chdir(folder)
    (folder / ".git").chmod(0o555)
    done = gitmem("hooks", "install", at=folder)
    (folder / ".git").chmod(0o755)
    return done
